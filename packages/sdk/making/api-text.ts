import {
  type AnyOperation,
  type AnyRead,
  bundleWeight,
  DERIVED_OPERATIONS,
  GENERAL_REFUSALS,
  OPERATIONS,
  type Parameter,
  READS,
  type Result,
  refusalsOf,
  type Schema,
  signersOf,
} from "@moneta/protocol";
import { isAmount, pascalCase, TypeNames, typeOf } from "./schema-type.ts";

type Description = AnyOperation | AnyRead;

const STREAM = "stream";

/** The text of `api.ts`, not formatted. */
export function apiText(): string {
  const names = new TypeNames();
  const all: readonly Description[] = [...OPERATIONS, ...DERIVED_OPERATIONS, ...READS].filter(
    ({ route, result, isJsonOnly }) =>
      route !== undefined && result.kind !== STREAM && isJsonOnly !== true,
  );
  const calls = all.map((description) => `  ${description.name}: ${callText(description)},`);
  const requests = all.map((description) => requestType(description, names));
  const signed = all.filter(isSignedHere).map((description) => methodText(description, names));
  const unsigned = all
    .filter((description) => !isSignedHere(description))
    .map((description) => methodText(description, names));
  return `import type { Call, CallOptions } from "./call.ts";
import type { Sign, Signer } from "./keys/signing-key.ts";

/** What is sent for each operation and read, by its name. */
export const CALLS: { readonly [name: string]: Call } = {
${calls.join("\n")}
};

/** Id of a token; "0" is the native coin. */
export type TokenId = string | number;

/** A page of a list; \`cursor\` asks for the next one and is absent at the end. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly cursor?: string;
  /** URL of the archive that has older blocks, at the end of a list of a node that does not. */
  readonly archive?: string;
}

${requests.join("\n")}
${names.text()}

/**
 * The operations that an actor signs. Besides the codes of each, any request may be refused with
 * ${GENERAL_REFUSALS.join(", ")}.
 */
export interface SignedOperations {
${signed.join("\n")}
}
export abstract class SignedOperations {
  protected abstract write<A>(name: string, request: object, options?: CallOptions): Promise<A>;
}

/**
 * What needs no signature of the caller: reads, and the operations that anybody may send. Any
 * request may be refused with ${GENERAL_REFUSALS.join(", ")} as well.
 */
export interface UnsignedCalls {
${unsigned.join("\n")}
}
export abstract class UnsignedCalls {
  protected abstract call<A>(name: string, request: object, options?: CallOptions): Promise<A>;
}

// A loop in the place of the methods is 1 KB less to download.
for (const [name, { key, signers, parameters }] of Object.entries(CALLS)) {
  const isSigned = Boolean(key) && signers === undefined;
  const { prototype } = isSigned ? SignedOperations : UnsignedCalls;
  const sender = isSigned ? "write" : "call";
  Object.defineProperty(prototype, name, {
    value(...given: readonly unknown[]) {
      const [request = {}, options] = parameters === "" ? [{}, ...given] : given;
      return this[sender](name, request, options);
    },
  });
}
`;
}

function callText(description: Description): string {
  const routes = [description.route, ...(description.otherRoutes ?? [])];
  // Auctions are closed by POST, because programs may prefetch or repeat a GET.
  const posted = routes.filter((route) => route?.startsWith("POST"));
  const isWrite = description.kind === "write";
  const sent = isWrite && posted.length > 0 ? posted : routes;
  const members: Record<string, unknown> = {
    routes: sent,
    parameters: [
      ...givenParameters(description).map(([name]) => name),
      ...proofOf(description),
    ].join(" "),
  };
  if (isWrite) {
    const [signer] = description.signers;
    members["key"] = signer?.temporaryKey ?? "";
    if (description.signers.length > 1) {
      members["signers"] = description.signers.map(({ address, temporaryKey, signature }) =>
        [address, temporaryKey, signature].join(" "),
      );
    } else if (signer?.address !== undefined) {
      members["actor"] = signer.address;
    }
    if (signer?.proof !== undefined) {
      members["proof"] = signer.proof;
    }
  }
  const weight = bundleWeight(description.name, 1);
  if (weight > 1) {
    members["weight"] = weight;
  }
  const { result } = description;
  if (result.kind === "nothing") {
    members["answer"] = "nothing";
  } else if (result.kind === "text" || result.kind === "file") {
    members["answer"] = result.kind;
  }
  if (result.kind === "text" && result.member !== undefined) {
    members["member"] = result.member;
  }
  const amounts = "schema" in result ? amountPaths(result.schema) : [];
  if (amounts.length > 0) {
    const isList = amounts.every((path) => path.startsWith("items."));
    members["amounts"] = isList
      ? `>${amounts.map((path) => path.slice("items.".length)).join(" ")}`
      : amounts.join(" ");
  }
  return JSON.stringify(members);
}

