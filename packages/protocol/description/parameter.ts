import { firstCodePoints } from "../text/code-points.ts";
import type { JsonArray, JsonObject, JsonShape } from "../text/json-text.ts";
import { nearest } from "../text/nearest.ts";
import { type FaultCode, type Refused, refuse } from "./faults.ts";
import { type RawValue, shown, textOf } from "./raw-parameters.ts";

/** JSON leaves symbols out. */
export const FORM: unique symbol = Symbol("form");

export type FormHint =
  | { readonly kind: "rate"; readonly max: string; readonly decimals: number }
  | { readonly kind: "choice"; readonly options: readonly string[] }
  | { readonly kind: "whole"; readonly max: number }
  /** The parameter with its token, of the same entry if there is one. */
  | { readonly kind: "amount"; readonly min: number; readonly of?: string }
  | { readonly kind: "time"; readonly max: number }
  | { readonly kind: "address" | "units" | "country" | "url" | "picture" | "file" };

export type Schema = { readonly [keyword: string]: unknown; readonly [FORM]?: FormHint };

export interface Parameter<T> {
  /** Words that follow "must be" in a message. */
  readonly wanted: string;
  /** The same in the documentation, which explains common forms once. */
  readonly brief: string | undefined;
  /** By default that of its name; empty if the form says it. */
  readonly meaning: string | undefined;
  readonly schema: Schema;
  readonly optional: boolean;
  readonly absent: T;
  /** Source: accounts §1.2. */
  readonly aliases: readonly string[];
  /** Code points kept without a full signature. Source: conventions §1.5, chain §4.1. */
  readonly cutAt: number | undefined;
  /** Known only to be refused, and never stored. */
  readonly role: "value" | "temporaryKey" | "signature" | "grant" | "forbidden";
  /** At the end of a path it takes the whole rest, slashes included. */
  readonly hasSlashes: boolean;
  /** An array or object in a JSON body stands for its text. Source: conventions §1.8. */
  readonly takesJson: boolean;
  /** Any JSON value stands for its text, because the value has no effect. */
  readonly takesAnything: boolean;
  /** The code that refuses it without a full signature. */
  readonly needsFullSignature: "2010" | "3005" | undefined;
  /** In a JSON list, an empty member differs from an absent one. Source: mrc401 §8. */
  readonly takesEmpty: boolean;
  /** In a JSON list a number may stand for its text. Source: accounts §11. */
  readonly isInteger: boolean;
  /** Codes of the functions below; 1005 and 1006 are any parameter's. Source: conventions §3. */
  readonly refusals: readonly FaultCode[];
  readonly members?: Parameters;
  missing(name: string): Refused;
  read(text: string, name: string): T | Refused;
  readonly shape?: JsonShape;
  /** `read` for an array or object that has been parsed by `shape`. */
  readNode?(node: JsonArray | JsonObject, text: string, name: string): T | Refused;
  /** Refuses a JSON value that stands for no text. */
  malformed(raw: RawValue, name: string): Refused;
  /** Refuses an unknown name in an object (1008). Source: conventions §4.5. */
  refuseUnknown?(value: T, name: string): Refused | undefined;
  /** On admission only: it depends on a library. Source: chain §6.4. */
  admit?(text: string, name: string, value: T): Refused | undefined;
  settle?(
    value: T,
    name: string,
    values: Readonly<Record<string, unknown>>,
    occasion: Occasion,
  ): T | Refused;
}

export type Occasion = "admission" | "replay";

// biome-ignore lint/suspicious/noExplicitAny: a parameter of any type of value; `unknown` would forbid `settle`.
export type Parameters = { readonly [name: string]: Parameter<any> };

export type ValueOf<P> = P extends Parameter<infer T> ? T : never;
export type ValuesOf<P extends Parameters> = { readonly [N in keyof P]: ValueOf<P[N]> };

/** A required parameter with one name and a text value, unless `given` overrides that. */
export function parameter<T>(
  given: Pick<Parameter<T>, "wanted" | "schema" | "read"> & Partial<Parameter<T>>,
): Parameter<T> {
  return {
    brief: undefined,
    meaning: undefined,
    optional: false,
    absent: undefined as T,
    aliases: [],
    cutAt: undefined,
    role: "value",
    hasSlashes: false,
    takesJson: false,
    takesAnything: false,
    needsFullSignature: undefined,
    takesEmpty: false,
    isInteger: false,
    refusals: [],
    missing: (name) => refuse({ code: "1000", parameter: name }),
    malformed: (raw, name) => refuseText(`not text but ${excerpt(raw)}`, name),
    ...given,
  };
}

const NOT_EMPTY = ["pattern", "enum", "minLength"];

/** An empty text is an absent one. Source: conventions §1.3. */
export function givenSchema({ schema }: Parameter<unknown>, isRequired: boolean): Schema {
  const isOpen = schema["type"] === "string" && !NOT_EMPTY.some((keyword) => keyword in schema);
  return isOpen && isRequired ? { ...schema, minLength: 1 } : schema;
}

