import { type Address, parseAddress } from "../keys/address.ts";
import { KeyProblem } from "../keys/key-problem.ts";
import { type PublicKey, parsePublicKey } from "../keys/public-key.ts";
import {
  AMOUNT_MAX,
  type Amount,
  parseAmount,
  parseTokenId,
  type TokenId,
} from "../text/amount.ts";
import { hasAtMost } from "../text/code-points.ts";
import { isCountry } from "../text/country.ts";
import { decimalPattern } from "../text/decimal-pattern.ts";
import type { JsonArray, JsonObject, JsonShape } from "../text/json-text.ts";
import { NO_RATE, parseRate, type Rate } from "../text/rate.ts";
import { isUrl, type UrlUse } from "../text/url.ts";
import { type FaultCode, type Refused, refuse, type ZeroCode } from "./faults.ts";
import { type RawValue, shown, textOf } from "./raw-parameters.ts";

/** A JSON Schema, as OpenAPI 3.1 shows it. */
export type Schema = { readonly [keyword: string]: unknown };

/** One parameter of an operation: how it is named, read, refused and documented. */
export interface Parameter<T> {
  /** What would be right, to follow "must be" in a message and to stand in the documentation. */
  readonly wanted: string;
  readonly schema: Schema;
  readonly optional: boolean;
  /** The value of an optional parameter that is absent or empty. */
  readonly absent: T;
  /** Names that are accepted besides the canonical one. Source: accounts §1.2. */
  readonly aliases: readonly string[];
  /** Only so many code points are kept, unless a signature covers them all. Source: conventions §1.5, chain §4.1. */
  readonly cutAt: number | undefined;
  readonly role: "value" | "temporaryKey" | "signature";
  /** At the end of a path it is all the rest of it, slashes and what is between them. */
  readonly hasSlashes: boolean;
  /** An array or object in a JSON body stands for its text. Source: conventions §1.8. */
  readonly takesJson: boolean;
  /** Whatever stands there stands for its text, because nobody looks at it. */
  readonly takesAnything: boolean;
  /** In a JSON list a member that is there and empty means something else than one that is absent. Source: mrc401 §8. */
  readonly takesEmpty: boolean;
  /** In a JSON list a number may stand for its text; everything else there is a string. Source: accounts §11. */
  readonly isInteger: boolean;
  /**
   * Codes that what it is given may be refused with by `read`, `malformed`, `admit` and `settle`, besides 1005 and 1006, which any parameter may be. Those that `settle` has
   * from rules between entries are of the description. Source: conventions §3.
   */
  readonly refusals: readonly FaultCode[];
  /** What the objects are made of that are in a JSON list; undefined of all others. */
  readonly members?: Parameters;
  /** What is answered when it is required and absent. */
  missing(name: string): Refused;
  /** The value, from the whole text as it was sent, which is not empty. */
  read(text: string, name: string): T | Refused;
  /** What of a JSON text is kept, where the parameter is one. */
  readonly shape?: JsonShape;
  /** As `read`, of an array or object that has been parsed by `shape`. */
  readNode?(node: JsonArray | JsonObject, text: string, name: string): T | Refused;
  /** What is answered to a JSON number, boolean, array or object that no text can be made of. */
  malformed(raw: RawValue, name: string): Refused;
  /** A check that depends on a library, made on admission and never on replay; `value` is what `read` has made of the text. Source: chain §6.4. */
  admit?(text: string, name: string, value: T): Refused | undefined;
  /** A second look once all parameters have been read, for lists whose entries are checked last. */
  settle?(
    value: T,
    name: string,
    values: Readonly<Record<string, unknown>>,
    occasion: Occasion,
  ): T | Refused;
}

/** When a request is read: as it comes, or again from a block. */
export type Occasion = "admission" | "replay";

// biome-ignore lint/suspicious/noExplicitAny: a parameter of any type of value; `unknown` would forbid `settle`.
export type Parameters = { readonly [name: string]: Parameter<any> };

export type ValueOf<P> = P extends Parameter<infer T> ? T : never;
export type ValuesOf<P extends Parameters> = { readonly [N in keyof P]: ValueOf<P[N]> };

type Options = { readonly aliases?: readonly string[] };
type Optional = { readonly optional: true };

