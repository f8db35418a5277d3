import {
  type Amount,
  canonicalJson,
  type Json,
  type JsonRecord,
  NO_RATE,
  parseRate,
  type Rate,
  rateText,
  type Schema,
  type SchemaOf,
} from "@moneta/protocol";
import { LongTexts, type LongTextsOf, type ReadTexts } from "./long-texts.ts";

export type JsonObject = JsonRecord;

/**
 * V8 copies ten times faster where one place in the code copies few forms, so each large kind
 * brings its own.
 */
export type Copy = <T extends object>(blank: T) => T;

const copyAny: Copy = (blank) => ({ ...blank });

export type Beside<V, D, S = never> = {
  readonly [N in Exclude<keyof V, keyof D | S | "texts">]: V[N];
};

/**
 * A document described by its schema. No `GET` shows stored members. Beside it are derived values,
 * not in blocks, and the long texts, read on demand.
 */
export interface DocumentForm<V> {
  /** Includes stored members and long texts. */
  entry(value: V): JsonObject;
  /** The same without the stored members. */
  json(value: V): JsonObject;
  /** With the members that `json` leaves out. */
  jsonWithDefaults?(value: V): JsonObject;
  /** Without stored members. */
  changes(before: V, after: V): JsonObject;
  isSame(a: V, b: V): boolean;
  beside?(value: V): JsonObject;
  /** `document` and `beside` become part of it. */
  restore(document: Json, beside: Json, readTexts?: ReadTexts): V;
}

interface Codec {
  write(value: unknown): Json;
  read(json: Json): unknown;
}

const AMOUNT: Codec = {
  write: String,
  read: (json) => (json === "" ? "" : (BigInt(json as string) as Amount)),
};

const RATE: Codec = {
  write: (value) => rateText(value as Rate),
  read: (json) => parseRate(json as string) ?? NO_RATE,
};

const PLAIN: Codec = { write: asIs, read: (json) => json };

function codecOf(schema: Schema): Codec | undefined {
  const { format, additionalProperties, items, properties } = schema as Schema & {
    readonly additionalProperties?: Schema;
    readonly items?: Schema;
    readonly properties?: { readonly [name: string]: Schema };
  };
  if (format === "amount") {
    return AMOUNT;
  }
  if (format === "rate") {
    return RATE;
  }
  const each =
    (items ?? additionalProperties) && codecOf((items ?? additionalProperties) as Schema);
  if (each !== undefined) {
    return items === undefined
      ? {
          write: (value) => mapped(value as JsonObject, (_, member) => each.write(member)) as Json,
          read: (json) => mapped(json as JsonObject, (_, member) => each.read(member as Json)),
        }
      : {
          write: (value) => (value as unknown[]).map(each.write),
          read: (json) => (json as Json[]).map(each.read),
        };
  }
  const converted = Object.entries(properties ?? {}).flatMap(([name, member]) => {
    const codec = codecOf(member);
    return codec === undefined ? [] : [[name, codec] as const];
  });
  const codecs = new Map(converted);
  return codecs.size === 0
    ? undefined
    : {
        write: (value) =>
          mapped(value as object, (name, member) =>
            (codecs.get(name)?.write ?? asIs)(member),
          ) as Json,
        read: (json) =>
          mapped(json as object, (name, member) =>
            (codecs.get(name)?.read ?? asIs)(member as Json),
          ),
      };
}

function asIs<T>(value: T): Json {
  return value as Json;
}

function mapped(of: object, map: (name: string, member: unknown) => unknown): object {
  return Object.fromEntries(Object.entries(of).map(([name, member]) => [name, map(name, member)]));
}

