import type { Address } from "@moneta/protocol";
import type { DocumentKind, EntryReader } from "./entries.ts";

/**
 * A look-up by an index: values `equal` in its first columns, and perhaps a range in the next. In
 * its order, then in that of creation.
 */
export interface Query {
  readonly index: readonly string[];
  readonly equal: readonly (string | number)[];
  readonly range?: { readonly below: number } | { readonly above: number };
  readonly limit: number;
}

export type Cells = Readonly<Record<string, string | number | null>>;

/** For the look-ups of each kind of entry: as of the changes so far, in the order of the index. */
export interface IndexReader extends EntryReader {
  /** Whether it is as of an earlier block. */
  readonly isPast: boolean;
  addressNumber(address: Address): number | undefined;
  list<V>(kind: DocumentKind<V>, query: Query): V[];
  /** Reads no entry. */
  ids<V>(kind: DocumentKind<V>, query: Query): string[];
  /** The named columns, without the entry. */
  rows<V>(kind: DocumentKind<V>, query: Query, columns: readonly string[]): [id: string, Cells][];
}

export function isInRange(cells: Cells, { index, equal, range }: Omit<Query, "limit">): boolean {
  const next = cells[index[equal.length] ?? ""];
  return (
    index.every((name, place) =>
      place < equal.length ? cells[name] === equal[place] : cells[name] !== null,
    ) &&
    (range === undefined ||
      (typeof next === "number" && ("below" in range ? next < range.below : next > range.above)))
  );
}

/** As SQLite sees it. */
export function compareCells(one: Cells, other: Cells, columns: readonly string[]): number {
  for (const name of columns) {
    const [a, b] = [one[name] ?? "", other[name] ?? ""];
    if (a !== b) {
      return a < b ? -1 : 1;
    }
  }
  return 0;
}
