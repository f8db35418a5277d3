// The OpenAPI document as tests read it.

export interface Schema {
  readonly type?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly pattern?: string;
  readonly enum?: readonly string[];
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
    /** Of which of the body's examples it is. */
    readonly example?: string;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
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

/** Method, path and what is said of them, of all that the document has. */
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

/** The example for requests of a form. */
export function shownFor(shown: Shown, form: string): unknown {
  const all = shownOf(shown);
  return all.has("") ? all.get("") : all.get(form);
}

/** The forms that requests of an operation have; just "" if there is one. */
export function requestForms({ parameters, requestBody }: OperationObject): readonly string[] {
  const bodies = Object.values(requestBody?.content ?? {});
  const all = [...parameters, ...bodies].flatMap((shown) => [...shownOf(shown).keys()]);
  const forms = new Set(all.filter((form) => form !== ""));
  return forms.size > 0 ? [...forms] : [""];
}

/** Whether a value is of the schema, as far as our schemas go. */
export function conforms(value: unknown, schema: Schema): boolean {
  switch (schema.type) {
    case "object":
      return (
        typeof value === "object" &&
        value !== null &&
        !Array.isArray(value) &&
        (schema.required ?? []).every((name) => name in value) &&
        Object.entries(schema.properties ?? {}).every(
          ([name, member]) =>
            !(name in value) || conforms((value as Record<string, unknown>)[name], member),
        )
      );
    case "array":
      return Array.isArray(value) && value.every((item) => conforms(item, schema.items ?? {}));
    case "string":
      return (
        typeof value === "string" &&
        (schema.pattern === undefined || new RegExp(schema.pattern).test(value)) &&
        (schema.enum?.includes(value) ?? true)
      );
    case "integer":
      return Number.isInteger(value);
    default:
      return true;
  }
}