/** A parameter that is required, has one name and is text, unless said otherwise. */
export function parameter<T>(
  given: Pick<Parameter<T>, "wanted" | "schema" | "read"> & Partial<Parameter<T>>,
): Parameter<T> {
  return {
    optional: false,
    absent: undefined as T, // never looked at where `optional` is false
    aliases: [],
    cutAt: undefined,
    role: "value",
    hasSlashes: false,
    takesJson: false,
    takesAnything: false,
    takesEmpty: false,
    isInteger: false,
    refusals: [],
    missing: (name) => refuse({ code: "1000", parameter: name }),
    malformed: (raw, name) => refuseText(`not text but ${excerpt(raw)}`, name),
    ...given,
  };
}

/** An address, known or not. Source: conventions §1.10. */
export function address(options: Options = {}): Parameter<Address> {
  const refuseForm = (given: string, name: string): Refused =>
    refuse({ code: "3190", parameter: name, given });
  return parameter<Address>({
    wanted:
      "an address: MT, 30 of 0-9A-Za-z and their CRC-32 as 8 lower-case hex digits, 40 characters in all",
    schema: { type: "string", pattern: "^MT[0-9A-Za-z]{30}[0-9a-f]{8}$" },
    refusals: ["3190"],
    ...options,
    read: (text, name) => parseAddress(text) ?? refuseForm(text, name),
    malformed: (raw, name) => refuseForm(shown(raw), name),
  });
}

/** An address that may be left out. */
export function optionalAddress(options: Options = {}): Parameter<Address | undefined> {
  return { ...address(options), optional: true, absent: undefined } as Parameter<
    Address | undefined
  >;
}

/** What an integer string counts, from which clients make types. */
type IntegerFormat = "amount" | "token-id" | "unix-time" | "integer";

function integerSchema(format: IntegerFormat, max: bigint = AMOUNT_MAX, min: 0n | 1n = 0n): Schema {
  return { type: "string", format, pattern: decimalPattern(min, max) };
}

/** Up to `max` values in one text, with commas between them. */
export function commaSeparatedSchema(max: number): Schema {
  return {
    type: "string",
    format: "comma-separated",
    pattern: `^[^,]+(,[^,]+){0,${max - 1}}$`,
  };
}

function refuseInteger(given: string, name: string, wanted: string): Refused {
  return refuse({ code: "1101", parameter: name, given, wanted });
}

/** The id of a token, existing or not, of at most so many digits. Source: conventions §1.6, tokens §1.2. */
export function tokenId(
  options: Options & { readonly digitsMax?: number } = {},
): Parameter<TokenId> {
  const { digitsMax, ...others } = options;
  const length = digitsMax === undefined ? "decimal digits" : `at most ${digitsMax} decimal digits`;
  const wanted = `the id of a token: ${length} without sign or leading zero; 0 is the native coin`;
  return parameter<TokenId>({
    wanted,
    schema: integerSchema(
      "token-id",
      digitsMax === undefined ? AMOUNT_MAX : 10n ** BigInt(digitsMax) - 1n,
    ),
    isInteger: true,
    refusals: ["1101"],
    ...others,
    read: (text, name) =>
      (text.length > (digitsMax ?? text.length) ? undefined : parseTokenId(text)) ??
      refuseInteger(text, name, wanted),
    malformed: (raw, name) => refuseInteger(shown(raw), name, wanted),
  });
}

/** The id of a token that may be left out. */
export function optionalTokenId(
  options: Options & { readonly digitsMax?: number } = {},
): Parameter<TokenId | undefined> {
  return { ...tokenId(options), optional: true, absent: undefined } as Parameter<
    TokenId | undefined
  >;
}

interface AmountBounds {
  readonly min: 0n | 1n;
  /** 10^40 if absent. */
  readonly max?: bigint;
  /** What refuses 0 where an amount of 0 has a code of its own; `min` is 1 then. */
  readonly zero?: ZeroCode;
}

