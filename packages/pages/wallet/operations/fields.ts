import { parseAddress, readDecimal, readTime, type TimeFault } from "@moneta/sdk";
import { localNumber, readNumber } from "../../parts/number-text.ts";

/** Why the text in a field is not what the operation needs; the texts have a sentence for each. */
export type FieldFault =
  | {
      readonly what: "missing" | "address" | "url" | "picture" | "bar" | "noToken" | "country";
    }
  | { readonly what: "time"; readonly why: TimeFault }
  | {
      readonly what: "twofold";
      readonly text: string;
      readonly one: string;
      readonly other: string;
    }
  | { readonly what: "amount" | "whole" | "choice" | "twice" | "column"; readonly text: string }
  | { readonly what: "decimals"; readonly text: string; readonly max: number }
  | { readonly what: "small" | "large"; readonly bound: bigint; readonly decimals: number }
  | { readonly what: "rate"; readonly max: string; readonly decimals: number }
  | { readonly what: "long" | "lines"; readonly max: number }
  | { readonly what: "line"; readonly line: number; readonly fault: FieldFault }
  | { readonly what: "pair"; readonly line: number }
  | {
      readonly what: "step" | "needs" | "bestPrice";
      readonly bound: bigint;
      readonly decimals: number;
    }
  | { readonly what: "emptySide" | "bringsNothing" | "itsBase" | "itsTarget" }
  | { readonly what: "price" | "nothing" | "below" | "sameToken" | "notAbove" | "endBeforeStart" }
  | { readonly what: "bound" | "sellersSell" | "yourself" | "rates" | "saleAndAuction" }
  | { readonly what: "cells" }
  | { readonly what: "otherToken"; readonly token: string }
  | {
      readonly what: "bid";
      readonly lowest: bigint;
      readonly unit: bigint;
      readonly decimals: number;
    };

/** What else is known while a field is read. */
export interface Reading {
  /** The texts of all fields of the form, by name. */
  readonly texts: Readonly<Record<string, string>>;
  /** The decimals of a token; undefined if they are not known, or if there is no such token. */
  readonly decimals: (token: string) => number | undefined;
  /** The reader's locale, in which numbers are written. */
  readonly locale: string;
}

/** What a text means, or why it means nothing. */
export type ReadText<T> = { readonly value: T } | { readonly fault: FieldFault };

/** How a field is drawn. */
export type FieldKind =
  | "text"
  | "lines"
  | "amount"
  | "units"
  | "rate"
  | "token"
  | "address"
  | "url"
  | "picture"
  | "file"
  | "time"
  | "choice";

/** One parameter of an operation in a form: how it is drawn, and what its text means. */
export interface Field<T> {
  readonly kind: FieldKind;
  readonly isNeeded: boolean;
  /** What stands in it at first. */
  readonly initial: string;
  /** Shown only after "more". */
  readonly isMore: boolean;
  readonly read: (text: string, reading: Reading) => ReadText<T>;
  /** Of an amount: the id of its token; empty while none is chosen. */
  readonly token?: ((texts: Reading["texts"]) => string) | undefined;
  /** Ids of tokens that a text names, whose decimals have to be known before it is read. */
  readonly tokens?: ((text: string) => readonly string[]) | undefined;
  /** Of a choice. */
  readonly options?: readonly string[] | undefined;
  /** Whether a text may have times, whose zone stands beside the field. */
  readonly hasTimes?: boolean | undefined;
  /** Of an amount or a number of units: what can be filled in with one tap. */
  readonly fills?: readonly Fill[] | undefined;
}

/** An amount or a number of units that is often meant. */
export interface Fill {
  readonly what: "all" | "lowest" | "buyNow";
  readonly amount: bigint;
}

export type Fields = Readonly<Record<string, Field<unknown>>>;

/** What the fields of a form mean. */
export type Values<F extends Fields> = {
  readonly [N in keyof F]: F[N] extends Field<infer T> ? T : never;
};

const AMOUNT_MAX = 10n ** 40n;
const UNITS_MAX = 99_999_999n;
const URL_MAX = 255;
const LINKS_MAX = 100;

