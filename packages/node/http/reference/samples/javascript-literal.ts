import type { Json, Schema } from "@moneta/protocol";

/** Indentation, and columns already taken. */
export interface Place {
  readonly indent: string;
  readonly column: number;
}

export const LIST = ["[", "]"] as const;
export const OBJECT = ["{ ", " }"] as const;

const WIDTH = 88;
const STEP = "  ";

export function literal(value: Json, schema: Schema, place: Place): string {
  if (typeof value === "string") {
    return schema["type"] === "boolean" ? value : (integer(value, schema) ?? JSON.stringify(value));
  }
  if (typeof value !== "object" || value === null) {
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) {
    const items = (schema["items"] ?? {}) as Schema;
    const pieces = value.map((item) => (inside: Place) => literal(item, items, inside));
    return bracketed(pieces, LIST, place);
  }
  const members = Object.entries(value);
  if (members.length === 0) {
    return "{}";
  }
  const pieces = members.map(
    ([name, member]) =>
      (inside: Place) =>
        memberText(name, (place) => literal(member, memberSchema(schema, name), place), inside),
  );
  return bracketed(pieces, OBJECT, place);
}

export function memberText(name: string, write: (place: Place) => string, place: Place): string {
  const start = `${/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)}: `;
  return start + write({ ...place, column: place.column + start.length });
}

/** Amounts as bigint, ids as text. */
function integer(text: string, { format }: Schema): string | undefined {
  if (format === "token-id" || !/^\d+$/.test(text)) {
    return undefined;
  }
  if (format === "amount") {
    return `${text}n`;
  }
  return format === "unix-time" || format === "integer" ? text : undefined;
}

function memberSchema({ properties, additionalProperties }: Schema, name: string): Schema {
  const known = (properties as Record<string, Schema> | undefined)?.[name];
  return known ?? (additionalProperties as Schema | undefined) ?? {};
}

/** On one line if they fit, else one per line. */
export function bracketed(
  pieces: readonly ((place: Place) => string)[],
  [open, close]: readonly [string, string],
  { indent, column }: Place,
): string {
  const inOne = pieces.map((piece) => piece({ indent, column: 0 }));
  const line = `${open}${inOne.join(", ")}${close}`;
  // A comma or the like follows.
  if (!line.includes("\n") && column + line.length < WIDTH) {
    return line;
  }
  const inner = indent + STEP;
  const place = { indent: inner, column: inner.length };
  const lines = pieces.map((piece) => `${inner}${piece(place)},`);
  return [open.trimEnd(), ...lines, `${indent}${close.trimStart()}`].join("\n");
}
