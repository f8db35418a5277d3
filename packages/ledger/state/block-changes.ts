import type { Address } from "@moneta/protocol";
import { ADDRESS, type AddressEntry, type DocumentKind, type EntryKind } from "./entries.ts";
import { cellOf, type NumberOf } from "./tables.ts";

/** A changed entry; a value is undefined where there is no entry. */
export interface Change {
  readonly kind: EntryKind<unknown>;
  /** The value before the block, not before the operation. */
  readonly before: unknown;
  readonly after: unknown;
}

interface Column {
  readonly kind: EntryKind<unknown>;
  readonly name: string;
  /** Keys by what stands in the column, or stood there earlier in the block or before it. */
  readonly keys: Map<string | number | null, Set<string>>;
}

/**
 * What a block has changed so far: by key, and for columns that are asked for by what stands in them. The cost of a lookup does not depend on the number of other
 * changes, of which a block may have tens of thousands.
 */
export class BlockChanges {
  readonly #numberOf: NumberOf;
  readonly #changes: Map<string, Change> = new Map();
  readonly #columns: Map<string, Column> = new Map();
  readonly #addresses: Map<number, Address> = new Map();

  constructor(numberOf: NumberOf) {
    this.#numberOf = numberOf;
  }

  get size(): number {
    return this.#changes.size;
  }

  get(key: string): Change | undefined {
    return this.#changes.get(key);
  }

  keys(): Iterable<string> {
    return this.#changes.keys();
  }

  /** All of them, in the order in which entries were first changed. */
  entries(): Iterable<[string, Change]> {
    return this.#changes;
  }

  /** Notes a change, in the place of an earlier one of the same entry. */
  set(key: string, change: Change): void {
    this.#changes.set(key, change);
    if (change.kind === ADDRESS) {
      const { number, address } = change.after as AddressEntry;
      this.#addresses.set(number, address);
    }
    for (const column of this.#columns.values()) {
      if (column.kind === change.kind) {
        this.#file(column, key, change);
      }
    }
  }

  clear(): void {
    this.#changes.clear();
    this.#columns.clear();
    this.#addresses.clear();
  }

  /** The address with a number that the block has made. */
  addressNumbered(number: number): Address | undefined {
    return this.#addresses.get(number);
  }

  /** Changes of documents of a kind that have, or had before the block or earlier in it, this value in a column. */
  about<V>(kind: DocumentKind<V>, name: string, value: string | number): [string, Change][] {
    const id = `${kind.prefix}${name}`;
    let column = this.#columns.get(id);
    if (column === undefined) {
      column = { kind: kind as EntryKind<unknown>, name, keys: new Map() };
      this.#columns.set(id, column);
      for (const [key, change] of this.#changes) {
        if (change.kind === column.kind) {
          this.#file(column, key, change);
        }
      }
    }
    const keys = column.keys.get(value) ?? [];
    return Array.from(keys, (key) => [key, this.#changes.get(key) as Change]);
  }

  #file({ kind, name, keys }: Column, key: string, change: Change): void {
    for (const value of [change.before, change.after]) {
      if (value !== undefined) {
        const cell = cellOf(kind as DocumentKind<unknown>, name, value, this.#numberOf);
        const same = keys.get(cell);
        if (same === undefined) {
          keys.set(cell, new Set([key]));
        } else {
          same.add(key);
        }
      }
    }
  }
}
