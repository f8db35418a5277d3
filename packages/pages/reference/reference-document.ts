import { NODE_URL } from "../ledger/node.ts";
import { withRealIds } from "./real-ids.ts";

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly anyOf?: readonly Schema[];
}

export interface ShownParameter {
  readonly name: string;
  readonly in: "path" | "query" | "body";
  readonly required: boolean;
  readonly description?: string;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Content {
  readonly schema: Schema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Answer {
  readonly description: string;
  readonly headers?: Readonly<Record<string, { readonly description: string }>>;
  readonly content?: Readonly<Record<string, Content>>;
}

export interface ShownOperation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly ShownParameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Answer>>;
  /** Of writes that the page may send: those of test deployments. */
  readonly "x-trial"?: {
    /** The operation's name, if it is signed. */
    readonly signed?: string;
    /** Parameters that the page fills in. */
    readonly withoutField?: readonly string[];
  };
  readonly "x-codeSamples": readonly {
    readonly label: string;
    readonly source: string;
    readonly example?: string;
  }[];
  readonly method: string;
  readonly path: string;
  /** Its other routes, which the contents leave out. */
  readonly also: readonly ShownOperation[];
}

/** `/docs/openapi.json`, with operations in the order of their groups. */
export interface Reference {
  readonly introduction: string;
  readonly groups: readonly {
    readonly name: string;
    readonly operations: readonly ShownOperation[];
  }[];
  readonly operations: readonly ShownOperation[];
  readonly schemas: Readonly<Record<string, Schema>>;
}

type WrittenOperation = Omit<ShownOperation, "method" | "path" | "also">;

interface Written {
  readonly info: { readonly description: string };
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, WrittenOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export async function loadReference(): Promise<Reference> {
  const [{ info, tags, paths, components }, real] = await Promise.all([
    fetch(`${NODE_URL}/docs/openapi.json`).then((response) => response.json() as Promise<Written>),
    withRealIds(),
  ]);
  const each = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      "x-codeSamples":
        method === "get"
          ? operation["x-codeSamples"].map((one) => ({ ...one, source: real(one.source) }))
          : operation["x-codeSamples"],
      method: method.toUpperCase(),
      path,
      also: [],
    })),
  );
  const all = each.map((operation) => ({
    ...operation,
    also: each.filter(
      ({ summary, method, path }) => summary === `${operation.summary} (${method} ${path})`,
    ),
  }));
  const others = new Set(all.flatMap(({ also }) => also.map(({ operationId }) => operationId)));
  const groups = tags.map(({ name }) => ({
    name,
    operations: all.filter(
      ({ tags, operationId }) => tags.includes(name) && !others.has(operationId),
    ),
  }));
  return {
    introduction: info.description,
    groups,
    operations: all,
    schemas: components.schemas,
  };
}

/** Operations with all words of a text: matches in names first, then paths, then descriptions. */
export function found(all: readonly ShownOperation[], text: string): readonly ShownOperation[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const rank = ({ summary, operationId, description, ...routes }: ShownOperation): number => {
    const path = [routes.path, ...routes.also.map((other) => other.path)].join(" ");
    const names = `${summary} ${operationId}`.toLowerCase();
    const where = [
      (word: string) => names.split(" ").some((one) => one.startsWith(word)),
      (word: string) => names.includes(word),
      (word: string) => path.includes(word),
      (word: string) => `${names} ${path} ${description.toLowerCase()}`.includes(word),
    ];
    return where.findIndex((has) => words.every(has));
  };
  return all
    .map((operation) => ({ operation, rank: rank(operation) }))
    .filter(({ rank: found }) => found >= 0)
    .sort((a, b) => a.rank - b.rank)
    .map(({ operation }) => operation);
}

/** Parameters of the JSON body. */
export function bodyOf(
  { requestBody }: ShownOperation,
  schemas: Reference["schemas"],
): readonly ShownParameter[] {
  const [form] = Object.values(requestBody?.content ?? {});
  if (form === undefined) {
    return [];
  }
  const { properties = {}, required = [] } = resolved(form.schema, schemas);
  const example = (form.example ?? Object.values(form.examples ?? {})[0]?.value ?? {}) as Readonly<
    Record<string, unknown>
  >;
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "body",
    required: required.includes(name),
    schema: resolved(schema, schemas),
    example: example[name],
  }));
}

export interface Member {
  /** `items[].values.to`. */
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly description: string;
}

const DEPTH_MAX = 4;

export function membersOf(
  schema: Schema,
  schemas: Reference["schemas"],
  { around = "", depth = 0 } = {},
): readonly Member[] {
  const {
    properties = {},
    required = [],
    items,
    anyOf = [],
    additionalProperties: byName,
  } = resolved(schema, schemas);
  if (depth > DEPTH_MAX) {
    return [];
  }
  const inside = (one: Schema, name: string): readonly Member[] =>
    membersOf(one, schemas, { around: name, depth: depth + 1 });
  const own = Object.entries(properties).flatMap(([name, member]) => {
    const whole = around === "" ? name : `${around}.${name}`;
    const described = resolved(member, schemas);
    const row = {
      name: whole,
      type: typeOf(described, schemas),
      required: required.includes(name),
      description: member.description ?? described.description ?? "",
    };
    return [row, ...inside(member, whole)];
  });
  const others = [
    ...(items === undefined ? [] : inside(items, `${around}[]`)),
    ...(typeof byName === "object" ? inside(byName, `${around}.*`) : []),
    ...anyOf.flatMap((one) => inside(one, around)),
  ];
  const names = new Set<string>();
  return [...own, ...others].filter(({ name }) => !names.has(name) && names.add(name));
}

function resolved(schema: Schema, schemas: Reference["schemas"]): Schema {
  const name = schema.$ref?.split("/").at(-1);
  return name === undefined ? schema : (schemas[name] ?? {});
}

export function typeOf(schema: Schema, schemas: Reference["schemas"]): string {
  const { type, format, enum: values, items, anyOf } = resolved(schema, schemas);
  if (values !== undefined) {
    return values.map((value) => JSON.stringify(value)).join(" | ");
  }
  if (items !== undefined) {
    return `${typeOf(items, schemas)}[]`;
  }
  const alternatives = new Set(anyOf?.map((one) => typeOf(one, schemas)));
  return [[type].flat().filter(Boolean).join(" | ") || [...alternatives].join(" | "), format]
    .filter(Boolean)
    .join(", ");
}
