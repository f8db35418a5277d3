import type { Json } from "@moneta/protocol";
import { behind, bracketed, literal, type Place, type Syntax } from "./literal.ts";
import {
  besidesPath,
  fileOf,
  inPath,
  pathWith,
  type Sample,
  type SampleValue,
  variableOf,
  variablesOf,
} from "./sample.ts";

/** In single quotes only these two are special. */
function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, "\\$&")}'`;
}

const SYNTAX: Syntax = {
  text: quoted,
  member: (name) => `${quoted(name)} => `,
  list: ["[", "]"],
  object: ["[", "]"],
  numbered: ["(object) [", "]"],
  emptyObject: "new stdClass()",
};

/** A sample in PHP, with its extensions curl and openssl. */
export function phpSample(sample: Sample): string {
  const { signing } = sample;
  return ["<?php", ...(signing === undefined ? unsigned(sample) : signed(sample, signing))].join(
    "\n",
  );
}

function signed(sample: Sample, signing: NonNullable<Sample["signing"]>): readonly string[] {
  const { actor, ledgerId } = signing;
  const more = inPath(sample).map((value) => `${quoted(value.name)} => $${variableOf(value)}`);
  const all = ["...$params", ...more].join(", ");
  return [
    `$node = ${quoted(sample.url)};`,
    `$actor = ${quoted(actor)}; // whose key is in key.pem`,
    '$key = file_get_contents("$node/nonce/$actor");',
    "",
    ...variablesOf(sample).map(({ name, text }) => `$${name} = ${quoted(text)};`),
    `${params(sample, ["'signed' => 'full'"])};`,
    // Parameters in the path are signed as well.
    `$all = [${all}];`,
    "ksort($all);",
    "$flags = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_LINE_TERMINATORS;",
    "$text = json_encode($all, $flags);",
    `$signed = "moneta|1|${ledgerId}|${sample.name}|$text";`,
    "openssl_sign($signed, $signature, file_get_contents('key.pem'), 'sha256');",
    "$params['signature'] = base64_encode($signature);",
    "",
    ...sent(sample, '"$node', true),
  ];
}

function unsigned(sample: Sample): readonly string[] {
  const hasParams = besidesPath(sample).length > 0;
  return [
    ...(hasParams ? [`${params(sample, [])};`] : []),
    ...sent(sample, `"${sample.url}`, hasParams),
  ];
}

/** The request, and the use of its answer. */
function sent(sample: Sample, start: string, hasParams: boolean): readonly string[] {
  const hasVariables = sample.signing !== undefined;
  const path = pathWith(sample, (value) => (hasVariables ? `$${variableOf(value)}` : value.text));
  const url = hasVariables ? `${start}${path}"` : quoted(`${start.slice(1)}${path}`);
  if (sample.method === "GET") {
    return hasParams
      ? [`$url = ${url};`, ...got(sample, "$url . '?' . http_build_query($params)")]
      : got(sample, url);
  }
  const options = [
    sample.method === "POST"
      ? "CURLOPT_POST => true"
      : `CURLOPT_CUSTOMREQUEST => '${sample.method}'`,
    ...(sample.isJsonOnly
      ? [
          "CURLOPT_HTTPHEADER => ['Content-Type: application/json']",
          "CURLOPT_POSTFIELDS => json_encode($params)",
        ]
      : hasParams
        ? ["CURLOPT_POSTFIELDS => http_build_query($params)"]
        : []),
    // The answer has only its Location header.
    ...(sample.result.kind === "nothing" ? ["CURLOPT_HEADER => true"] : []),
  ];
  const before = "curl_setopt_array($curl, ";
  const pieces = options.map((option) => () => option);
  return [
    `$curl = curl_init(${url});`,
    `${before}${bracketed(pieces, SYNTAX.list, at(before))});`,
    "curl_exec($curl); // prints the answer",
  ];
}

function got(sample: Sample, url: string): readonly string[] {
  const file = fileOf(sample);
  if (file !== undefined) {
    return [`copy(${url}, '${file}');`];
  }
  if (sample.result.kind === "stream") {
    return [
      `$stream = fopen(${url}, 'r');`,
      "while (($line = fgets($stream)) !== false) {",
      "    echo $line;",
      "}",
    ];
  }
  return [`echo file_get_contents(${url});`];
}

function params(sample: Sample, more: readonly string[]): string {
  const pieces = besidesPath(sample).map((value) => (place: Place) => {
    const start = SYNTAX.member(value.name);
    const inside = behind(place, start);
    return start + (sample.isJsonOnly ? literalOf(value, inside) : expression(value, inside));
  });
  const all = [...pieces, ...more.map((piece) => () => piece)];
  return `$params = ${bracketed(all, SYNTAX.object, at("$params = "))}`;
}

function literalOf({ text, schema }: SampleValue, place: Place): string {
  return literal(SYNTAX, JSON.parse(text) as Json, schema, place);
}

function expression({ is, text, isJson, schema }: SampleValue, place: Place): string {
  if (is === "publicKey") {
    return "file_get_contents('public.pem')";
  }
  if (is !== "text") {
    return `$${is}`;
  }
  if (!isJson) {
    return quoted(text);
  }
  const inside = behind(place, "json_encode()");
  return `json_encode(${literal(SYNTAX, JSON.parse(text) as Json, schema, inside)})`;
}

function at(before: string): Place {
  return { indent: "", column: before.length, step: "    " };
}
