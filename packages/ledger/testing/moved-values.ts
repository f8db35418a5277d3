import assert from "node:assert/strict";
import {
  type Move,
  type MoveKind,
  operationRecords,
  type RecordPart,
  saysTheSame,
  type TransactionRecord,
} from "@moneta/protocol";
import type { LedgerSnapshot, StoredDocument } from "./ledger-snapshot.ts";

type Sums = ReadonlyMap<string, bigint>;

/**
 * Asserts that `values.moved` of the records of some operations, each counted once, equals the
 * changes of balances, MRC401 items and free units of their addresses. `before` is undefined for a
 * new ledger. Source: chain §3.1.
 */
export function assertMovedValues(
  records: readonly TransactionRecord[],
  before: LedgerSnapshot | undefined,
  after: LedgerSnapshot,
): void {
  const moved = sumsOf(
    records
      .flatMap(operationRecords)
      .flatMap(({ record }) => countedRecords(record))
      .flatMap((record) =>
        movedIn(record).map(({ id, amount }) => [`${record.address} ${id}`, amount] as const),
      ),
  );
  const changed = sumsOf([
    ...owned(after, before),
    ...(before === undefined ? [] : owned(before, after)).map(([key, has]) => [key, -has] as const),
  ]);
  assert.deepEqual([...moved].toSorted(byKey), [...changed].toSorted(byKey));
}

/** Sums of `values.moved` of an operation by token, without those that are 0. */
export function movedByToken(record: TransactionRecord): Sums {
  const moves = countedRecords(record).flatMap(movedIn);
  return sumsOf(
    moves.filter(({ kind }) => kind === "token").map(({ id, amount }) => [id, amount] as const),
  );
}

/** The records of histories of addresses: without an M that an effect repeats. Source: chain §10. */
function countedRecords({ effects, ...primary }: TransactionRecord): readonly RecordPart[] {
  const isRepeated = effects.some((effect) => saysTheSame(effect, primary));
  return isRepeated ? effects : [primary, ...effects];
}

const KINDS: readonly string[] = ["token", "mrc401id", "mrc402id"];

/** Tokens by number, then MRC401 items and MRC402 items by id, each once. */
function movedIn({ address, values }: RecordPart): readonly Move[] {
  const { moved = [] } = values;
  assert(Array.isArray(moved));
  assert.ok(moved.length === 0 || address !== "", "what moves, moves for an address");
  const moves = (moved as readonly { readonly [name: string]: string }[]).map((entry) => {
    const [[name, amount = ""], [kind, id = ""], ...others] = Object.entries(entry) as [
      [string, string],
      [string, string],
    ];
    assert.deepEqual([name, KINDS.includes(kind), others], ["amount", true, []]);
    assert.match(amount, /^-?[1-9][0-9]*$/);
    return { kind: kind as MoveKind, id, amount: BigInt(amount) };
  });
  const places = moves.map(({ kind, id }) =>
    [KINDS.indexOf(kind), kind === "token" ? id.padStart(20) : id].join(),
  );
  assert.deepEqual(places, [...new Set(places)].sort());
  return moves;
}

/** Holdings of each address, by `address id`, without those equal in another snapshot. */
function owned(
  snapshot: LedgerSnapshot,
  other: LedgerSnapshot | undefined,
): readonly (readonly [string, bigint])[] {
  const differing = (table: "item" | "holding"): readonly StoredDocument[] => {
    const same = new Set(other?.documents(table));
    return snapshot.documents(table).filter((document) => !same.has(document));
  };
  const items = differing("item").flatMap(({ id, owner, projectOwner }) =>
    owner === "MELTED" ? [] : [[`${owner || projectOwner} ${id}`, 1n] as const],
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