/** An amount in the smallest unit of its token, `min` to 10^40. Source: conventions §1.6. */
export function amount(
  options: Options & AmountBounds & Partial<Optional> & { readonly absent: Amount },
): Parameter<Amount>;
export function amount(options: Options & AmountBounds): Parameter<Amount>;
export function amount(options: Options & AmountBounds & Optional): Parameter<Amount | undefined>;
export function amount(
  options: Options & AmountBounds & Partial<Optional> & { readonly absent?: Amount },
): Parameter<Amount> | Parameter<Amount | undefined> {
  const { max = AMOUNT_MAX } = options;
  const range = max === AMOUNT_MAX ? "10^40 in the token's smallest unit" : `${max}`;
  const wanted = `an integer from ${options.min} to ${range}: decimal digits without sign, leading zero, point or exponent`;
  return parameter<Amount>({
    wanted,
    schema: integerSchema("amount", max, options.min),
    isInteger: true,
    refusals: options.zero === undefined ? ["1101"] : [options.zero, "1101"],
    aliases: options.aliases ?? [],
    optional: options.optional === true || options.absent !== undefined,
    absent: options.absent as Amount,
    read(text, name) {
      const value = parseAmount(text);
      if (value === 0n && options.zero !== undefined) {
        return refuse({ code: options.zero, parameter: name });
      }
      return value === undefined || value < options.min || value > max
        ? refuseInteger(text, name, wanted)
        : value;
    },
    malformed: (raw, name) => refuseInteger(shown(raw), name, wanted),
  });
}

/**
 * A number of leaves of the ledger tree, as text: how large it may be depends on the ledger, so that whoever knows it judges the form, too.
 * Source: chain §12.
 */
export function treeSize(bounds: string): Parameter<string> {
  return parameter<string>({
    wanted: `a number of transactions, ${bounds}`,
    schema: integerSchema("integer"),
    isInteger: true,
    refusals: ["1101"],
    read: (text) => text,
    malformed: (raw, name) =>
      refuseInteger(shown(raw), name, `a number of transactions, ${bounds}`),
  });
}

type Range = { readonly min: 0 | 1; readonly max: number };

/** A number that counts something, such as a page's length: undefined where it is left out. Source: conventions §1.6. */
export function optionalInteger(options: Options & Range): Parameter<number | undefined> {
  const max = String(options.max).replace("1e+", "10^");
  const wanted = `an integer from ${options.min} to ${max}: decimal digits without sign or leading zero`;
  return parameter<number | undefined>({
    wanted,
    schema: integerSchema(
      "integer",
      options.max >= Number(AMOUNT_MAX) ? AMOUNT_MAX : BigInt(options.max),
      options.min === 0 ? 0n : 1n,
    ),
    isInteger: true,
    refusals: ["1101"],
    aliases: options.aliases ?? [],
    optional: true,
    read(text, name) {
      const value = parseAmount(text);
      return value === undefined || value < options.min || value > options.max
        ? refuseInteger(text, name, wanted)
        : Number(value);
    },
    malformed: (raw, name) => refuseInteger(shown(raw), name, wanted),
  });
}

/** An integer whose bounds depend on the state, so that a rule asks for them; `meaning` says what it is. Source: conventions §1.6. */
export function integer(meaning: string): Parameter<bigint> {
  const wanted = `${meaning}: decimal digits without sign or leading zero`;
  return parameter<bigint>({
    wanted,
    schema: integerSchema("integer"),
    isInteger: true,
    refusals: ["1101"],
    read: (text, name) => parseAmount(text) ?? refuseInteger(text, name, wanted),
    malformed: (raw, name) => refuseInteger(shown(raw), name, wanted),
  });
}

export const UNLOCK_DATE_MAX = 2147483647;

const DECIMAL_PLACES_MAX = 18;

/** When an amount may be moved, Unix seconds; 0 is at once. Source: accounts §8.7. */
export function unlockDate(options: Options & Partial<Optional> = {}): Parameter<number> {
  return date({ ...options, max: UNLOCK_DATE_MAX, zero: "does not lock" });
}

/** A time in Unix seconds, 0 to `max`; what it means to be 0 or absent is said by `zero`. */
export function date(
  options: Options & Partial<Optional> & { readonly max: number; readonly zero: string },
): Parameter<number> {
  const { max, zero, ...others } = options;
  const time = `a time in Unix seconds from 0 to ${max}`;
  const refuseDate = (given: string, name: string): Refused =>
    refuse({ code: "1102", parameter: name, given, wanted: time });
  return parameter<number>({
    wanted: `${time}; 0 ${zero}`,
    schema: integerSchema("unix-time", BigInt(max)),
    isInteger: true,
    refusals: ["1102"],
    absent: 0,
    ...others,
    read(text, name) {
      const value = parseAmount(text);
      return value === undefined || value > max ? refuseDate(text, name) : Number(value);
    },
    malformed: (raw, name) => refuseDate(shown(raw), name),
  });
}