/** Its value is `absent` then. */
export function optional<T>(inner: Parameter<T>): Parameter<T | undefined>;
export function optional<T, A extends T>(inner: Parameter<T>, absent: A): Parameter<T>;
export function optional<T, A>(inner: Parameter<T>, absent: A): Parameter<T | A>;
export function optional<T, A>(inner: Parameter<T>, absent?: A): Parameter<T | A | undefined> {
  return { ...inner, optional: true, absent } as Parameter<T | A | undefined>;
}

export function eachOptional<P extends Parameters>(
  parameters: P,
): { readonly [N in keyof P]: Parameter<ValueOf<P[N]> | undefined> } {
  const all = Object.entries(parameters).map(([name, each]) => [name, optional(each)]);
  return Object.fromEntries(all);
}

/** The value of an empty member of a JSON list is the empty text. */
export function clearable(inner: Parameter<string>): Parameter<string | undefined> {
  return optional({
    ...inner,
    schema: { anyOf: [inner.schema, { type: "string", maxLength: 0 }] },
    wanted: `${inner.wanted}; empty to clear it`,
    brief: `${inner.brief ?? inner.wanted}; empty to clear it`,
    takesEmpty: true,
    read: (given, name) => (given === "" ? "" : inner.read(given, name)),
    admit: (given, name) => (given === "" ? undefined : inner.admit?.(given, name, given)),
  });
}

export function meaning<T>(means: string, inner: Parameter<T>): Parameter<T> {
  return { ...inner, meaning: means };
}

/** Source: accounts §1.2. */
export function aliased<T>(inner: Parameter<T>, ...aliases: readonly string[]): Parameter<T> {
  return { ...inner, aliases };
}

/** A node or a proxy could remove it unseen. Source: conventions §4.5. */
export function fullySigned<T>(inner: Parameter<T>, code: "2010" | "3005" = "2010"): Parameter<T> {
  const own: readonly FaultCode[] = code === "2010" ? [] : [code];
  const refusals = [...new Set<FaultCode>([...inner.refusals, ...own])];
  return { ...inner, needsFullSignature: code, refusals };
}

export function refuseText(reason: string, name: string): Refused {
  return refuse({ code: "1006", parameter: name, reason });
}

/** `parent` precedes it in the message. Source: conventions §4.5. */
export function refuseUnknownName(given: string, known: Iterable<string>, parent = ""): Refused {
  const shownName = excerpt(given);
  const near = nearest(shownName.toLowerCase(), known);
  return refuse({ code: "1008", parameter: `${parent}${shownName}`, nearest: near });
}

export function refuseValue(wanted: string, name: string): Refused {
  return refuse({ code: "3005", parameter: name, reason: `must be ${wanted}` });
}

const EXCERPT_LENGTH_MAX = 100;

export function excerpt(raw: RawValue): string {
  const all = shown(raw);
  return all.length > EXCERPT_LENGTH_MAX ? `${all.slice(0, EXCERPT_LENGTH_MAX)}...` : all;
}

export function shapesOf(parameters: Parameters): ReadonlyMap<string, JsonShape> {
  return new Map(
    Object.entries(parameters).flatMap(([name, { aliases, shape = "shallow" }]) =>
      [name, ...aliases].map((each): [string, JsonShape] => [each, shape]),
    ),
  );
}

export function readGiven<T>(
  parameter: Parameter<T>,
  { raw, text, name }: { readonly raw: RawValue; readonly text: string; readonly name: string },
): T | Refused {
  const node = typeof raw === "object" && raw.kind === "json" ? raw.node : undefined;
  return node !== undefined && parameter.readNode !== undefined
    ? parameter.readNode(node, text, name)
    : parameter.read(text, name);
}

/** Source: conventions §1.5. */
export function keptText(parameter: Parameter<unknown>, whole: string): string {
  return parameter.cutAt === undefined ? whole : firstCodePoints(whole, parameter.cutAt);
}

/** Text, a number's digits, or JSON where the parameter takes it. */
export function givenText(
  parameter: Parameter<unknown>,
  raw: RawValue,
  name: string,
): string | Refused {
  const given =
    typeof raw === "string"
      ? raw
      : parameter.takesAnything || (parameter.takesJson && raw.kind === "json")
        ? shown(raw)
        : textOf(raw);
  if (given === undefined) {
    return parameter.malformed(raw, name);
  }
  return given.isWellFormed() ? given : refuseText("half a surrogate pair", name);
}

/** Source: conventions §3. */
export function refusalsOfOne(parameter: Parameter<unknown>): readonly FaultCode[] {
  return parameter.optional
    ? parameter.refusals
    : [parameter.missing("").fault.code, ...parameter.refusals];
}