/** Names with dots between them, `*` for any name; arrays are not named. */
function amountPaths(schema: Schema): readonly string[] {
  if (isAmount(schema)) {
    return [""];
  }
  const {
    properties = {},
    items,
    additionalProperties,
    anyOf = [],
  } = schema as {
    readonly properties?: Readonly<Record<string, Schema>>;
    readonly items?: Schema;
    readonly additionalProperties?: Schema;
    readonly anyOf?: readonly Schema[];
  };
  const inside = (name: string, inner: Schema): readonly string[] =>
    amountPaths(inner).map((path) => (path === "" ? name : `${name}.${path}`));
  const paths = [
    ...Object.entries(properties).flatMap(([name, member]) => inside(name, member)),
    ...(additionalProperties === undefined ? [] : inside("*", additionalProperties)),
    ...(items === undefined ? [] : amountPaths(items)),
    ...anyOf.flatMap(amountPaths),
  ];
  return [...new Set(paths)];
}

function soleActor(description: Description): string | undefined {
  const [signer, ...others] = signersOf(description);
  return others.length === 0 ? signer?.address : undefined;
}

function isSignedHere(description: Description): boolean {
  return signersOf(description).length === 1;
}

function givenParameters(description: Description): readonly [string, Parameter<unknown>][] {
  const all = Object.entries(description.parameters) as [string, Parameter<unknown>][];
  return isSignedHere(description)
    ? all.filter(([name, { role }]) => role === "value" && name !== "signed")
    : all;
}

function proofOf(description: Description): readonly string[] {
  return signersOf(description).flatMap(({ proof }) => (proof === undefined ? [] : [proof]));
}

function requestType(description: Description, names: TypeNames): string {
  const actor = soleActor(description);
  const proofs = proofOf(description).map(
    (name) =>
      `  /** Signs with the new keys: one key, or \`signTogether\`. */\n  readonly ${name}: Sign | Pick<Signer, "sign">;`,
  );
  const members = givenParameters(description).map(([name, { optional, schema, wanted }]) => {
    const mayLack = optional || name === actor;
    const about = name === actor ? `${wanted}; the actor's if left out` : wanted;
    const type = typeOf(schema, names, "sent");
    return `  /** ${commentText(about)} */\n  readonly ${name}${mayLack ? "?" : ""}: ${type}${mayLack ? " | undefined" : ""};`;
  });
  return members.length === 0
    ? ""
    : `/** ${commentText(description.about)} */\nexport interface ${requestName(description)} {\n${[...members, ...proofs].join("\n")}\n}\n`;
}

function requestName({ name }: Description): string {
  return `${pascalCase(name)}Request`;
}

function methodText(description: Description, names: TypeNames): string {
  const given = givenParameters(description);
  const actor = soleActor(description);
  const isFree = given.every(([name, { optional }]) => optional || name === actor);
  const answer = answerType(description, names);
  const head = (type: string, returned: string): string =>
    `${description.name}(${given.length === 0 ? "" : `request${type}, `}options?: CallOptions): Promise<${returned}>`;
  const type = requestName(description);
  const [method, path] = (description.route ?? "").split(" ");
  const codes = refusalsOf(description);
  const about = `${commentText(description.about)} \`${method} ${path}\``;
  const comment =
    codes.length === 0
      ? `/** ${about} */`
      : `/**\n   * ${about}\n   *\n   * Refused with ${codes.join(", ")}.\n   */`;
  const forms = answersByForm(description, names).map(
    ({ members, returned }) => [`: ${type} & { ${members} }`, returned] as const,
  );
  const general = [`${isFree ? "?" : ""}: ${type}`, answer] as const;
  const overloads = [...forms, general];
  return `
${overloads.map((overload) => `  ${comment}\n  ${head(...overload)};`).join("\n")}`;
}

function answersByForm(
  description: Description,
  names: TypeNames,
): readonly { readonly members: string; readonly returned: string }[] {
  const { result } = description;
  const answer = answerType(description, names);
  if (result.kind === "textOrJson") {
    const { schema } = description.parameters[result.jsonIf] as Parameter<unknown>;
    return [
      { members: `readonly ${result.jsonIf}?: undefined`, returned: "string" },
      {
        members: `readonly ${result.jsonIf}: ${typeOf(schema, names, "sent")}`,
        returned: typeOf(result.schema, names, "answered"),
      },
    ];
  }
  if (result.kind !== "json" || result.ids === undefined) {
    return [];
  }
  const { list, each, one } = result.ids;
  return [
    ...(one === undefined
      ? []
      : [
          {
            members: `readonly ${list}?: undefined`,
            returned: `${answer} & { readonly ${one}: string }`,
          },
        ]),
    {
      members: `readonly ${list}: readonly [unknown]`,
      returned: `${answer} & { readonly ${each}: readonly [string] }`,
    },
  ];
}

function answerType({ kind, result }: Description, names: TypeNames): string {
  const written = kind === "write" ? "readonly transaction_id: string" : undefined;
  switch (result.kind) {
    case "text":
      return written === undefined
        ? "string"
        : `{ ${written}; readonly ${memberOf(result)}: string }`;
    case "nothing":
      return `{ ${written}; readonly token: string }`;
    case "json":
      return typeOf(result.schema, names, "answered");
    case "textOrJson":
      return `string | ${typeOf(result.schema, names, "answered")}`;
    case "file":
      return "Uint8Array<ArrayBuffer>";
    case "stream":
      throw new Error("a stream is no answer");
  }
}

function memberOf({ member }: Extract<Result, { readonly kind: "text" }>): string {
  if (member === undefined) {
    throw new Error("the text that a write is answered with has no name");
  }
  return member;
}

function commentText(text: string): string {
  return text.replaceAll("*/", "* /").replaceAll("\n", " ");
}
