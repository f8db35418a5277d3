import {
  type Amount,
  canonicalJson,
  type Json,
  NO_RATE,
  parseRate,
  type Rate,
  rateText,
  type TokenId,
} from "@moneta/protocol";

import { LongTexts, type LongTextsOf, type ReadTexts } from "./long-texts.ts";

export type JsonObject = { readonly [name: string]: Json };

/** A value as members of a flat JSON object, described once: what is written is restored. */
export interface Fields<V> {
  /** Members that blocks commit to, each with what it holds while there is no value for it. */
  readonly shown: JsonObject;
  /** Members that are stored beside those. */
  readonly stored: JsonObject;
  /** Names of shown members that are not stored with the others. */
  readonly longTexts?: readonly string[];
  write(value: V, into: Record<string, Json>, isStored: boolean): void;
  read(from: JsonObject, readTexts: ReadTexts): V;
  /** As the function of this name below, for fields that can tell without writing all of them. */
  noteChanges?(before: V, after: V, into: Record<string, Json>): void;
  /** Name of the only member, if the value is that member unchanged. */
  readonly name?: string;
  readonly copy?: Copy;
}

/**
 * Copies an object with all its members. V8 copies ten times faster where one place in the code
 * copies objects of few forms, so each large kind of entry brings its own function.
 */
export type Copy = <T extends object>(blank: T) => T;

const copyAny: Copy = (blank) => ({ ...blank });

/** A text that is its own JSON. Here and below, the member holds `none` while it has no value. */
export function text<V extends string>(name: string, none = ""): Fields<V> {
  return unchanged(name, none);
}

export function number(name: string): Fields<number> {
  return unchanged(name, 0);
}

export function token(name: string, none = "0"): Fields<TokenId> {
  return unchanged(name, none);
}

/** Any value that is its own JSON. */
export function unchanged<V>(name: string, none: Json = null): Fields<V> {
  return {
    name,
    shown: { [name]: none },
    stored: {},
    write(value, into) {
      into[name] = value as Json;
    },
    read: (from) => from[name] as V,
  };
}

export function amount(name: string, none = "0"): Fields<Amount> {
  return converted(name, { write: String, read: amountIn, none });
}

export function rate(name: string): Fields<Rate> {
  return converted(name, { write: rateText, read: rateIn, none: "0" });
}

export function numberOrNone(name: string): Fields<number | undefined> {
  const read = (json: Json): number | undefined => (json as number | null) ?? undefined;
  return converted(name, { write: (value) => value ?? null, read, none: null });
}

/** One member, whose JSON is another value. */
export function converted<V>(
  name: string,
  of: { write(value: V): Json; read(json: Json): V; readonly none?: Json },
): Fields<V> {
  return {
    shown: { [name]: of.none ?? null },
    stored: {},
    write(value, into) {
      into[name] = of.write(value);
    },
    read: (from) => of.read(from[name] as Json),
  };
}

/** Members that are stored, but no part of what blocks commit to. */
export function stored<V>(fields: Fields<V>): Fields<V> {
  return {
    ...fields,
    shown: {},
    stored: fields.shown,
    noteChanges: () => undefined,
    write: (value, into, isStored) => isStored && fields.write(value, into, true),
  };
}

/** Members that are shown, and stored in a row of their own. */
export function longTexts<T extends object>(fields: Fields<T>): Fields<LongTexts<T>> {
  const { shown } = fields;
  return {
    shown,
    stored: {},
    longTexts: Object.keys(shown),
    write: (value, into, isStored) => isStored || fields.write(value.read(), into, false),
    read: (_from, readTexts) => new LongTexts(() => fields.read(readTexts(), readTexts)),
    noteChanges: (before, after, into) => noteChanges(fields, before.read(), after.read(), into),
  };
}

/** The long texts of entries that have these in `texts`, for their table. */
export function longTextsOf<T extends object>(
  fields: Fields<T>,
): LongTextsOf<{ readonly texts: LongTexts<T> }> {
  const { json } = form(fields);
  return { of: ({ texts }) => texts, json: ({ texts }) => json(texts.read()) };
}

/** The case of a union, which a member says if there is a name for it. */
export function caseOf<V extends string>(value: V, name?: string): Fields<V> {
  return {
    ...(name === undefined ? { shown: {}, stored: {}, write: () => undefined } : text<V>(name)),
    read: () => value,
  };
}

