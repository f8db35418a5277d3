import type { Json, Schema } from "@moneta/protocol";

/** The literal syntax of a language. */
export interface Syntax {
  text(text: string): string;
  /** How it writes the text of an integer, if not as a string. */
  integer?(text: string, schema: Schema): string | undefined;
  /** A member's name with its separator. */
  member(name: string): string;
  readonly list: readonly [string, string];
  readonly object: readonly [string, string];
  /** The brackets of an object with numeric names, where the usual ones would make a list. */
  readonly numbered?: readonly [string, string];
  readonly emptyObject: string;
}

/** Where a value is written: its line's indentation, and the columns already taken. */
export interface Place {
  readonly indent: string;
  readonly column: number;
  /** The indentation of each level. */
  readonly step: string;
}

const WIDTH = 88;

/** A JSON value as a literal. */
export function literal(syntax: Syntax, value: Json, schema: Schema, place: Place): string {
  if (typeof value === "string") {
    return syntax.integer?.(value, schema) ?? syntax.text(value);
  }
  if (typeof value !== "object" || value === null) {
    return JSON.stringify(value);
  }
  if (Array.isArray(value)) {
    const items = (schema["items"] ?? {}) as Schema;
    const pieces = value.map((item) => (inside: Place) => literal(syntax, item, items, inside));
    return bracketed(pieces, syntax.list, place);
  }
  const members = Object.entries(value);
  if (members.length === 0) {
    return syntax.emptyObject;
  }
  const pieces = members.map(([name, member]) => {
    const start = syntax.member(name);
    return (inside: Place): string =>
      start + literal(syntax, member, memberSchema(schema, name), behind(inside, start));
  });
  const isNumbered = members.every(([name]) => /^\d+$/.test(name));
  const brackets = isNumbered ? (syntax.numbered ?? syntax.object) : syntax.object;
  return bracketed(pieces, brackets, place);
}

/** The place after some text. */
export function behind(place: Place, written: string): Place {
  return { ...place, column: place.column + written.length };
}

function memberSchema({ properties, additionalProperties }: Schema, name: string): Schema {
  const known = (properties as Record<string, Schema> | undefined)?.[name];
  return known ?? (additionalProperties as Schema | undefined) ?? {};
}

/** Pieces between brackets, on one line if they fit, else one per line. */
export function bracketed(
  pieces: readonly ((place: Place) => string)[],
  [open, close]: readonly [string, string],
  { indent, column, step }: Place,
): string {
  const inOne = pieces.map((piece) => piece({ indent, column: 0, step }));
  const line = `${open}${inOne.join(", ")}${close}`;
  // A comma or the like follows.
  if (!line.includes("\n") && column + line.length < WIDTH) {
    return line;
  }
  const inner = indent + step;
  const place = { indent: inner, column: inner.length, step };
  const lines = pieces.map((piece) => `${inner}${piece(place)},`);
  return [open.trimEnd(), ...lines, `${indent}${close.trimStart()}`].join("\n");
}