const fault = (what: FieldFault): { readonly fault: FieldFault } => ({ fault: what });

function needed<T>(
  kind: FieldKind,
  read: Field<T>["read"],
  more: Partial<Field<T>> = {},
): Field<T> {
  return {
    kind,
    isNeeded: true,
    initial: "",
    isMore: false,
    ...more,
    read: (text, reading) =>
      text.trim() === "" ? fault({ what: "missing" }) : read(text.trim(), reading),
  };
}

/** The same field, which may stay empty: then its value is undefined. */
export function optional<T>(field: Field<T>): Field<T | undefined> {
  return {
    ...field,
    isNeeded: false,
    read: (text, reading) =>
      text.trim() === "" ? { value: undefined } : field.read(text, reading),
  };
}

/** The same field, shown only after "more". */
export function more<T>(field: Field<T>): Field<T> {
  return { ...field, isMore: true };
}

/** The same field with a text that stands in it at first. */
export function startingWith<T>(field: Field<T>, initial: string): Field<T> {
  return { ...field, initial };
}

/** A text of bounded length; `|` would make a signed string ambiguous. Source: conventions §1.5 */
export function text(max: number, { bar = false }: { readonly bar?: boolean } = {}): Field<string> {
  return needed(max > URL_MAX ? "lines" : "text", (given) =>
    [...given].length > max
      ? fault({ what: "long", max })
      : !bar && given.includes("|")
        ? fault({ what: "bar" })
        : { value: given },
  );
}

/** An address. Source: conventions §1.10 */
export function address(): Field<string> {
  return needed("address", (given) =>
    parseAddress(given) === undefined ? fault({ what: "address" }) : { value: given },
  );
}

/** An absolute http or https URL. Source: conventions §1.9 */
export function url(): Field<string> {
  return needed("url", (given) => readUrl(given, /^https?:$/, "url"));
}

/** The URL of an image, also ipfs or data. Source: conventions §1.9 */
export function picture(): Field<string> {
  return needed("picture", (given) => readUrl(given, /^(?:https?|ipfs|data):$/, "picture"));
}

