import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { RECORD_TYPES, type TransactionRecord } from "@moneta/protocol";
import fc from "fast-check";
import type { Database } from "../database.ts";
import { HistoryView } from "./history.ts";

// Histories, which index the records of transactions by address, type and token.

const EVERYTHING = { types: undefined, token: undefined, from: 0, before: 2 ** 40 };
const ENTRY = 4096;
const FEW = { max: 6 };

interface Received {
  readonly address: number;
  readonly type: number;
  readonly token: number;
}

/** A history of one record for each transaction, written in so many database transactions. */
function historyOf(all: readonly Received[], together = all.length): HistoryView {
  const database = new DatabaseSync(":memory:") as unknown as Database;
  HistoryView.create(database);
  const view = new HistoryView(database, "write");
  for (const [number, { address, type, token }] of all.entries()) {
    if (number % together === 0) {
      database.exec("BEGIN");
    }
    const record = {
      ...{ type: RECORD_TYPES[type], address: String(address), token },
      ...{ parameters: [], values: [], effects: [] },
    };
    view.insert(number, record as unknown as TransactionRecord, {
      address: Number,
      item: () => [],
    });
    if (number % together === together - 1 || number === all.length - 1) {
      database.exec("COMMIT");
    }
  }
  return view;
}

const received = fc.record({
  address: fc.nat({ max: 3 }),
  type: fc.nat(FEW),
  token: fc.nat(FEW),
});

test("a page has the newest entries of a subject that all given conditions select", () => {
  const filter = fc.record({
    types: fc.option(fc.uniqueArray(fc.nat(FEW)), { nil: undefined }),
    token: fc.option(fc.nat(FEW), { nil: undefined }),
    from: fc.nat(20),
    before: fc.integer({ min: 20, max: 90 }),
  });
  const page = fc.record({
    after: fc.option(fc.nat(80 * ENTRY), { nil: undefined }),
    limit: fc.integer({ min: 1, max: 9 }),
  });
  fc.assert(
    fc.property(
      ...[fc.array(received, { maxLength: 80 }), filter, page, fc.integer({ min: 1, max: 20 })],
      (all, wanted, { after, limit }, together) => {
        const { types, token, from, before } = wanted;
        const expected = [...all.entries()]
          .filter(
            ([number, each]) =>
              each.address === 1 &&
              (types?.includes(each.type) ?? true) &&
              (token === undefined || each.token === token) &&
              number >= from &&
              number < before &&
              number * ENTRY < (after ?? Number.POSITIVE_INFINITY),
          )
          .map(([number]) => number * ENTRY)
          .reverse()
          .slice(0, limit);
        assert.deepEqual(historyOf(all, together).page(1, wanted, { after, limit }), expected);
      },
    ),
  );
});

test("a token of any number of digits that no record has is a filter, and so are all types at once", () => {
  const view = historyOf([{ address: 1, type: 0, token: 1 }]);
  const page = (more: object): readonly number[] =>
    view.page(1, { ...EVERYTHING, ...more }, { after: undefined, limit: 9 });
  for (const token of ["1234567890123456789012", "1".repeat(40), "9".repeat(40)]) {
    assert.deepEqual(page({ token: Number(token) }), [], token);
  }
  assert.deepEqual(page({ types: [...RECORD_TYPES.keys()] }), [0]);
});

test("the transactions of some addresses are found piece by piece, the oldest first", () => {
  fc.assert(
    fc.property(
      ...[fc.array(received, { maxLength: 80 }), fc.subarray([0, 1, 2, 3]), fc.nat(30)],
      (all, addresses, from) => {
        const view = historyOf(all, 7);
        const found: number[] = [];
        for (let next = from; next < all.length; ) {
          const piece = view.transactionsOf(addresses, { from: next, before: all.length }, 3);
          assert.ok(piece.end > next && piece.transactions.length <= 3);
          found.push(...piece.transactions);
          next = piece.end;
        }
        const expected = [...all.keys()].filter(
          (number) => number >= from && addresses.includes(all[number]?.address as number),
        );
        assert.deepEqual(found, expected);
      },
    ),
  );
});

test("a page costs no more where an address has more entries: they are read in order, from its bound on", () => {
  const database = new DatabaseSync(":memory:");
  HistoryView.create(database as unknown as Database);
  const statements: string[] = [];
  const noting = { prepare: (sql: string) => void statements.push(sql) };
  new HistoryView(noting as unknown as Database, "read");
  const plans = statements.map((sql) => {
    const bounds = Array.from(sql.matchAll(/\?/g), () => 0);
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...bounds);
    return plan.map(({ detail }) => String(detail)).join(", ");
  });
  // 64: in the order of the numbers; 192: newest first.
  assert.deepEqual(
    plans,
    [192, 64].map((index) => `SCAN history VIRTUAL TABLE INDEX ${index}:M1><`),
  );
});