export function documentForm<V extends object, D, S extends keyof V & string = never>(
  { schema }: { readonly schema: SchemaOf<D> },
  {
    derived = [],
    longTexts = [],
    stored = [],
    beside,
    defaults = {},
    copy = copyAny,
    added = [],
  }: {
    readonly derived?: readonly string[];
    readonly longTexts?: readonly (keyof D)[];
    /** Members that are part of the entry and that no `GET` shows. */
    readonly stored?: readonly S[];
    /** Left out with this value: `{}` is any empty object. */
    readonly defaults?: Partial<D> & { readonly [N in S]?: V[N] };
    readonly copy?: Copy;
    /** Places in `shown`: texts in order are printed faster. */
    readonly added?: readonly string[];
    readonly beside: Beside<V, D, S>;
  },
): DocumentForm<V> & {
  jsonWithDefaults(value: V): JsonObject;
  shown(value: V, more: { readonly withDefaults: boolean }): { [name: string]: Json };
  withoutTexts(value: V): JsonObject;
  readonly longTexts: LongTextsOf<{ readonly texts: LongTexts<object> }>;
} {
  const properties = schema["properties"] as { readonly [name: string]: Schema };
  const isStored = (name: string): boolean => stored.includes(name as S);
  const members = [
    ...Object.keys(properties).filter((name) => !derived.includes(name)),
    ...stored,
  ].sort();
  const codecs = members.map((name) => ({
    name,
    codec: isStored(name) ? undefined : codecOf(properties[name] as Schema),
  }));
  const isLong = ({ name }: { readonly name: string }): boolean =>
    longTexts.includes(name as keyof D);
  const own = codecs.filter((one) => !isLong(one));
  const long = codecs.filter(isLong);
  const shown = own.filter(({ name }) => !isStored(name));
  // Without a call for each, documents are written a fifth faster.
  const waysOf = (all: typeof own) => {
    const always = all.filter(({ name }) => !Object.hasOwn(defaults, name));
    return {
      plain: always.flatMap(({ name, codec }) => (codec === undefined ? [name] : [])),
      converted: always.flatMap(({ name, codec }) =>
        codec === undefined ? [] : [{ name, codec }],
      ),
      leftOut: all
        .filter(({ name }) => Object.hasOwn(defaults, name))
        .map(({ name, codec }) => ({
          name,
          codec,
          unused: (defaults as Readonly<Record<string, unknown>>)[name],
        })),
    };
  };
  const { converted, leftOut } = waysOf(own);
  const besideNames = Object.keys(beside);

  const writer = (
    all: typeof own,
    { withTexts, withDefaults = false }: { withTexts: boolean; withDefaults?: boolean },
    more: readonly string[] = [],
  ) => {
    const ways = waysOf(all);
    const isWritten = ({ name }: { readonly name: string }): boolean =>
      !ways.leftOut.some((one) => one.name === name) || withDefaults;
    const blank = blankOf(
      [
        ...[...all.filter(isWritten), ...(withTexts ? long : [])].map(({ name }) => name),
        ...more,
      ].sort(),
    );
    return (value: V): { [name: string]: Json } => {
      const from = value as Readonly<Record<string, unknown>>;
      const json = copy(blank);
      for (const name of ways.plain) {
        json[name] = from[name] as Json;
      }
      for (const { name, codec } of ways.converted) {
        json[name] = codec.write(from[name]);
      }
      for (const { name, codec, unused } of ways.leftOut) {
        const member = from[name];
        if (withDefaults || !isUnused(member, unused)) {
          json[name] = codec === undefined ? (member as Json) : codec.write(member);
        }
      }
      if (withTexts) {
        Object.assign(json, textsJson((from["texts"] as LongTexts<object>).read()));
      }
      return json;
    };
  };
  const textsJson = (texts: object): JsonObject =>
    Object.fromEntries(
      long.map(({ name, codec }) => [
        name,
        (codec?.write ?? asIs)((texts as Record<string, unknown>)[name]),
      ]),
    );
  const readLong = (stored: JsonObject): object =>
    Object.fromEntries(
      long.map(({ name, codec }) => [name, (codec?.read ?? asIs)(stored[name] as Json)]),
    );
  const textsOf = (value: V): object =>
    (value as { readonly texts: LongTexts<object> }).texts.read();
  const hasOtherLong = (before: V, after: V): boolean =>
    long.length > 0 &&
    (before as { readonly texts?: object }).texts !== (after as { readonly texts?: object }).texts;
  const changes = (before: V, after: V): JsonObject => {
    const changed: Record<string, Json> = {};
    noteChanges(shown, before, after, changed);
    if (hasOtherLong(before, after)) {
      noteChanges(long, textsOf(before), textsOf(after), changed);
    }
    return changed;
  };
  const withTexts = long.length > 0;
  const json = writer(shown, { withTexts });
  const [without, withAll] = [false, true].map((withDefaults) =>
    writer(shown, { withTexts, withDefaults }, added),
  ) as [typeof json, typeof json];
  return {
    entry: stored.length === 0 ? json : writer(own, { withTexts }),
    json,
    jsonWithDefaults: writer(shown, { withTexts, withDefaults: true }),
    shown: (value, { withDefaults }) => (withDefaults ? withAll : without)(value),
    changes,
    isSame: (a, b) =>
      a === b ||
      (areSame(own, a, b) && (!hasOtherLong(a, b) || areSame(long, textsOf(a), textsOf(b)))),
    withoutTexts: writer(own, { withTexts: false }),
    ...(besideNames.length > 0 && { beside: besideOf(besideNames) }),
    restore(document, stored, readTexts = noTexts) {
      const value = document as Record<string, unknown>;
      for (const { name, codec } of converted) {
        value[name] = codec.read(value[name] as Json);
      }
      for (const { name, codec, unused } of leftOut) {
        const member = value[name] as Json | undefined;
        value[name] =
          member === undefined ? unused : codec === undefined ? member : codec.read(member);
      }
      for (const name of besideNames) {
        value[name] = (stored as JsonObject)[name];
      }
      if (long.length > 0) {
        value["texts"] = new LongTexts(() => readLong(readTexts()));
      }
      return value as V;
    },
    longTexts: { of: ({ texts }) => texts, json: ({ texts }) => textsJson(texts.read()) },
  };
}

