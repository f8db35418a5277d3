// The OpenAPI document as tests read it.
import { type Answered, parsed } from "../test-node.ts";

export interface Schema {
  readonly type?: string;
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly maxProperties?: number;
  readonly propertyNames?: Schema;
  readonly additionalProperties?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly default?: unknown;
}

/** One example, or several by the form of the request. */
export interface Shown {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

export interface Content extends Shown {
  readonly schema: Schema;
}

export interface OperationObject {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly parameters: readonly (Shown & {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly description: string;
    readonly schema: Schema;
  })[];
  readonly "x-codeSamples": readonly {
    readonly lang: string;
    readonly label: string;
    readonly source: string;
    readonly example?: string;
  }[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: Readonly<
      Record<string, Content & { readonly encoding?: Readonly<Record<string, unknown>> }>
    >;
  };
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string;
        readonly headers: Readonly<Record<string, { readonly example?: unknown }>>;
        readonly content?: Readonly<Record<string, Content>>;
      }
    >
  >;
}

export interface Document {
  readonly openapi: string;
  readonly info: Readonly<Record<string, unknown>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The document in a response, with references replaced by schemas. */
export function documentOf(answer: Answered): Document {
  const document = parsed<Document>(answer);
  return resolved(document, document) as Document;
}

function resolved(value: unknown, document: Document): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => resolved(item, document));
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const [, name] = /^#\/components\/schemas\/(\w+)$/.exec(String(Reflect.get(value, "$ref"))) ?? [];
  return name === undefined
    ? Object.fromEntries(
        Object.entries(value).map(([key, member]) => [key, resolved(member, document)]),
      )
    : resolved(document.components.schemas[name], document);
}

export function parameterNames({ parameters, requestBody }: OperationObject): string[] {
  const { schema } = requestBody?.content["application/json"] ?? {};
  return [...parameters.map(({ name }) => name), ...Object.keys(schema?.properties ?? {})];
}

/** Parameters of a body that the document allows in a full signature only. */
export function needingFullSignature({ requestBody }: OperationObject): string[] {
  const { schema } = requestBody?.content["application/json"] ?? {};
  return Object.entries(schema?.properties ?? {})
    .filter(([, { description }]) => description?.includes("needs signed=full"))
    .map(([name]) => name);
}

export function operationsOf({ paths }: Document): [string, string, OperationObject][] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, string, OperationObject] => [
      method,
      path,
      operation,
    ]),
  );
}

/** The examples by the form of the request; one that is for all forms, under "". */
export function shownOf({ example, examples }: Shown): ReadonlyMap<string, unknown> {
  const several = Object.entries(examples ?? {}).map(([form, { value }]) => [form, value] as const);
  return new Map(several.length > 0 ? several : [["", example] as const]);
}

export function shownFor(shown: Shown, form: string): unknown {
  const all = shownOf(shown);
  return all.has("") ? all.get("") : all.get(form);
}

/** The forms of an operation's requests; just "" if there is one. */
export function requestForms({ parameters, requestBody }: OperationObject): readonly string[] {
  const bodies = Object.values(requestBody?.content ?? {});
  const all = [...parameters, ...bodies].flatMap((shown) => [...shownOf(shown).keys()]);
  const forms = new Set(all.filter((form) => form !== ""));
  return forms.size > 0 ? [...forms] : [""];
}

export function conforms(value: unknown, schema: Schema): boolean {
  if (schema.anyOf !== undefined) {
    return schema.anyOf.some((one) => conforms(value, one));
  }
  switch (schema.type) {
    case "object":
      return (
        typeof value === "object" &&
        value !== null &&
        !Array.isArray(value) &&
        (schema.required ?? []).every((name) => name in value) &&
        Object.keys(value).length <= (schema.maxProperties ?? Number.POSITIVE_INFINITY) &&
        Object.keys(value).every((name) => conforms(name, schema.propertyNames ?? {})) &&
        Object.entries(value).every(
          ([name, member]) =>
            name in (schema.properties ?? {}) ||
            conforms(member, schema.additionalProperties ?? {}),
        ) &&
        Object.entries(schema.properties ?? {}).every(
          ([name, member]) =>
            !(name in value) || conforms((value as Record<string, unknown>)[name], member),
        )
      );
    case "array":
      return (
        Array.isArray(value) &&
        value.length >= (schema.minItems ?? 0) &&
        value.length <= (schema.maxItems ?? Number.POSITIVE_INFINITY) &&
        (schema.uniqueItems !== true || new Set(value).size === value.length) &&
        value.every((item) => conforms(item, schema.items ?? {}))
      );
    case "string":
      return (
        typeof value === "string" &&
        (schema.pattern === undefined || new RegExp(schema.pattern, "u").test(value)) &&
        [...value].length >= (schema.minLength ?? 0) &&
        [...value].length <= (schema.maxLength ?? Number.POSITIVE_INFINITY) &&
        (schema.enum?.includes(value) ?? true)
      );
    case "integer":
      return Number.isInteger(value);
    default:
      return true;
  }
}
