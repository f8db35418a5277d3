import { aboutMember, type Schema } from "@moneta/protocol";

/** Each named schema is in the document once. */
export class Components {
  readonly #schemas: Map<string, Schema> = new Map();

  /** Titled schemas, also inner ones, become references; members of responses get a meaning. */
  referred(schema: Schema, isRequest = false): Schema {
    const inner = this.#inner(schema, isRequest);
    const { title } = inner as { readonly title?: string };
    if (title === undefined) {
      return inner;
    }
    const known = this.#schemas.get(title);
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(inner)) {
      throw new Error(`two schemas are called ${title}`);
    }
    this.#schemas.set(title, inner);
    return { $ref: `#/components/schemas/${title}` };
  }

  all(): { readonly [name: string]: Schema } {
    return Object.fromEntries([...this.#schemas].sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** What a member means stands beside a reference: records of one name are alike. */
  #member(name: string, member: Schema, isRequest: boolean): Schema {
    const { description: given, ...bare } = member;
    // Those of requests state their form and unit.
    const description = isRequest ? given : aboutMember(name, member);
    return {
      ...this.referred(bare, isRequest),
      ...(description === undefined ? {} : { description }),
    };
  }

  #inner(schema: Schema, isRequest: boolean): Schema {
    const { properties, items, additionalProperties, anyOf } = schema as {
      readonly properties?: Readonly<Record<string, Schema>>;
      readonly items?: Schema;
      readonly additionalProperties?: Schema;
      readonly anyOf?: readonly Schema[];
    };
    return {
      ...schema,
      ...(properties === undefined
        ? {}
        : {
            properties: Object.fromEntries(
              Object.entries(properties).map(([name, member]) => [
                name,
                this.#member(name, member, isRequest),
              ]),
            ),
          }),
      ...(items === undefined ? {} : { items: this.referred(items, isRequest) }),
      ...(additionalProperties === undefined
        ? {}
        : { additionalProperties: this.referred(additionalProperties, isRequest) }),
      ...(anyOf === undefined ? {} : { anyOf: anyOf.map((one) => this.referred(one, isRequest)) }),
    };
  }
}
