import { group, type Json } from "@moneta/protocol";
import { bracketed, LIST, literal, memberText, OBJECT, type Place } from "./javascript-literal.ts";
import { fileOf, type Sample, type SampleValue } from "./sample.ts";

/** For Node, or a bundler, with the SDK. */
export function javascriptSample(sample: Sample): string {
  const { signing, values, name, url } = sample;
  const readsFiles = signing !== undefined || values.some(({ is }) => is === "publicKey");
  const file = fileOf(sample);
  const fs = [...(readsFiles ? ["readFile"] : []), ...(file === undefined ? [] : ["writeFile"])];
  const call = `${signing === undefined ? "moneta" : "actor"}.${name}`;
  return [
    ...(fs.length > 0 ? [`import { ${fs.join(", ")} } from "node:fs/promises";`] : []),
    `import { Moneta${signing === undefined ? "" : ", SigningKey"} } from "@moneta/sdk";`,
    "",
    `const moneta = new Moneta(${JSON.stringify(url)});`,
    ...(signing === undefined
      ? []
      : [
          'const key = await SigningKey.fromPem(await readFile("key.pem", "utf8"));',
          `const actor = moneta.actor(${JSON.stringify(signing.actor)}, key);`,
          ...(signing.proof === undefined
            ? []
            : ['const newKey = await SigningKey.fromPem(await readFile("new.pem", "utf8"));']),
          "",
        ]),
    ...called(sample, call, file),
  ].join("\n");
}

function called(sample: Sample, call: string, file: string | undefined): readonly string[] {
  if (sample.result.kind === "stream") {
    const start = `for await (const event of ${call}(`;
    return [`${start}${parameters(sample, start)})) {`, "  console.log(event);", "}"];
  }
  const start = `const answer = await ${call}(`;
  const isBytes = sample.result.kind === "file";
  return [
    `${start}${parameters(sample, start)});`,
    file === undefined
      ? `console.log(${isBytes ? "new TextDecoder().decode(answer)" : "answer"});`
      : `await writeFile("${file}", answer);`,
  ];
}

/** The SDK provides the temporary key and an actor's address. */
function parameters(sample: Sample, before: string): string {
  const { name, values, isJsonOnly } = sample;
  const at = { indent: "", column: before.length };
  if (sample.signsBody) {
    const [operations, skip] = ["operations", "skip"].map((wanted) =>
      values.find((value) => value.name === wanted),
    );
    const texts = operations === undefined ? "[]" : expression(operations, at);
    // An element's schema does not show which members are amounts.
    const list = texts.replaceAll(/\bamount: "(\d+)"/g, "amount: $1n");
    return skip === undefined ? list : `${list}, { skip: ${skip.text} }`;
  }
  const [only] = values;
  if (isJsonOnly && only !== undefined) {
    return expression(
      name === group.name ? { ...only, text: preparedWrites(only.text) } : only,
      at,
    );
  }
  const given = values.filter(({ is }) => is !== "key" && is !== "actor");
  const pieces = given.map(
    (value) =>
      (place: Place): string =>
        memberText(value.name, (inside) => expression(value, inside), place),
  );
  const { proof } = sample.signing ?? {};
  const all = proof === undefined ? pieces : [...pieces, () => `${proof}: newKey`];
  return all.length === 0 ? "" : bracketed(all, OBJECT, at);
}

/** The library has the signature beside the signed parts. */
function preparedWrites(operations: string): string {
  const given = JSON.parse(operations) as readonly Readonly<Record<string, string>>[];
  return JSON.stringify(
    given.map(({ operation, signature, ...params }) => ({ operation, params, signature })),
  );
}

function expression({ is, text, isJson, schema }: SampleValue, place: Place): string {
  if (is === "publicKey") {
    return 'await readFile("public.pem", "utf8")';
  }
  if (schema["format"] === "comma-separated") {
    const pieces = text.split(",").map((each) => () => JSON.stringify(each));
    return bracketed(pieces, LIST, place);
  }
  return literal(isJson ? (JSON.parse(text) as Json) : text, schema, place);
}