/** An object by its properties, each of which has members. */
export function object<V extends object>(
  properties: { readonly [P in keyof V]-?: Fields<V[P]> },
  copy: Copy = copyAny,
): Fields<V> {
  const own = Object.entries<Fields<unknown>>(properties);
  const blank = inOrder(Object.fromEntries(own.map(([property]) => [property, null])));
  // Most members are unchanged values. Without a call for each, entries are written a fifth faster.
  const plain = own.flatMap(([property, { name, shown }]) =>
    name !== undefined && name in shown ? [{ property, name }] : [],
  );
  const others = own
    .filter(([property]) => !plain.some((one) => one.property === property))
    .map(([property, fields]) => ({ property, fields }));
  const shownOthers = others.filter(({ fields }) => Object.keys(fields.shown).length > 0);
  return {
    shown: Object.assign({}, ...own.map(([, { shown }]) => shown)),
    stored: Object.assign({}, ...own.map(([, { stored }]) => stored)),
    longTexts: own.flatMap(([, { longTexts = [] }]) => longTexts),
    copy,
    write(value, into, isStored) {
      const values = value as Readonly<Record<string, Json>>;
      for (const { property, name } of plain) {
        into[name] = values[property] as Json;
      }
      for (const { property, fields } of others) {
        fields.write(values[property], into, isStored);
      }
    },
    read(from, readTexts) {
      const value = copy<Record<string, unknown>>(blank);
      for (const { property, name } of plain) {
        value[property] = from[name];
      }
      for (const { property, fields } of others) {
        value[property] = fields.read(from, readTexts);
      }
      return value as V;
    },
    noteChanges(before, after, into) {
      const earlier = before as Readonly<Record<string, Json>>;
      const later = after as Readonly<Record<string, Json>>;
      for (const { property, name } of plain) {
        noteChange(name, earlier[property] as Json, later[property] as Json, into);
      }
      for (const { property, fields } of shownOthers) {
        if (earlier[property] !== later[property]) {
          noteChanges(fields, earlier[property], later[property], into);
        }
      }
    },
  };
}

/** A value that may be missing; `isThere` reads from the members whether it is. */
export function optional<V>(
  fields: Fields<V>,
  isThere: (from: JsonObject) => boolean,
): Fields<V | undefined> {
  const { shown } = fields;
  const write = (value: V | undefined, into: Record<string, Json>, isStored: boolean): void => {
    if (value !== undefined) {
      fields.write(value, into, isStored);
    }
  };
  return {
    ...fields,
    write,
    noteChanges: (before, after, into) => noteWritten({ shown, write }, before, after, into),
    read: (from, readTexts) => (isThere(from) ? fields.read(from, readTexts) : undefined),
  };
}

/** One of several cases, which differ in `property`. `caseIn` reads the case from the members. */
export function oneOf<T extends string, V extends { readonly [P in T]: string }>(
  property: T,
  cases: { readonly [C in V[T]]: Fields<Extract<V, { readonly [P in T]: C }>> },
  caseIn: (from: JsonObject) => V[T],
): Fields<V> {
  const fieldsOf = cases as unknown as { readonly [C in V[T]]: Fields<V> };
  const all = Object.values<Fields<V>>(fieldsOf);
  const { copy = copyAny } = all[0] ?? {};
  const members = {
    shown: Object.assign({}, ...all.map(({ shown }) => shown)),
    stored: Object.assign({}, ...all.map(({ stored }) => stored)),
    write: (value: V, into: Record<string, Json>, isStored: boolean) =>
      fieldsOf[value[property]].write(value, into, isStored),
  };
  return {
    ...members,
    copy,
    noteChanges: (before, after, into) =>
      before[property] === after[property]
        ? noteChanges(fieldsOf[after[property]], before, after, into)
        : noteWritten(members, before, after, into),
    read: (from, readTexts) => fieldsOf[caseIn(from)].read(from, readTexts),
  };
}

