import { createHash } from "node:crypto";

// Checks and conversions that the rules of the model share.

/** The code that refuses, or undefined. */
export type Code = string | undefined;

/** An element of `itemdata`, or the parameters of a request; a key that is undefined is not sent. */
export type Fields = Readonly<Record<string, unknown>>;

/** The largest amount: 10^40. */
export const MOST: bigint = 10n ** 40n;

export function when(isWrong: boolean, code: string): Code {
  return isWrong ? code : undefined;
}

/** The first code that the check returns for an element. */
export function first<V>(all: Iterable<V>, check: (one: V, index: number) => Code): Code {
  let index = 0;
  for (const one of all) {
    const code = check(one, index);
    if (code !== undefined) {
      return code;
    }
    index += 1;
  }
  return undefined;
}

export function missing(...values: readonly unknown[]): Code {
  return when(values.includes(""), "1000");
}

/** 3004 if an id occurs twice. */
export function twice(all: readonly (string | undefined)[]): Code {
  const given = all.filter((one) => one !== undefined);
  return when(new Set(given).size < given.length, "3004");
}

/** 3190 unless each text is an address or empty. */
export function addresses(...given: readonly string[]): Code {
  return first(given, (one) => when(one !== "" && !/^MT[0-9A-Za-z]{38}$/.test(one), "3190"));
}

export function isInteger(text: string, least = 0n): boolean {
  return /^(0|[1-9][0-9]*)$/.test(text) && BigInt(text) >= least && BigInt(text) <= MOST;
}

/** 1101 unless an integer string; the other code for 0. */
export function integer(text: string, zero?: string): Code {
  return isInteger(text) ? when(text === "0" && zero !== undefined, zero as string) : "1101";
}

export function has(fields: Fields, key: string): boolean {
  return fields[key] !== undefined && fields[key] !== "";
}

export function textOf(fields: Fields, key: string, absent = ""): string {
  return has(fields, key) ? String(fields[key]) : absent;
}

export function numberIn(fields: Fields, key: string, absent = 0): number {
  return Number(textOf(fields, key, String(absent)));
}

/** 1101 unless each of the keys that were sent is an integer string of at least `least`. */
export function integers(fields: Fields, least: bigint, ...keys: readonly string[]): Code {
  return first(keys, (key) =>
    when(has(fields, key) && !isInteger(textOf(fields, key), least), "1101"),
  );
}

/** The value of a JSON text; undefined if the text is not JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A member that is sent as itself or as its JSON text. */
export function memberOf<V>(fields: Fields, name: string, absent: V): V {
  const given = fields[name] ?? "";
  return typeof given === "string" ? (given === "" ? absent : JSON.parse(given)) : (given as V);
}

export function isObject(entry: unknown): boolean {
  return typeof entry === "object" && entry !== null && !Array.isArray(entry);
}

/** 1007 unless a JSON array whose elements pass `isEntry`, 3002 unless it has 1 to 100 elements. */
export function list(text: string, isEntry: (entry: unknown) => boolean): Code {
  const all = parsed(text);
  return Array.isArray(all) && all.every(isEntry)
    ? when(all.length < 1 || all.length > 100, "3002")
    : "1007";
}

/** A rate in millionths. Source: conventions §6.2. */
export function millionths(rate: string): bigint {
  const [whole = "", fraction = ""] = rate.split(".");
  return BigInt(whole + fraction.padEnd(4, "0"));
}

/** The part that a rate is of an amount, rounded down. Source: conventions §6.2. */
export function part(amount: bigint, rate: string): bigint {
  return (amount * millionths(rate)) / 1_000_000n;
}

export function canonicalRate(rate: string = "0"): string {
  return rate.includes(".") ? rate.replace(/\.?0+$/, "") : rate;
}

/** An id: its prefix and the first 33 hex digits of the hash of its parts. */
export function derivedId(prefix: string, ...parts: readonly (string | number)[]): string {
  return `${prefix}_${sha256(prefix, ...parts).slice(0, 33)}`;
}

export function sha256(...parts: readonly (string | number)[]): string {
  return createHash("sha256").update(parts.join("|")).digest("hex");
}

/** The start and end of a sale, as far as they were sent. */
export function windowOf(fields: Fields): { sell_start?: number; sell_end?: number } {
  const [start, end] = [numberIn(fields, "sell_start"), numberIn(fields, "sell_end")];
  return { ...(start && { sell_start: start }), ...(end && { sell_end: end }) };
}
