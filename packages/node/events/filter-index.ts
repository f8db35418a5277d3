import { NATIVE_COIN } from "@moneta/protocol";
import type { ItemNames, PartNames, RecordMatcher } from "./event-filter.ts";

export interface Filtered {
  readonly matcher: RecordMatcher;
  readonly position: number;
}

type Dimension = "address" | "item" | "token" | "type";

/** By the values of the most selective filter; others are tried after it. */
export class FilterIndex<F extends Filtered> {
  readonly #filed: Readonly<Record<Dimension, Map<string, Set<F>>>> = {
    address: new Map(),
    item: new Map(),
    token: new Map(),
    type: new Map(),
  };
  readonly #everything: Set<F> = new Set();

  add(filtered: F): void {
    const { dimension, values } = placeOf(filtered.matcher);
    if (dimension === undefined) {
      this.#everything.add(filtered);
      return;
    }
    const filed = this.#filed[dimension];
    for (const value of values) {
      const others = filed.get(value);
      if (others === undefined) {
        filed.set(value, new Set([filtered]));
      } else {
        others.add(filtered);
      }
    }
  }

  remove(filtered: F): void {
    const { dimension, values } = placeOf(filtered.matcher);
    if (dimension === undefined) {
      this.#everything.delete(filtered);
      return;
    }
    const filed = this.#filed[dimension];
    for (const value of values) {
      const others = filed.get(value);
      others?.delete(filtered);
      if (others?.size === 0) {
        filed.delete(value);
      }
    }
  }

  /** Each subscriber once. */
  matching(number: number, parts: readonly PartNames[], namesOf: ItemNames): F[] {
    const found = new Set<F>();
    for (const filtered of this.#everything) {
      const matches = (part: PartNames): boolean => filtered.matcher.matches(part, namesOf);
      if (number >= filtered.position && parts.some(matches)) {
        found.add(filtered);
      }
    }
    const { address, item, token, type } = this.#filed;
    for (const part of parts) {
      const ask = (candidates: Set<F> | undefined): void => {
        for (const filtered of candidates ?? []) {
          if (
            number >= filtered.position &&
            !found.has(filtered) &&
            filtered.matcher.matches(part, namesOf)
          ) {
            found.add(filtered);
          }
        }
      };
      ask(address.get(part.address));
      ask(type.get(part.type));
      if (token.size > 0) {
        ask(token.get(String(part.token)));
      }
      if (item.size > 0 && part.item !== undefined) {
        for (const name of namesOf(part.item)) {
          ask(item.get(name));
        }
      }
    }
    return [...found];
  }
}

function placeOf({ addresses, items, tokens, types }: RecordMatcher): {
  readonly dimension: Dimension | undefined;
  readonly values: Iterable<string>;
} {
  if (addresses !== undefined) {
    return { dimension: "address", values: addresses };
  }
  if (items !== undefined) {
    return { dimension: "item", values: items };
  }
  // Most records are of the native coin, or of no token, which is stored alike.
  if (tokens !== undefined && (types === undefined || !tokens.has(NATIVE_COIN))) {
    return { dimension: "token", values: tokens };
  }
  return types === undefined
    ? { dimension: undefined, values: [] }
    : { dimension: "type", values: types };
}