/** Writes and restores entries. `stored` is missing where just `json` is stored. */
export interface Form<V> {
  json(value: V): JsonObject;
  /** The members of `after`'s JSON whose values `before` does not have. */
  changes(before: V, after: V): JsonObject;
  isSame(a: V, b: V): boolean;
  stored?(value: V): JsonObject;
  /** `readTexts` is called once the long texts of the entry are asked for. */
  restore(stored: Json, readTexts?: ReadTexts): V;
}

/** The form of entries with these fields. `derived` members follow from them and are not read. */
export function form<V>(
  fields: Fields<V>,
  derived: { readonly [name: string]: (value: V) => Json } = {},
): Form<V> {
  const { shown, stored, longTexts = [], write, read, copy = copyAny } = fields;
  const following = Object.entries(derived);
  const writer = (members: JsonObject, isStored: boolean) => {
    const blank = inOrder({
      ...members,
      ...Object.fromEntries(following.map(([name]) => [name, ""])),
    });
    return (value: V): JsonObject => {
      const json = copy(blank);
      write(value, json, isStored);
      for (const [name, of] of following) {
        json[name] = of(value);
      }
      return json;
    };
  };
  const changes = (before: V, after: V): JsonObject => {
    const changed: Record<string, Json> = {};
    noteChanges(fields, before, after, changed);
    for (const [name, of] of following) {
      noteChange(name, of(before), of(after), changed);
    }
    return changed;
  };
  return {
    json: writer(shown, false),
    changes,
    isSame: (a, b) => a === b || isEmpty(changes(a, b)),
    ...(Object.keys(stored).length + longTexts.length > 0 && {
      stored: writer({ ...without(longTexts, shown), ...stored }, true),
    }),
    restore: (from, readTexts = noTexts) => read(from as JsonObject, readTexts),
  };
}

function without(names: readonly string[], members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)));
}

function noTexts(): never {
  throw new Error("invariant broken: who restores an entry says where its long texts are");
}

/** The members of one form, and then those of another. */
export function joined<A extends object, B extends object>(
  one: Form<A>,
  other: Form<B>,
): Form<A & B> {
  const { stored } = other;
  return {
    json: (value) => ({ ...one.json(value), ...other.json(value) }),
    changes: (before, after) => ({
      ...one.changes(before, after),
      ...other.changes(before, after),
    }),
    isSame: (a, b) => one.isSame(a, b) && other.isSame(a, b),
    ...(stored && { stored: (value: A & B) => ({ ...one.json(value), ...stored(value) }) }),
    restore: (from, readTexts) => ({
      ...one.restore(from, readTexts),
      ...other.restore(from, readTexts),
    }),
  };
}

/**
 * Notes the shown members of `after` whose values `before` does not have. Most of an entry is the
 * very same value in both, and is neither written nor printed.
 */
function noteChanges<V>(fields: Fields<V>, before: V, after: V, into: Record<string, Json>): void {
  if (fields.noteChanges === undefined) {
    noteWritten(fields, before, after, into);
  } else {
    fields.noteChanges(before, after, into);
  }
}

function noteWritten<V>(
  { shown, write }: Pick<Fields<V>, "shown" | "write">,
  before: V,
  after: V,
  into: Record<string, Json>,
): void {
  const earlier: Record<string, Json> = { ...shown };
  const later: Record<string, Json> = { ...shown };
  write(before, earlier, false);
  write(after, later, false);
  for (const name in shown) {
    noteChange(name, earlier[name] as Json, later[name] as Json, into);
  }
}

function noteChange(name: string, before: Json, after: Json, into: Record<string, Json>): void {
  const isSame =
    before === after ||
    (typeof before === "object" &&
      typeof after === "object" &&
      canonicalJson(before) === canonicalJson(after));
  if (!isSame) {
    into[name] = after;
  }
}

function isEmpty(members: JsonObject): boolean {
  for (const _ in members) {
    return false;
  }
  return true;
}

export function amountIn(json: Json): Amount {
  return BigInt(json as string) as Amount;
}

export function rateIn(json: Json): Rate {
  return parseRate(json as string) ?? NO_RATE;
}

/** Members in the order of RFC 8785, which prints faster. `JSON.parse` makes no slow dictionary. */
function inOrder(members: JsonObject): Record<string, Json> {
  const sorted = Object.entries(members).sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.parse(JSON.stringify(Object.fromEntries(sorted))) as Record<string, Json>;
}
