import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { Database } from "../database.ts";
import { HistoryView } from "./history.ts";

// What it takes to find the first transactions of many addresses: anybody may ask for the past of
// 100 addresses, and may have made a history of many kinds for each.

const ADDRESSES = Array.from({ length: 100 }, (_, index) => index);
const KIND = 2 ** 32;
const ENTRY = 4096;
const LIMIT = 500;

/** A history, and how many questions and rows it has taken. */
function countingView(): {
  readonly view: HistoryView;
  readonly database: DatabaseSync;
  work: number;
} {
  const database = new DatabaseSync(":memory:");
  const counting = { database, work: 0, view: undefined as unknown as HistoryView };
  HistoryView.create(database as unknown as Database);
  const prepare = (sql: string) => {
    const statement = database.prepare(sql);
    return {
      all(...values: number[]) {
        const rows = statement.all(...values);
        counting.work += 1 + rows.length;
        return rows;
      },
    };
  };
  counting.view = new HistoryView({ prepare } as unknown as Database, "read");
  return counting;
}

function file(database: DatabaseSync, entries: Iterable<readonly [number, number, number]>): void {
  const insert = database.prepare("INSERT INTO history VALUES (?, ?, ?)");
  database.exec("BEGIN");
  for (const [address, kind, transaction] of entries) {
    insert.run(address, kind * KIND, transaction * ENTRY);
  }
  database.exec("COMMIT");
}

test("addresses with many kinds of entries are not asked kind by kind", () => {
  const counting = countingView();
  function* received() {
    for (const address of ADDRESSES) {
      for (let token = 0; token < 300; token += 1) {
        yield [address, token, token] as const;
      }
    }
  }
  file(counting.database, received());
  const found = counting.view.transactionsOf(ADDRESSES, { from: 0, before: 300 }, LIMIT);
  assert.equal(found, undefined);
  assert.ok(counting.work < 1100, `${counting.work} questions and rows`);
});

test("of addresses with long histories no more is read than is wanted", () => {
  const counting = countingView();
  const count = 60_000;
  function* received() {
    for (let number = 0; number < count; number += 1) {
      yield [number % ADDRESSES.length, number % 7, number] as const;
    }
  }
  file(counting.database, received());
  const wanted = { from: 100, before: count };
  const found = counting.view.transactionsOf(ADDRESSES, wanted, LIMIT);
  assert.deepEqual(
    found?.transactions,
    Array.from({ length: LIMIT }, (_, index) => 100 + index),
  );
  assert.equal(found?.end, 100 + LIMIT);
  assert.ok(counting.work < 10_000, `${counting.work} questions and rows`);
});