/** An image that is kept in the ledger as a data URL, or its URL. Source: tokens §3 */
export function pictureFile(): Field<string> {
  return needed("file", (given) =>
    /^data:image\/[^|#]{1,131000}$/i.test(given)
      ? { value: given }
      : readUrl(given, /^(?:https?|ipfs):$/, "picture"),
  );
}

function readUrl(given: string, schemes: RegExp, what: "url" | "picture"): ReadText<string> {
  const parsed = URL.parse(given);
  // A bare # would end the picture. Source: conventions §1.9
  const isCut = parsed?.protocol === "data:" && given.includes("#");
  return parsed === null || !schemes.test(parsed.protocol) || isCut
    ? fault({ what })
    : given.includes("|")
      ? fault({ what: "bar" })
      : given.length > URL_MAX
        ? fault({ what: "long", max: URL_MAX })
        : { value: given };
}

/** The id of a token that exists. */
export function token(initial = "0"): Field<string> {
  return needed(
    "token",
    (given, { decimals }) =>
      decimals(given) === undefined ? fault({ what: "noToken" }) : { value: given },
    { initial, tokens: (given) => (given.trim() === "" ? [] : [given.trim()]) },
  );
}

interface Bounds {
  readonly min?: bigint;
  readonly max?: bigint;
  readonly fills?: readonly Fill[];
}

/** An amount in decimals of a token: a fixed one, or the one that another field names. */
export function amount(
  of: { readonly token: string } | { readonly field: string } | { readonly decimals: string },
  { min = 1n, max = AMOUNT_MAX, fills }: Bounds = {},
): Field<bigint> {
  const tokenOf = (texts: Reading["texts"]): string =>
    "token" in of ? of.token : "field" in of ? (texts[of.field]?.trim() ?? "") : "";
  return needed(
    "amount",
    (given, { texts, decimals: known, locale }) => {
      const decimals = "decimals" in of ? Number(texts[of.decimals] || "0") : known(tokenOf(texts));
      return decimals === undefined
        ? fault({ what: "noToken" })
        : readAmount(given, { decimals, locale, min, max });
    },
    { token: "decimals" in of ? undefined : tokenOf, fills },
  );
}

/** Reads an amount as the pages show it, in the smallest unit of a token with so many decimals. */
export function readAmount(
  given: string,
  {
    decimals,
    locale,
    min = 1n,
    max = AMOUNT_MAX,
  }: {
    readonly decimals: number;
    readonly locale: string;
    readonly min?: bigint;
    readonly max?: bigint;
  },
): ReadText<bigint> {
  const plain = readNumber(given, locale);
  if (typeof plain !== "string") {
    return fault({
      ...plain,
      what: plain.what === "form" ? "amount" : "twofold",
      text: given,
    } as FieldFault);
  }
  const value = readDecimal(plain, decimals);
  return typeof value !== "bigint"
    ? fault(
        value.what === "finer"
          ? { what: "decimals", text: given, max: decimals }
          : { what: "large", bound: max, decimals },
      )
    : value < min
      ? fault({ what: "small", bound: min, decimals })
      : value > max
        ? fault({ what: "large", bound: max, decimals })
        : { value };
}

/** A number of units of an item. Source: mrc402 §1.4 */
export function units({ min = 1n, max = UNITS_MAX, fills }: Bounds = {}): Field<bigint> {
  return needed(
    "units",
    (given, { locale }) =>
      readWhole(given, { locale, min, max: max < UNITS_MAX ? max : UNITS_MAX }),
    { fills },
  );
}

/** A small whole number, such as decimals of a token. */
export function whole(max: number): Field<number> {
  return needed("units", (given, { locale }) => {
    const read = readWhole(given, { locale, min: 0n, max: BigInt(max) });
    return "fault" in read ? read : { value: Number(read.value) };
  });
}

/** Reads a whole number as the pages show it. */
export function readWhole(
  given: string,
  bounds: { readonly locale: string; readonly min?: bigint; readonly max?: bigint },
): ReadText<bigint> {
  const read = readAmount(given, { ...bounds, decimals: 0 });
  return "fault" in read && (read.fault.what === "amount" || read.fault.what === "decimals")
    ? fault({ what: "whole", text: given })
    : read;
}

/** A percentage. Source: conventions §1.7 */
export function rate(max: string, decimals: number): Field<string> {
  const form = new RegExp(`^[0-9]{1,3}(?:\\.[0-9]{1,${decimals}})?$`);
  return needed("rate", (given, { locale }) => {
    const plain = readNumber(given, locale);
    return typeof plain !== "string"
      ? plain.what === "form"
        ? fault({ what: "rate", max, decimals })
        : fault({ ...plain, text: given })
      : form.test(plain) && Number(plain) <= Number(max)
        ? { value: plain }
        : fault({ what: "rate", max, decimals });
  });
}

/** A time, from the browser's own input or as ISO 8601; Unix seconds. */
export function time(): Field<number> {
  return needed("time", (given) => {
    const read = readTime(given);
    return typeof read === "number" ? { value: read } : fault({ what: "time", why: read });
  });
}

/** A value and the time behind it. */
export interface Dated<T> {
  readonly value: T;
  readonly time: number | undefined;
}

/** A value, and behind a blank or a comma a time, which may be left out: `2.5 2027-01-31T12:00`. */
export function dated<T>(field: Field<T>): Field<Dated<T>> {
  const when = optional(time());
  return needed(
    field.kind,
    (given, reading) => {
      // A comma may also stand before decimals.
      const [, text = given, rest = ""] = /^(.*?)[\s,;]+([0-9]{4}-.*|@.*)$/.exec(given) ?? [];
      const value = field.read(text, reading);
      if ("fault" in value) {
        return value;
      }
      const at = when.read(rest, reading);
      return "fault" in at ? at : { value: { value: value.value, time: at.value } };
    },
    { hasTimes: true },
  );
}

/** The code of a country, ISO 3166-1 alpha-2. Source: mrc402 §4 */
export function country(): Field<string> {
  return needed("text", (given) =>
    /^[A-Z]{2}$/.test(given) ? { value: given } : fault({ what: "country" }),
  );
}

/** One of a few words. */
export function choice<const O extends string>(...options: readonly O[]): Field<O> {
  return needed(
    "choice",
    (given) =>
      (options as readonly string[]).includes(given)
        ? { value: given as O }
        : fault({ what: "choice", text: options.join(", ") }),
    { options, initial: options[0] ?? "" },
  );
}

/** What it is for, and its value. */
const PAIR = /^\s*([^\s,;]+)[\s,;]+(\S.*?)\s*$/;

interface PairFields<K, V> {
  readonly key: Field<K>;
  readonly value: Field<V> | ((key: K) => Field<V>);
  readonly max: number;
}

/**
 * Pairs, one in each line: what it is for, a blank or a comma, its value. Each name may occur once
 * unless `isRepeatable`. Empty lines count for nothing.
 */
export function pairs<K extends string, V>(
  { key, value, max }: PairFields<K, V>,
  { isRepeatable = false }: { readonly isRepeatable?: boolean } = {},
): Field<readonly (readonly [K, V])[]> {
  const tokens = (given: string): readonly string[] =>
    given.split("\n").flatMap((one) => key.tokens?.(PAIR.exec(one)?.[1] ?? "") ?? []);
  const read: Field<readonly (readonly [K, V])[]>["read"] = (given, reading) => {
    const found: (readonly [K, V])[] = [];
    for (const [index, one] of given.split("\n").entries()) {
      if (one.trim() === "") {
        continue;
      }
      const line = index + 1;
      const [, name, rest] = PAIR.exec(one) ?? [];
      if (name === undefined || rest === undefined) {
        return fault({ what: "pair", line });
      }
      const first = key.read(name, reading);
      if ("fault" in first) {
        return fault({ what: "line", line, fault: first.fault });
      }
      const valueField = typeof value === "function" ? value(first.value) : value;
      const second = valueField.read(rest, reading);
      if ("fault" in second) {
        return fault({ what: "line", line, fault: second.fault });
      }
      if (!isRepeatable && found.some(([before]) => before === first.value)) {
        return fault({ what: "line", line, fault: { what: "twice", text: first.value } });
      }
      found.push([first.value, second.value]);
    }
    return found.length > max ? fault({ what: "lines", max }) : { value: found };
  };
  return needed("lines", read, { tokens, hasTimes: "hasTimes" in value });
}

/** URLs by names of one's own. Source: mrc401 §3, mrc402 §4 */
export function links(): Field<readonly (readonly [string, string])[]> {
  return pairs({ key: text(64, { bar: true }), value: url(), max: LINKS_MAX });
}

/** The text of a field of pairs. */
export function pairLines(members: Readonly<Record<string, string>>): string {
  return Object.entries(members)
    .map((pair) => pair.join(" "))
    .join("\n");
}

/** The texts with which a form begins, its numbers as the reader's locale writes them. */
export function initialTexts(fields: Fields, locale: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { kind, initial }]) => [
      name,
      ["amount", "units", "rate"].includes(kind) && initial !== ""
        ? localNumber(initial, locale)
        : initial,
    ]),
  );
}

/** Reads all fields of a form: their values, or the fault of each that is wrong. */
export function readFields<F extends Fields>(
  fields: F,
  reading: Reading,
): { readonly values: Values<F> } | { readonly faults: Readonly<Record<string, FieldFault>> } {
  const values: Record<string, unknown> = {};
  const faults: Record<string, FieldFault> = {};
  for (const [name, field] of Object.entries(fields)) {
    const read = field.read(reading.texts[name] ?? "", reading);
    if ("fault" in read) {
      faults[name] = read.fault;
    } else {
      values[name] = read.value;
    }
  }
  return Object.keys(faults).length > 0 ? { faults } : { values: values as Values<F> };
}