const EXCERPT_LENGTH_MAX = 100;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what conventions §1.5 forbids.
const FORBIDDEN_CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f]/;

/** As much of a value as a message shows. */
export function excerpt(raw: RawValue): string {
  const all = shown(raw);
  return all.length > EXCERPT_LENGTH_MAX ? `${all.slice(0, EXCERPT_LENGTH_MAX)}...` : all;
}

function refuseText(reason: string, name: string): Refused {
  return refuse({ code: "1006", parameter: name, reason });
}

/** Refused with 1006 if a text has half a surrogate pair, or a control character other than tab, CR and LF. Source: conventions §1.5. */
export function refuseUnclean(given: string, name: string): Refused | undefined {
  if (!given.isWellFormed()) {
    return refuseText("half a surrogate pair", name);
  }
  return FORBIDDEN_CONTROL.test(given) ? refuseText("a control character", name) : undefined;
}

/** When an auction begins or ends, Unix seconds, up to 10^40: whether it lies in bounds depends on the ledger time. Source: tokens §12. */
export function auctionDate(zero: string): Parameter<bigint> {
  const wanted = "a time in Unix seconds: decimal digits without sign or leading zero";
  return parameter<bigint>({
    wanted: `${wanted}; 0 ${zero}`,
    schema: integerSchema("unix-time"),
    isInteger: true,
    refusals: ["1101"],
    optional: true,
    absent: 0n,
    read: (text, name) => parseAmount(text) ?? refuseInteger(text, name, wanted),
    malformed: (raw, name) => refuseInteger(shown(raw), name, wanted),
  });
}

/** When an auction ends, Unix seconds: whatever is out of bounds is moved into them. Source: mrc401 §14. */
export function movedAuctionEnd(options: Options = {}): Parameter<bigint> {
  const wanted = "a time in Unix seconds: decimal digits without sign or leading zero";
  const refuseEnd = (given: string, name: string): Refused =>
    refuse({ code: "1102", parameter: name, given, wanted });
  return parameter<bigint>({
    wanted: `${wanted}; moved to the nearest bound`,
    schema: integerSchema("unix-time"),
    isInteger: true,
    refusals: ["1102"],
    optional: true,
    absent: 0n,
    ...options,
    read: (text, name) => parseAmount(text) ?? refuseEnd(text, name),
    malformed: (raw, name) => refuseEnd(shown(raw), name),
  });
}

/** Decimal places of a token for display, 0 to 18; 0 where it is left out. Source: tokens §3. */
export function decimalPlaces(): Parameter<number> {
  const refuseForm = (given: string, name: string): Refused =>
    refuse({ code: "1003", parameter: name, given });
  return parameter<number>({
    wanted: `an integer from 0 to ${DECIMAL_PLACES_MAX}`,
    schema: integerSchema("integer", BigInt(DECIMAL_PLACES_MAX)),
    isInteger: true,
    refusals: ["1003", "1004"],
    optional: true,
    absent: 0,
    read(text, name) {
      const value = parseAmount(text);
      if (value === undefined) {
        return refuseForm(text, name);
      }
      return value > DECIMAL_PLACES_MAX
        ? refuse({ code: "1004", parameter: name, given: text })
        : Number(value);
    },
    malformed: (raw, name) => refuseForm(shown(raw), name),
  });
}

interface TextBounds {
  /** Only so many code points are kept. */
  readonly cutAt?: number;
  /** Code points, 1 if absent: an empty text is an absent one. What is shorter or longer is refused with 3005. */
  readonly min?: number;
  readonly max?: number;
  /** Whether `|` is refused with 3005, lest one signed string be read as two operations. Source: tokens §1.3. */
  readonly withoutBar?: true;
}

