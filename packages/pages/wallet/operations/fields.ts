import {
  hasForbiddenControl,
  parseAddress,
  readDecimal,
  readTime,
  type TimeFault,
} from "@moneta/sdk";
import { localNumber, readNumber } from "../../parts/number-text.ts";
import type { ParameterForm } from "./parameter-form.ts";
import { PARAMETERS } from "./parameters.ts";

export interface Field extends ParameterForm {
  /** The operation's own, such as `mrc401sell.price`. */
  readonly label?: string;
  readonly initial?: string;
  /** Only after "more". */
  readonly isMore?: boolean;
  /** For a token that does not exist yet: the field with its decimals. */
  readonly decimalsIn?: string;
  readonly value?: Field;
  /** In pairs; a blank or a comma if absent. */
  readonly separator?: ":";
  readonly fills?: readonly Fill[];
}

export interface Fill {
  readonly what: "all" | "lowest" | "buyNow";
  readonly amount: bigint;
}

export type Fields = Readonly<Record<string, Field>>;

/** Undefined for an empty optional field. */
export type Values = Readonly<Record<string, unknown>>;

/** Why a text is invalid; the texts have a sentence for each. */
export type FieldFault =
  | {
      readonly what:
        | "missing"
        | "address"
        | "url"
        | "picture"
        | "bar"
        | "noToken"
        | "country"
        | "past";
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
  | { readonly what: "pair" | "named"; readonly line: number }
  | { readonly what: "price" | "nothing" | "cells" | "form" };

export interface Reading {
  readonly texts: Readonly<Record<string, string>>;
  /** Undefined if they are not known, or the token does not exist. */
  readonly decimals: (token: string) => number | undefined;
  readonly locale: string;
}

export type ReadText<T> = { readonly value: T } | { readonly fault: FieldFault };

/**
 * Fields in this order. `+` hides one behind "more", `!` requires an optional one. `more` adds
 * details of the subject, and fields that are part of a parameter.
 */
export function fieldsOf(
  operation: string,
  names: string,
  more: Readonly<Record<string, Partial<Field>>> = {},
): Fields {
  const described = PARAMETERS[operation] ?? {};
  const all = (names === "" ? [] : names.split(" ")).map((marked) => {
    const name = marked.replace(/^\+|!$/g, "");
    const known = { ...described[name], ...more[name] };
    if (!hasKind(known)) {
      throw new TypeError(`${operation} has no parameter ${name}`);
    }
    const first = known.kind === "token" ? "0" : (known.options?.[0] ?? "");
    const field: Field = {
      label: `${operation.replace("[]", "")}.${name}`,
      initial: first,
      ...(marked.startsWith("+") ? { isMore: true } : {}),
      // Names of attributes may have blanks, but no colon.
      ...(name === "attributes" ? { separator: ":" } : {}),
      ...known,
      ...(marked.endsWith("!") ? { isNeeded: true } : {}),
    };
    return [name, field] as const;
  });
  return Object.fromEntries(all);
}

function hasKind(field: Partial<Field>): field is Field {
  return field.kind !== undefined;
}

export function entriesMax(operation: string): number {
  return Number(PARAMETERS[operation]?.["itemdata"]?.max);
}

const AMOUNT_MAX = 10n ** 40n;
const UNITS_MAX = 99_999_999n;

const fault = (what: FieldFault): { readonly fault: FieldFault } => ({ fault: what });

/** As the form names it; undefined if it has none yet. */
export function tokenOf({ of = "" }: Field, texts: Reading["texts"]): string | undefined {
  return /^[0-9]*$/.test(of) ? of || undefined : texts[of]?.trim();
}

export function tokensIn(field: Field, text: string, texts: Reading["texts"]): readonly string[] {
  const own = field.kind === "token" ? [text.trim()] : [];
  const keys =
    field.kind === "pairs" && field.key?.kind === "token"
      ? text.split("\n").map((line) => PAIR.exec(line)?.[1] ?? "")
      : [];
  const token = field.kind === "amount" ? tokenOf(field, texts) : undefined;
  return [...own, ...keys, ...(token === undefined ? [] : [token])];
}

export function readField(field: Field, text: string, reading: Reading): ReadText<unknown> {
  const given = text.trim();
  if (given === "") {
    return field.isNeeded === true ? fault({ what: "missing" }) : { value: undefined };
  }
  if (hasForbiddenControl(given)) {
    return fault({ what: "form" });
  }
  const { kind, max, pattern, options = [] } = field;
  const { locale } = reading;
  switch (kind) {
    case "amount": {
      const decimals =
        field.decimalsIn !== undefined
          ? Number(reading.texts[field.decimalsIn] || "0")
          : reading.decimals(tokenOf(field, reading.texts) ?? "");
      return decimals === undefined
        ? fault({ what: "noToken" })
        : readAmount(given, { decimals, locale, min: BigInt(field.min ?? 0) });
    }
    case "units":
      return readWhole(given, { locale, max: UNITS_MAX });
    case "whole": {
      const read = readWhole(given, { locale, min: 0n, max: BigInt(max ?? 0) });
      return "fault" in read ? read : { value: Number(read.value) };
    }
    case "rate": {
      const plain = readNumber(given, locale);
      if (typeof plain === "string" && new RegExp(pattern ?? "").test(plain)) {
        return { value: plain };
      }
      return fault(
        typeof plain === "string" || plain.what === "form"
          ? { what: "rate", max: String(max), decimals: field.decimals ?? 0 }
          : { ...plain, text: given },
      );
    }
    case "token":
      return reading.decimals(given) === undefined ? fault({ what: "noToken" }) : { value: given };
    case "address":
      return parseAddress(given) === undefined ? fault({ what: "address" }) : { value: given };
    case "time": {
      const read = readTime(given, typeof max === "number" ? { max } : {});
      return typeof read === "number" ? { value: read } : fault({ what: "time", why: read });
    }
    case "choice":
      return options.includes(given)
        ? { value: given }
        : fault({ what: "choice", text: options.join(", ") });
    case "pairs":
      return readPairs(field, given, reading);
    default:
      return typeof max === "number" && [...given].length > max
        ? fault({ what: "long", max })
        : pattern !== undefined && !new RegExp(pattern).test(given)
          ? fault({ what: patternFault(kind, given) })
          : { value: given };
  }
}

function patternFault(kind: Field["kind"], given: string) {
  return kind === "country"
    ? "country"
    : given.includes("|")
      ? "bar"
      : kind === "url"
        ? "url"
        : kind === "picture" || kind === "file"
          ? "picture"
          : "form";
}

/** In the smallest unit, from the form of the pages. */
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

export function readWhole(
  given: string,
  bounds: { readonly locale: string; readonly min?: bigint; readonly max?: bigint },
): ReadText<bigint> {
  const read = readAmount(given, { ...bounds, decimals: 0 });
  return "fault" in read && (read.fault.what === "amount" || read.fault.what === "decimals")
    ? fault({ what: "whole", text: given })
    : read;
}

const PAIR = /^\s*([^\s,;]+)[\s,;]+(\S.*?)\s*$/;

const NAMED = /^\s*([^:]*[^:\s])\s*:\s*(\S.*?)\s*$/;

export interface Pair {
  readonly key: string;
  readonly value: unknown;
  /** Unix seconds. */
  readonly time?: number | undefined;
}

/** One per line. Names may repeat only with times. */
function readPairs(field: Field, given: string, reading: Reading): ReadText<readonly Pair[]> {
  const { key = { kind: "text" }, value = { kind: "text" }, time, separator } = field;
  const found: Pair[] = [];
  const keys = new Set<string>();
  for (const [index, text] of given.split("\n").entries()) {
    const line = index + 1;
    const [, name, rest] = (separator === ":" ? NAMED : PAIR).exec(text) ?? [];
    if (name === undefined || rest === undefined) {
      if (text.trim() === "") {
        continue;
      }
      return fault({ what: separator === ":" ? "named" : "pair", line });
    }
    // A comma may also stand before decimals.
    const dated = time !== undefined ? /^(.*?)[\s,;]+([0-9]{4}-.*|@.*)$/.exec(rest) : null;
    const first = readField({ ...key, isNeeded: true }, name, reading);
    const ofKey = key.kind === "token" ? { ...value, of: name } : value;
    const second = readField(ofKey, dated?.[1] ?? rest, reading);
    const until = readField({ kind: "time", ...time }, dated?.[2] ?? "", reading);
    for (const read of [first, second, until]) {
      if ("fault" in read) {
        return fault({ what: "line", line, fault: read.fault });
      }
    }
    if (time === undefined && keys.has(name)) {
      return fault({ what: "line", line, fault: { what: "twice", text: name } });
    }
    const at = "value" in until ? (until.value as number | undefined) : undefined;
    keys.add(name);
    found.push({ key: name, value: "value" in second ? second.value : undefined, time: at });
  }
  return typeof field.max === "number" && found.length > field.max
    ? fault({ what: "lines", max: field.max })
    : { value: found };
}

export function pairLines(members: Readonly<Record<string, string>>): string {
  return Object.entries(members)
    .map((pair) => pair.join(" "))
    .join("\n");
}

export function initialTexts(fields: Fields, locale: string): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { kind, initial = "" }]) => [
      name,
      ["amount", "units", "rate"].includes(kind) && initial !== ""
        ? localNumber(initial, locale)
        : initial,
    ]),
  );
}

/** Values, or the fault of each wrong field. */
export function readFields(
  fields: Fields,
  reading: Reading,
): { readonly values: Values } | { readonly faults: Readonly<Record<string, FieldFault>> } {
  const values: Record<string, unknown> = {};
  const faults: Record<string, FieldFault> = {};
  for (const [name, field] of Object.entries(fields)) {
    const read = readField(field, reading.texts[name] ?? "", reading);
    if ("fault" in read) {
      faults[name] = read.fault;
    } else {
      values[name] = read.value;
    }
  }
  return Object.keys(faults).length > 0 ? { faults } : { values };
}