export function membersOf(
  document: JsonObject,
  { schema }: { readonly schema: Schema },
): JsonObject {
  const names = Object.keys(schema["properties"] as object);
  return Object.fromEntries(Object.entries(document).filter(([name]) => names.includes(name)));
}

function besideOf<V>(names: readonly string[]): (value: V) => JsonObject {
  return (value) => {
    const from = value as Readonly<Record<string, Json>>;
    const json: Record<string, Json> = {};
    for (const name of names) {
      json[name] = from[name] as Json;
    }
    return json;
  };
}

function noTexts(): never {
  throw new Error("invariant broken: restoring an entry needs its long texts");
}

type Members = readonly { readonly name: string; readonly codec: Codec | undefined }[];

/** Notes the members of `after` whose values `before` does not have. */
function noteChanges(
  members: Members,
  before: object,
  after: object,
  into: Record<string, Json>,
): void {
  const [earlier, later] = [before as JsonObject, after as JsonObject];
  for (const { name, codec = PLAIN } of members) {
    if (!isSameMember(codec, earlier[name], later[name])) {
      into[name] = codec.write(later[name]);
    }
  }
}

function areSame(members: Members, before: object, after: object): boolean {
  const [earlier, later] = [before as JsonObject, after as JsonObject];
  return members.every(({ name, codec = PLAIN }) =>
    isSameMember(codec, earlier[name], later[name]),
  );
}

function isSameMember({ write }: Codec, one: unknown, other: unknown): boolean {
  return (
    one === other ||
    (typeof other === "object" && canonicalJson(write(one)) === canonicalJson(write(other)))
  );
}

function isUnused(member: unknown, unused: unknown): boolean {
  return (
    member === unused ||
    (typeof unused === "object" && typeof member === "object" && isEmpty(member as JsonObject))
  );
}

function isEmpty(members: JsonObject): boolean {
  for (const _ in members) {
    return false;
  }
  return true;
}

/** In the order of RFC 8785, which prints faster. `JSON.parse` makes no slow dictionary. */
function blankOf(sortedNames: readonly string[]): Record<string, Json> {
  const names = Object.fromEntries(sortedNames.map((name) => [name, ""]));
  return JSON.parse(JSON.stringify(names)) as Record<string, Json>;
}
