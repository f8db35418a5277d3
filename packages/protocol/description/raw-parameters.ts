import {
  compactSource,
  type JsonArray,
  type JsonNode,
  type JsonObject,
} from "../text/json-text.ts";
import { type Refused, refuse } from "./faults.ts";

/** Text, or another value of a JSON body. Source: conventions §1.1, §1.6, §1.8. */
export type RawValue =
  | string
  | { readonly kind: "number"; readonly source: string }
  | {
      readonly kind: "json";
      readonly text: string;
      readonly node?: JsonArray | JsonObject;
    }
  | { readonly kind: "boolean"; readonly value: boolean };

export function rawValueOf(node: JsonNode): RawValue {
  if (typeof node === "string") {
    return node;
  }
  if (node === null) {
    return { kind: "json", text: "null" };
  }
  if (typeof node === "boolean") {
    return { kind: "boolean", value: node };
  }
  return node.kind === "number" ? node : { kind: "json", text: compactSource(node), node };
}

/** Text, or the digits of a safe integer; undefined for other values. */
export function textOf(value: RawValue): string | undefined {
  if (typeof value === "string") {
    return value;
  }
  switch (value.kind) {
    case "number":
      return integerText(value.source);
    case "json":
    case "boolean":
      return undefined;
  }
}

const EXACT_DIGITS = 15;
const INTEGER_LENGTH_MAX = 24;

/** Exact safe integers such as `1.0` or `1e2`; not `1e-400`, which only rounds to one. */
function integerText(source: string): string | undefined {
  if (source.length > INTEGER_LENGTH_MAX) {
    return undefined;
  }
  const number = Number(source);
  const isPlain = /^(0|[1-9][0-9]*)$/.test(source);
  const digits = (/^[^eE]*/.exec(source)?.[0] ?? "").replaceAll(/[^0-9]/g, "");
  const isExact =
    isPlain || (digits.length <= EXACT_DIGITS && (number !== 0 || /^0+$/.test(digits)));
  return Number.isSafeInteger(number) && isExact ? String(number) : undefined;
}

export function shown(value: RawValue): string {
  if (typeof value === "string") {
    return value;
  }
  switch (value.kind) {
    case "number":
      return value.source;
    case "json":
      return value.text;
    case "boolean":
      return String(value.value);
  }
}

/**
 * Never ignored: a client must not get the newest block instead of an earlier one or a proof.
 * Source: proofs §1.5.
 */
const PAST_NAMES: ReadonlySet<string> = new Set(["height", "at", "asof", "proof"]);

interface Named {
  readonly [name: string]: { readonly aliases: readonly string[] };
}

const PLACES: WeakMap<Named, ReadonlyMap<string, number>> = new WeakMap();

export function placesOf(parameters: Named): ReadonlyMap<string, number> {
  let places = PLACES.get(parameters);
  if (places === undefined) {
    const names = Object.entries(parameters).flatMap(([name, { aliases }]) => [name, ...aliases]);
    places = new Map(names.map((name, place) => [name, place]));
    PLACES.set(parameters, places);
  }
  return places;
}

/** The parameters of one request, merged from path, query and body. Source: conventions §1.1. */
export class RawParameters {
  readonly #places: ReadonlyMap<string, number>;
  readonly #values: (RawValue | undefined)[] = [];
  #conflicts: Set<number> | undefined;
  #unknown: string | undefined;
  #unknownPast: string | undefined;

  constructor(known: Named) {
    this.#places = placesOf(known);
  }

  get unknown(): string | undefined {
    return this.#unknown;
  }

  get unknownPast(): string | undefined {
    return this.#unknownPast;
  }

  noteUnknown(name: string): void {
    this.#unknown ??= name;
    if (PAST_NAMES.has(name)) {
      this.#unknownPast ??= name;
    }
  }

  add(name: string, value: RawValue): void {
    const place = this.#places.get(name);
    if (place === undefined) {
      this.noteUnknown(name);
      return;
    }
    const earlier = this.#values[place];
    if (earlier === undefined) {
      this.#values[place] = value;
    } else if (shown(earlier) !== shown(value)) {
      this.#conflicts ??= new Set();
      this.#conflicts.add(place);
    }
  }

  addAll(values: { readonly [name: string]: RawValue }): void {
    for (const name in values) {
      this.add(name, values[name] as RawValue);
    }
  }

  take(name: string, aliases: readonly string[] = []): RawValue | undefined | Refused {
    return this.takeAt(
      [name, ...aliases].flatMap((each) => this.#places.get(each) ?? []),
      name,
    );
  }

  /** Undefined if absent or empty (§1.4); 1005 if canonical name and alias differ. */
  takeAt(places: readonly number[], name: string): RawValue | undefined | Refused {
    let found: RawValue | undefined;
    for (const place of places) {
      const value = this.#values[place];
      if (value === undefined) {
        continue;
      }
      if (this.#conflicts?.has(place) || (found !== undefined && shown(found) !== shown(value))) {
        return refuse({ code: "1005", parameter: name });
      }
      found = value;
    }
    return found === "" ? undefined : found;
  }
}
