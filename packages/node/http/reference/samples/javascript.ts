import { group, type Json, type Schema } from "@moneta/protocol";
import { behind, bracketed, literal, type Place, type Syntax } from "./literal.ts";
import { fileOf, type Sample, type SampleValue } from "./sample.ts";

const SYNTAX: Syntax = {
  text: (text) => JSON.stringify(text),
  integer,
  member: (name) => `${/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)}: `,
  list: ["[", "]"],
  object: ["{ ", " }"],
  emptyObject: "{}",
};

/** How the library takes integers: amounts as bigint, ids as text. */
function integer(text: string, { format }: Schema): string | undefined {
  if (format === "token-id" || !/^\d+$/.test(text)) {
    return undefined;
  }
  if (format === "amount") {
    return `${text}n`;
  }
  return format === "unix-time" || format === "integer" ? text : undefined;
}

/** A sample for Node, or a bundler, with the SDK. */
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
function parameters({ name, values, isJsonOnly }: Sample, before: string): string {
  const at = { indent: "", column: before.length, step: "  " };
  // The one parameter of a batch or a group is the method's argument.
  const [only] = values;
  if (isJsonOnly && only !== undefined) {
    return expression(
      name === group.name ? { ...only, text: preparedWrites(only.text) } : only,
      at,
    );
  }
  const given = values.filter(({ is }) => is !== "key" && is !== "actor");
  const pieces = given.map((value) => (place: Place) => {
    const start = SYNTAX.member(value.name);
    return start + expression(value, behind(place, start));
  });
  return pieces.length === 0 ? "" : bracketed(pieces, SYNTAX.object, at);
}

/** The operations of a group as the library has them: what is signed apart from its signature. */
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
    return bracketed(pieces, SYNTAX.list, place);
  }
  return literal(SYNTAX, isJson ? (JSON.parse(text) as Json) : text, schema, place);
}