/** Text without control characters except tab, CR and LF; `""` where it is left out. Source: conventions §1.5. */
export function text(options: Options & Partial<Optional> & TextBounds = {}): Parameter<string> {
  const { cutAt, min = 1, max, withoutBar = false } = options;
  const bounds =
    (max === undefined ? "text" : `text of ${min} to ${max} characters`) +
    (withoutBar ? " without |" : "");
  return parameter<string>({
    wanted: cutAt === undefined ? bounds : `text, of which the first ${cutAt} characters are kept`,
    schema: {
      type: "string",
      ...(max === undefined ? {} : { minLength: min, maxLength: max }),
      ...(withoutBar ? { pattern: "^[^|]*$" } : {}),
    },
    refusals: max === undefined && !withoutBar ? [] : ["3005"],
    absent: "",
    ...options,
    read(given, name) {
      if (FORBIDDEN_CONTROL.test(given)) {
        return refuseText("a control character", name);
      }
      if (
        (max !== undefined && !hasLength(given, min, max)) ||
        (withoutBar && given.includes("|"))
      ) {
        return refuse({ code: "3005", parameter: name, reason: `must be ${bounds}` });
      }
      return cutAt === undefined ? given : firstCodePoints(given, cutAt);
    },
  });
}

function hasLength(given: string, min: number, max: number): boolean {
  return hasAtMost(given, max) && (given.length >= 2 * min || !hasAtMost(given, min - 1));
}

/** A percentage, 0 where it may be left out and is; at most `max` of it, with at most `decimals` decimals. Source: conventions §1.7. */
export function rate(
  options: Options & Partial<Optional> & { readonly max: string; readonly decimals?: number },
): Parameter<Rate> {
  const { max, decimals = 4, ...others } = options;
  const wanted = `a percentage from 0 to ${max} with at most ${decimals} decimals`;
  const bound = parseRate(max) ?? NO_RATE;
  const refuseRate = (name: string): Refused =>
    refuse({ code: "3005", parameter: name, reason: `must be ${wanted}` });
  return parameter<Rate>({
    wanted,
    schema: { type: "string", pattern: ratePattern(max, decimals) },
    refusals: ["3005"],
    absent: NO_RATE,
    ...others,
    read(given, name) {
      const value = parseRate(given, decimals);
      return value === undefined || value > bound ? refuseRate(name) : value;
    },
    malformed: (_raw, name) => refuseRate(name),
  });
}

/** For percentages up to a whole number, or up to the highest below one. */
function ratePattern(max: string, decimals: number): string {
  const [whole = "0", fraction = ""] = max.split(".");
  const below = fraction === "" ? BigInt(whole) - 1n : BigInt(whole);
  const integers = decimalPattern(0n, below).slice(1, -1);
  const all = `${integers}(\\.[0-9]{1,${decimals}})?`;
  return fraction === "" ? `^(${all}|${whole}(\\.0{1,${decimals}})?)$` : `^${all}$`;
}

interface UrlBounds extends Pick<TextBounds, "withoutBar"> {
  readonly use: UrlUse;
  readonly max: number;
}

/** An absolute URL of 1 to `max` characters, kept as it was sent. Source: conventions §1.9. */
export function url(options: Options & Partial<Optional> & UrlBounds): Parameter<string> {
  const { use, max, withoutBar = false } = options;
  const schemes = use === "page" ? "http or https" : "http, https, ipfs or data";
  const wanted = `an absolute ${schemes} URL of at most ${max} characters${withoutBar ? " without |" : ""}`;
  return {
    ...text({ ...options, max }),
    wanted,
    schema: {
      type: "string",
      format: "uri",
      minLength: 1,
      maxLength: max,
      pattern: urlPattern(use === "page" ? "https?" : "https?|ipfs|data", withoutBar),
    },
    admit: (given, name) =>
      isUrl(given, use)
        ? undefined
        : refuse({ code: "3005", parameter: name, reason: `must be ${wanted}` }),
  };
}

/** Schemes are of any case, and JSON Schema has no flags. */
function urlPattern(schemes: string, withoutBar: boolean): string {
  const anyCase = schemes.replaceAll(/[a-z]/g, (letter) => `[${letter.toUpperCase()}${letter}]`);
  return `^(${anyCase}):${withoutBar ? "[^|]*$" : ""}`;
}

const DATA_URL_LENGTH_MAX = 131_072;
const DATA_IMAGE = /^data:image\//i;
const PRINTABLE_ASCII_WITHOUT_BAR = /^[\x20-\x7b\x7d\x7e]+$/;

