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

const SYNTAX: Syntax = {
  text: (text) => JSON.stringify(text),
  member: (name) => `${JSON.stringify(name)}: `,
  list: ["[", "]"],
  object: ["{", "}"],
  emptyObject: "{}",
};

/** A sample in Python: its standard library, and `cryptography` where something is signed. */
export function pythonSample(sample: Sample): string {
  const { signing } = sample;
  const lines = signing === undefined ? unsigned(sample) : signed(sample, signing);
  return [...imports(lines), "", ...lines].join("\n");
}

function signed(sample: Sample, signing: NonNullable<Sample["signing"]>): readonly string[] {
  const { actor, ledgerId } = signing;
  const more = inPath(sample).map(
    (value) => `, ${JSON.stringify(value.name)}: ${variableOf(value)}`,
  );
  const all = more.length === 0 ? "params" : `{**params${more.join("")}}`;
  return [
    `node = ${JSON.stringify(sample.url)}`,
    `actor = ${JSON.stringify(actor)}  # whose key is in key.pem`,
    'with open("key.pem", "rb") as file:',
    "    private_key = load_pem_private_key(file.read(), None)",
    "",
    'key = urlopen(f"{node}/nonce/{actor}").read().decode()',
    ...variablesOf(sample).map(({ name, text }) => `${name} = ${JSON.stringify(text)}`),
    params(sample, ['"signed": "full"']),
    // Parameters in the path are signed as well.
    `text = json.dumps(${all}, sort_keys=True, separators=(",", ":"), ensure_ascii=False)`,
    `signed = f"moneta|1|${ledgerId}|${sample.name}|{text}"`,
    "signature = private_key.sign(signed.encode(), ECDSA(hashes.SHA256()))",
    'params["signature"] = base64.b64encode(signature).decode()',
    "",
    ...sent(sample, 'f"{node}', "params"),
    ...printed(sample),
  ];
}

function unsigned(sample: Sample): readonly string[] {
  const start = `"${sample.url}`;
  if (besidesPath(sample).length === 0) {
    return [...sent(sample, start, undefined), ...printed(sample)];
  }
  return [params(sample, []), ...sent(sample, start, "params"), ...printed(sample)];
}

/** The request, as `answer`. */
function sent(sample: Sample, start: string, values: string | undefined): readonly string[] {
  const hasVariables = sample.signing !== undefined;
  const path = pathWith(sample, (value) => (hasVariables ? `{${variableOf(value)}}` : value.text));
  const url = `${start}${path}"`;
  if (sample.method === "GET") {
    return values === undefined
      ? [`answer = urlopen(${url})`]
      : [`url = ${url}`, `answer = urlopen(url + "?" + urlencode(${values}))`];
  }
  const data =
    values === undefined
      ? []
      : sample.isJsonOnly
        ? [`json.dumps(${values}).encode()`, '{"Content-Type": "application/json"}']
        : [`urlencode(${values}).encode()`];
  const method = sample.method === "POST" && data.length > 0 ? [] : [`method="${sample.method}"`];
  return [
    `request = Request(${[url, ...data, ...method].join(", ")})`,
    // Python itself prints only the status of a refusal.
    "try:",
    "    answer = urlopen(request)",
    "except HTTPError as refusal:",
    "    raise SystemExit(refusal.read().decode())",
  ];
}

function printed(sample: Sample): readonly string[] {
  const file = fileOf(sample);
  if (file !== undefined) {
    return [`with open("${file}", "wb") as file:`, "    file.write(answer.read())"];
  }
  switch (sample.result.kind) {
    case "stream":
      return ["for line in answer:", '    print(line.decode(), end="", flush=True)'];
    case "nothing":
      return ['print(answer.status, answer.headers["Location"])'];
    default:
      return ["print(answer.read().decode())"];
  }
}

function params(sample: Sample, more: readonly string[]): string {
  const pieces = besidesPath(sample).map((value) => (place: Place) => {
    const start = SYNTAX.member(value.name);
    const inside = behind(place, start);
    return start + (sample.isJsonOnly ? literalOf(value, inside) : expression(value, inside));
  });
  const all = [...pieces, ...more.map((piece) => () => piece)];
  return `params = ${bracketed(all, SYNTAX.object, at("params = "))}`;
}

function literalOf({ text, schema }: SampleValue, place: Place): string {
  return literal(SYNTAX, JSON.parse(text) as Json, schema, place);
}

function expression({ is, text, isJson, schema }: SampleValue, place: Place): string {
  if (is === "publicKey") {
    return 'open("public.pem").read()';
  }
  if (is !== "text") {
    return is;
  }
  if (!isJson) {
    return JSON.stringify(text);
  }
  const inside = behind(place, "json.dumps()");
  return `json.dumps(${literal(SYNTAX, JSON.parse(text) as Json, schema, inside)})`;
}

function at(before: string): Place {
  return { indent: "", column: before.length, step: "    " };
}

/** The imports that the lines need. */
function imports(lines: readonly string[]): readonly string[] {
  const text = lines.join("\n");
  const uses = (name: string): boolean => new RegExp(`\\b${name}\\(`).test(text);
  const libraries = ["base64", "json"].filter(
    (name) => text.includes(` ${name}.`) || text.includes(`(${name}.`),
  );
  const requests = ["Request", "urlopen"].filter(uses).join(", ");
  return [
    ...libraries.map((name) => `import ${name}`),
    ...(text.includes("except HTTPError") ? ["from urllib.error import HTTPError"] : []),
    ...(uses("urlencode") ? ["from urllib.parse import urlencode"] : []),
    `from urllib.request import ${requests}`,
    ...(uses("ECDSA")
      ? [
          "",
          "from cryptography.hazmat.primitives import hashes",
          "from cryptography.hazmat.primitives.asymmetric.ec import ECDSA",
          "from cryptography.hazmat.primitives.serialization import load_pem_private_key",
        ]
      : []),
  ];
}
