import assert from "node:assert/strict";
import { type RecordPart, saysTheSame, type TransactionRecord } from "@moneta/protocol";
import type { LedgerSnapshot, StoredDocument } from "./ledger-snapshot.ts";

type Sums = ReadonlyMap<string, bigint>;

/**
 * `values.moved` of the records of some operations, each of which counts once, adds up to what their
 * addresses have more and less: balances, MRC401 items, free units. `before` is undefined for a new
 * ledger. Source: chain §3.1.
 */
export function assertMovedValues(
  records: readonly TransactionRecord[],
  before: LedgerSnapshot | undefined,
  after: LedgerSnapshot,
): void {
  const moved = sumsOf(
    records.flatMap(countedRecords).flatMap((record) => {
      const { tokens, items, units } = movedIn(record);
      const all = [...entries(tokens), ...entries(items), ...entries(units)];
      return all.map(([id, amount]) => [`${record.address} ${id}`, amount] as const);
    }),
  );
  const changed = sumsOf([
    ...owned(after, before),
    ...(before === undefined ? [] : owned(before, after)).map(([key, has]) => [key, -has] as const),
  ]);
  assert.deepEqual([...moved].toSorted(byKey), [...changed].toSorted(byKey));
}

/** Sums of `values.moved` of an operation by token, without those that are 0. */
export function movedByToken(record: TransactionRecord): Sums {
  return sumsOf(countedRecords(record).flatMap((part) => entries(movedIn(part).tokens)));
}

/** A record without `values.moved`. */
export function withoutMoved<R extends RecordPart>(record: R): R {
  const { moved: _, ...values } = record.values;
  return { ...record, values };
}

/** The records of histories of addresses: without an M that an effect repeats. Source: chain §10. */
function countedRecords({ effects, ...primary }: TransactionRecord): readonly RecordPart[] {
  const isRepeated = effects.some((effect) => saysTheSame(effect, primary));
  return isRepeated ? effects : [primary, ...effects];
}

type MovedTexts = { readonly [id: string]: string };

function movedIn({ address, values }: RecordPart): {
  readonly tokens?: MovedTexts;
  readonly items?: MovedTexts;
  readonly units?: MovedTexts;
} {
  const { moved } = values;
  assert.ok(moved === undefined || address !== "", "what moves, moves for an address");
  return (moved ?? {}) as ReturnType<typeof movedIn>;
}

function entries(texts: MovedTexts = {}): readonly (readonly [string, bigint])[] {
  return Object.entries(texts).map(([id, text]) => {
    assert.match(text, /^-?[1-9][0-9]*$/);
    return [id, BigInt(text)];
  });
}

/** What each address has, by `address id`, without what is the same in another snapshot. */
function owned(
  snapshot: LedgerSnapshot,
  other: LedgerSnapshot | undefined,
): readonly (readonly [string, bigint])[] {
  const differing = (table: "item" | "holding"): readonly StoredDocument[] => {
    const same = new Set(other?.documents(table));
    return snapshot.documents(table).filter((document) => !same.has(document));
  };
  const items = differing("item").flatMap(({ id, owner, lastOwner, projectOwner }) =>
    owner === "MELTED" ? [] : [[`${lastOwner || projectOwner} ${id}`, 1n] as const],
  );
  const units = differing("holding").map(
    ({ address, item, balance }) => [`${address} ${item}`, BigInt(String(balance))] as const,
  );
  const balances = [...snapshot.balances].filter(
    ([key, amount]) => other?.balances.get(key) !== amount,
  );
  return [...balances, ...items, ...units];
}

function sumsOf(changes: Iterable<readonly [string, bigint]>): Sums {
  const sums = new Map<string, bigint>();
  for (const [key, amount] of changes) {
    sums.set(key, (sums.get(key) ?? 0n) + amount);
  }
  return new Map([...sums].filter(([, sum]) => sum !== 0n));
}

function byKey([a]: readonly [string, bigint], [b]: readonly [string, bigint]): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