/** An image of a token: a data URL, or an http, https or ipfs URL of at most 255 characters; kept as it was sent. Source: tokens §3. */
export function tokenImage(options: Partial<Optional> = {}): Parameter<string> {
  const wanted = `a data:image/ URL of at most ${DATA_URL_LENGTH_MAX} characters or an http, https or ipfs URL of at most 255, in printable ASCII without |`;
  const isData = (given: string): boolean => DATA_IMAGE.test(given);
  const refuseImage = (name: string): Refused =>
    refuse({ code: "3005", parameter: name, reason: `must be ${wanted}` });
  return {
    ...text({ ...options, max: DATA_URL_LENGTH_MAX }),
    wanted,
    schema: {
      type: "string",
      format: "uri",
      minLength: 1,
      maxLength: DATA_URL_LENGTH_MAX,
      pattern: `${urlPattern("https?|ipfs|data", false)}[ -{}~]*$`,
    },
    read: (given, name) =>
      given.length <= (isData(given) ? DATA_URL_LENGTH_MAX : 255) &&
      PRINTABLE_ASCII_WITHOUT_BAR.test(given)
        ? given
        : refuseImage(name),
    // `data:text/html,...` is a URL for images too, as far as the scheme goes.
    admit: (given, name) =>
      isUrl(given, "image") && (isData(given) || !/^data:/i.test(given))
        ? undefined
        : refuseImage(name),
  };
}

/** The first `count` code points of a text. Source: conventions §1.5. */
export function firstCodePoints(whole: string, count: number): string {
  if (whole.length <= count) {
    return whole;
  }
  let end = 0;
  for (let points = 0; points < count && end < whole.length; points += 1) {
    end += (whole.codePointAt(end) as number) > 0xffff ? 2 : 1;
  }
  return whole.slice(0, end);
}

/** The part of a parameter's text that the interface keeps. Source: conventions §1.5. */
export function keptText(parameter: Parameter<unknown>, whole: string): string {
  return parameter.cutAt === undefined ? whole : firstCodePoints(whole, parameter.cutAt);
}

/** Text that has to match a pattern, or else is refused with 3005. */
export function pattern(
  options: Options & Partial<Optional> & { readonly matches: RegExp; readonly wanted: string },
): Parameter<string> {
  return parameter<string>({
    wanted: options.wanted,
    schema: { type: "string", pattern: options.matches.source },
    refusals: ["3005"],
    aliases: options.aliases ?? [],
    optional: options.optional === true,
    absent: "",
    read: (given, name) =>
      options.matches.test(given)
        ? given
        : refuse({ code: "3005", parameter: name, reason: `must be ${options.wanted}` }),
  });
}

/** One of a few words, or `""` where it is left out. */
export function optionalWord<W extends string>(...words: readonly W[]): Parameter<W | ""> {
  return parameter<W | "">({
    wanted: words.map((word) => `"${word}"`).join(" or "),
    schema: { type: "string", enum: words },
    refusals: ["3005"],
    optional: true,
    absent: "",
    read: (given, name) =>
      words.find((word) => word === given) ??
      refuse({
        code: "3005",
        parameter: name,
        reason: `must be ${words.map((word) => `"${word}"`).join(" or ")} or left out`,
      }),
  });
}

/** One of a few words, which must be there. */
export function word<W extends string>(...words: readonly W[]): Parameter<W> {
  const wanted = words.map((each) => `"${each}"`).join(" or ");
  return parameter<W>({
    wanted,
    schema: { type: "string", enum: words },
    refusals: ["3005"],
    read: (given, name) =>
      words.find((each) => each === given) ??
      refuse({ code: "3005", parameter: name, reason: `must be ${wanted}` }),
  });
}

/** A parameter that may be left out, undefined then; where it is given empty in a JSON list, it is the empty text. */
export function clearable(inner: Parameter<string>): Parameter<string | undefined> {
  return {
    ...inner,
    schema: { anyOf: [inner.schema, { type: "string", maxLength: 0 }] },
    wanted: `${inner.wanted}; empty to clear it`,
    optional: true,
    absent: undefined,
    takesEmpty: true,
    read: (given, name) => (given === "" ? "" : inner.read(given, name)),
    admit: (given, name) => (given === "" ? undefined : inner.admit?.(given, name, given)),
  } as Parameter<string | undefined>;
}

/** A parameter that may be left out, undefined then. */
export function ifGiven<T>(inner: Parameter<T>): Parameter<T | undefined> {
  return { ...inner, optional: true, absent: undefined } as Parameter<T | undefined>;
}

const UNITS_MAX = 99_999_999n;

type QuantityBounds = Pick<AmountBounds, "zero">;

