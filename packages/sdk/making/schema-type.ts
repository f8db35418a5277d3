import type { Schema } from "@moneta/protocol";

export type Direction = "sent" | "answered";

export class TypeNames {
  readonly #texts: Map<string, string> = new Map();

  name(title: string, text: () => string): string {
    if (!this.#texts.has(title)) {
      this.#texts.set(title, ""); // so that a type can refer to itself
      this.#texts.set(title, text());
    }
    return title;
  }

  text(): string {
    return [...this.#texts]
      .map(([title, text]) =>
        text.startsWith("{")
          ? `export interface ${title} ${text}\n`
          : `export type ${title} = ${text};\n`,
      )
      .join("\n");
  }
}

export function typeOf(schema: Schema, names: TypeNames, direction: Direction): string {
  const { title } = schema as { readonly title?: string };
  return title === undefined
    ? plainType(schema, names, direction)
    : names.name(title, () => plainType(schema, names, direction));
}

interface Keywords {
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema;
  readonly description?: string;
}

function plainType(schema: Schema, names: TypeNames, direction: Direction): string {
  const { type, enum: words, anyOf, items, properties, additionalProperties } = schema as Keywords;
  if (anyOf !== undefined) {
    // For known words and any other, the type has the known ones.
    const types = anyOf.map((each) => (each as Keywords).type);
    const several = types.includes("object")
      ? anyOf.filter((_, place) => types[place] === "object")
      : anyOf.filter((_, place) => types.indexOf(types[place]) === place);
    return several.map((each) => typeOf(each, names, direction)).join(" | ");
  }
  if (words !== undefined) {
    return words.map((word) => JSON.stringify(word)).join(" | ");
  }
  switch (type) {
    case "string":
      return direction === "sent" ? sentText(schema) : answeredText(schema);
    case "integer":
      return "number";
    case "boolean":
      return "boolean";
    case "array":
      return `readonly (${items === undefined ? "unknown" : typeOf(items, names, direction)})[]`;
    case "object":
      if (direction === "answered" && isPage(properties)) {
        return `Page<${typeOf(properties.items["items"] as Schema, names, direction)}>`;
      }
      if (properties !== undefined) {
        return membersText(schema, names, direction);
      }
      return additionalProperties === undefined
        ? "{ readonly [name: string]: unknown }"
        : `{ readonly [name: string]: ${typeOf(additionalProperties, names, direction)} }`;
    default:
      throw new Error(`no type for ${JSON.stringify(schema)}`);
  }
}

/** Source: chain §10. */
function isPage(
  properties: Keywords["properties"],
): properties is { readonly items: Schema; readonly cursor: Schema } {
  const names = Object.keys(properties ?? {}).filter((name) => name !== "archive");
  return names.length === 2 && names.includes("items") && names.includes("cursor");
}

function membersText(schema: Schema, names: TypeNames, direction: Direction): string {
  const { properties = {}, required = [] } = schema as Keywords;
  const members = Object.entries(properties).map(([name, member]) => {
    const { description } = member as Keywords;
    const about = description === undefined ? "" : `/** ${description} */\n`;
    const isSure = required.includes(name);
    const type = typeOf(member, names, direction);
    return `${about}readonly ${name}${isSure ? "" : "?"}: ${type}${isSure ? "" : " | undefined"};`;
  });
  return `{\n${members.join("\n").replaceAll(/^/gm, "  ")}\n}`;
}

/** Money is a bigint and never a number. */
function sentText(schema: Schema): string {
  const { format } = schema as Keywords;
  switch (format) {
    case "amount":
      return "bigint";
    case "token-id":
      return "TokenId";
    case "unix-time":
      return "number";
    case "integer":
      return "number | bigint";
    case "comma-separated":
      return "string | readonly string[]";
    default:
      return "string";
  }
}

function answeredText(schema: Schema): string {
  return isAmount(schema) ? (mayBeEmpty(schema) ? "bigint | undefined" : "bigint") : "string";
}

/** An integer string. */
export function isAmount(schema: Schema): boolean {
  const { format, type } = schema as Keywords;
  return type === "string" && format === "amount";
}

function mayBeEmpty(schema: Schema): boolean {
  return (schema as Keywords).pattern?.startsWith("^(|") === true;
}

export function pascalCase(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
