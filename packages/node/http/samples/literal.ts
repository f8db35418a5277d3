import type { Json, Schema } from "@moneta/protocol";

/** How a language writes values down. */
export interface Syntax {
  text(text: string): string;
  /** What stands for the text of an amount, a time or another integer, if that is not a text. */
  integer?(text: string, schema: Schema): string | undefined;
  /** The name of a member with what separates it from its value. */
  member(name: string): string;
  readonly list: readonly [string, string];
  readonly object: readonly [string, string];
  /** Around members that are named by numbers, if it would take these for a list. */
  readonly numbered?: readonly [string, string];
  readonly emptyObject: string;
}

/** Where a value is written: in a line with this indentation, of which so many columns are taken. */
export interface Place {
  readonly indent: string;
  readonly column: number;
  /** How much more what stands inside is indented. */
  readonly step: string;
}

const WIDTH = 88;

/** A JSON value as a language writes it. */
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

/** The place behind what has just been written there. */
export function behind(place: Place, written: string): Place {
  return { ...place, column: place.column + written.length };
}

function memberSchema({ properties, additionalProperties }: Schema, name: string): Schema {
  const known = (properties as Record<string, Schema> | undefined)?.[name];
  return known ?? (additionalProperties as Schema | undefined) ?? {};
}

/** Pieces between brackets: in one line if they fit there, or else each in a line of its own. */
export function bracketed(
  pieces: readonly ((place: Place) => string)[],
  [open, close]: readonly [string, string],
  { indent, column, step }: Place,
): string {
  const inOne = pieces.map((piece) => piece({ indent, column: 0, step }));
  const line = `${open}${inOne.join(", ")}${close}`;
  // A comma or the like comes behind it.
  if (!line.includes("\n") && column + line.length < WIDTH) {
    return line;
  }
  const inner = indent + step;
  const place = { indent: inner, column: inner.length, step };
  const lines = pieces.map((piece) => `${inner}${piece(place)},`);
  return [open.trimEnd(), ...lines, `${indent}${close.trimStart()}`].join("\n");
}