/** How many units of an item, 1 to 99999999. Source: mrc402 §1.4. */
export function quantity(
  options: Options & QuantityBounds & { readonly absent: Amount },
): Parameter<Amount>;
export function quantity(options: Options & QuantityBounds): Parameter<Amount>;
export function quantity(
  options: Options & Optional & QuantityBounds,
): Parameter<Amount | undefined>;
export function quantity(
  options: Options & Partial<Optional> & QuantityBounds & { readonly absent?: Amount },
): Parameter<Amount> | Parameter<Amount | undefined> {
  const bounds = { min: 1n as const, max: UNITS_MAX, ...options };
  return bounds.absent === undefined
    ? amount({ ...bounds } as Options & AmountBounds)
    : amount({ ...bounds, absent: bounds.absent });
}

/** The code of a country, ISO 3166-1 alpha-2; `""` where it is left out. Source: mrc402 §4. */
export function country(): Parameter<string> {
  const wanted = "the code of a country, ISO 3166-1 alpha-2, in upper case";
  const inner = pattern({ matches: /^[A-Z]{2}$/, wanted, optional: true });
  return {
    ...inner,
    admit: (given, name) =>
      isCountry(given)
        ? undefined
        : refuse({ code: "3005", parameter: name, reason: `must be ${wanted}` }),
  };
}

/** One of a few words; the first of them where it is left out. */
export function wordOrFirst<W extends string>(first: W, ...others: readonly W[]): Parameter<W> {
  const words = optionalWord(first, ...others);
  return { ...words, absent: first } as Parameter<W>;
}

/** How many entries a page of a list has at most. Source: chain §10. */
export function pageLimit(): Parameter<number | undefined> {
  return optionalInteger({ min: 1, max: 100 });
}

/** Where a list of balances goes on: `<token>:<unlockdate>` of the last entry seen. Source: accounts §9. */
export type BalanceCursor = { readonly token: TokenId; readonly unlockDate: number };

export function optionalBalanceCursor(): Parameter<BalanceCursor | undefined> {
  const wanted = "<token>:<unlockdate> of the last entry seen";
  return parameter<BalanceCursor | undefined>({
    wanted,
    schema: { type: "string", pattern: "^[0-9]+:[0-9]+$" },
    refusals: ["3005"],
    optional: true,
    read(given, name) {
      const [token, date, ...more] = given.split(":", 3);
      const tokenId = parseTokenId(token ?? "");
      const unlockDate = parseAmount(date ?? "");
      return tokenId === undefined ||
        unlockDate === undefined ||
        unlockDate > UNLOCK_DATE_MAX ||
        more.length > 0
        ? refuse({ code: "3005", parameter: name, reason: `must be ${wanted}` })
        : { token: tokenId, unlockDate: Number(unlockDate) };
    },
  });
}

/** How a block is asked for: by its number, or by its id of 64 hex digits. Source: chain §2. */
export type BlockName = { readonly height: number } | { readonly id: string };

export function blockName(): Parameter<BlockName> {
  return parameter<BlockName>({
    wanted: "the number of a block or its id, 64 lower-case hex digits",
    schema: { type: "string", pattern: "^(0|[1-9][0-9]{0,14}|[0-9a-f]{64})$" },
    refusals: ["6001"],
    read(given) {
      if (/^[0-9a-f]{64}$/.test(given)) {
        return { id: given };
      }
      return /^(0|[1-9][0-9]{0,14})$/.test(given)
        ? { height: Number(given) }
        : refuse({ code: "6001", given });
    },
  });
}

/** The id of a transaction: the number of its block, its position there, and 40 hex digits. Source: chain §4.3. */
export type TransactionName = {
  readonly id: string;
  readonly height: number;
  readonly position: number;
};

export function transactionName(): Parameter<TransactionName> {
  return parameter<TransactionName>({
    wanted: "the id of a transaction, 64 lower-case hex digits",
    schema: { type: "string", pattern: "^[0-9a-f]{64}$" },
    refusals: ["6008"],
    read: (given) => parseTransactionId(given) ?? refuse({ code: "6008", given }),
  });
}

/** Takes the id of a transaction apart; undefined if it is none. Source: chain §4.3. */
export function parseTransactionId(id: string): TransactionName | undefined {
  if (!/^[0-9a-f]{64}$/.test(id)) {
    return undefined;
  }
  const height = Number.parseInt(id.slice(0, 16), 16);
  const position = Number.parseInt(id.slice(16, 24), 16);
  return Number.isSafeInteger(height) ? { id, height, position } : undefined;
}

/** A public key of a new address, refused as accounts §2 says; so is a missing one, because the contract says 405. */
export function publicKey(): Parameter<PublicKey> {
  return parameter<PublicKey>({
    wanted: "an ECDSA public key on P-256, P-384 or P-521 as PEM or as its bare base64",
    schema: { type: "string", maxLength: 4096 },
    refusals: ["3102", "3103", "3104", "3105", "3106"],
    missing: () =>
      refuse({
        code: "3103",
        reason: "publickey is missing: send the PEM text of an ECDSA public key",
      }),
    read(given) {
      const key = parsePublicKey(given);
      return key instanceof KeyProblem ? refuse({ code: key.code, reason: key.reason }) : key;
    },
    malformed: () => refuse({ code: "3103", reason: "publickey must be PEM text" }),
  });
}

/** Any text: whoever uses it judges it, as what it is wanted for asks another code than 1006. */
function opaque(
  wanted: string,
  role: Parameter<string>["role"],
  options: Options = {},
): Parameter<string> {
  return parameter<string>({
    wanted,
    schema: { type: "string" },
    role,
    ...options,
    read: (given) => given,
  });
}

/** The id of a listing, project or item; whether there is such a record is asked together with existence, as what is malformed cannot be there. */
export function recordId(
  kind: string,
  options: Options & Partial<Optional> = {},
): Parameter<string> {
  return { ...opaque(`the id of ${kind}`, "value", options), ...options, absent: "" };
}

/** A parameter that has no effect but that clients send and sign. */
export function ignored(): Parameter<string> {
  return {
    ...opaque("anything; it has no effect", "value"),
    optional: true,
    absent: "",
    takesAnything: true,
  };
}

/** Text that is read as a public key later, where an unreadable one is a key that nobody has. Source: accounts §6. */
export function unreadPublicKey(): Parameter<string> {
  return opaque("an ECDSA public key as PEM or as its bare base64", "value");
}

/** A temporary key; whether it is one is asked after existence. Source: conventions §5, accounts §1.1. */
export function temporaryKey(options: Options = {}): Parameter<string> {
  return opaque("a temporary key of the actor, from GET /nonce/{address}", "temporaryKey", options);
}

/** The actor's signature; whether it is one is asked together with the temporary key. Source: conventions §4. */
export function signature(options: Options = {}): Parameter<string> {
  return opaque(
    "base64 of the actor's ECDSA signature of the signed string, DER or raw r||s",
    "signature",
    options,
  );
}

/** What is kept of an object whose members are these parameters, under all of their names. */
export function shapesOf(parameters: Parameters): ReadonlyMap<string, JsonShape> {
  return new Map(
    Object.entries(parameters).flatMap(([name, { aliases, shape = "shallow" }]) =>
      [name, ...aliases].map((each): [string, JsonShape] => [each, shape]),
    ),
  );
}

/** The value of a parameter, from its text; from what has been parsed of it where that is so. */
export function readGiven<T>(
  parameter: Parameter<T>,
  { raw, text, name }: { readonly raw: RawValue; readonly text: string; readonly name: string },
): T | Refused {
  const node = typeof raw === "object" && raw.kind === "json" ? raw.node : undefined;
  return node !== undefined && parameter.readNode !== undefined
    ? parameter.readNode(node, text, name)
    : parameter.read(text, name);
}

/** The text of what a client sent for a parameter: text, a number's digits, or JSON where the parameter takes it. */
export function givenText(
  parameter: Parameter<unknown>,
  raw: RawValue,
  name: string,
): string | Refused {
  const given =
    parameter.takesAnything ||
    (parameter.takesJson && typeof raw !== "string" && raw.kind === "json")
      ? shown(raw)
      : textOf(raw);
  if (given === undefined) {
    return parameter.malformed(raw, name);
  }
  return given.isWellFormed() ? given : refuseText("half a surrogate pair", name);
}

/** Codes that a request may be refused with because of one parameter: because it is missing, or because of what it is. Source: conventions §3. */
export function refusalsOfOne(parameter: Parameter<unknown>): readonly FaultCode[] {
  return parameter.optional
    ? parameter.refusals
    : [parameter.missing("").fault.code, ...parameter.refusals];
}
