import assert from "node:assert/strict";
import { test } from "node:test";
import type { Address } from "@moneta/protocol";
import { type Difference, firstDifference } from "./compare-views.ts";
import { replay, T, TestLedger } from "./testing/test-ledger.ts";

/** What is found on a ledger after a change to its tables. */
async function differenceAfter(sql: string): Promise<Difference | undefined> {
  using ledger = await TestLedger.begin();
  const [b] = (await ledger.createAddresses(1)) as [Address];
  await ledger.done(ledger.transfer({ from: ledger.treasury, to: b, amount: "10" }));
  const unlockdate = String(T + 100);
  await ledger.done(
    ledger.transfer({ from: ledger.treasury, to: b, amount: "5", unlockdate, memo: "lock" }),
  );
  ledger.database.exec(sql);
  const { database } = replay(ledger.blocks);
  const counted: number[] = [];
  const difference = firstDifference(ledger.database, database, (rows) => counted.push(rows));
  assert.deepEqual(
    counted,
    counted.map((_, index) => index + 1),
  );
  return difference;
}

test("what follows from the blocks does not differ from what they are replayed to", async () =>
  assert.equal(await differenceAfter("SELECT 1"), undefined));

for (const { sql, table, kind } of [
  { sql: "UPDATE balance SET free = '11' WHERE address = 1", table: "balance", kind: "missing" },
  { sql: "DELETE FROM balance WHERE address = 1", table: "balance", kind: "missing" },
  {
    sql: "INSERT INTO balance VALUES (1, 7, '5', 0, '0', 0)",
    table: "balance",
    kind: "unexpected",
  },
  { sql: "UPDATE balance SET locks = 2 WHERE locks = 1", table: "balance", kind: "missing" },
  { sql: "UPDATE balance SET locked = '6' WHERE locks = 1", table: "balance", kind: "missing" },
  { sql: "UPDATE lock SET amount = '6'", table: "lock", kind: "missing" },
  { sql: "UPDATE lock SET unlock_date = unlock_date + 1", table: "lock", kind: "missing" },
  { sql: "DELETE FROM lock", table: "lock", kind: "missing" },
  { sql: "INSERT INTO lock VALUES (1, 7, 5, '5')", table: "lock", kind: "unexpected" },
  { sql: "UPDATE address SET addinfo = 'x' WHERE number = 0", table: "address", kind: "missing" },
  { sql: "DELETE FROM used_key", table: "used_key", kind: "missing" },
  { sql: "UPDATE head SET size = size + 1", table: "head", kind: "missing" },
  {
    sql: "UPDATE transaction_record SET record = replace(record, '10', '11')",
    table: "transaction_record",
    kind: "missing",
  },
  {
    sql: "UPDATE transaction_record SET leaf_hash = zeroblob(32) WHERE number = 1",
    table: "transaction_record",
    kind: "missing",
  },
  {
    sql: "UPDATE transaction_record SET type = type + 1 WHERE number = 1",
    table: "transaction_record",
    kind: "missing",
  },
  {
    sql: "UPDATE transaction_record SET token = 7 WHERE number = 1",
    table: "transaction_record",
    kind: "missing",
  },
  {
    sql: "INSERT INTO history (history) VALUES ('delete-all')",
    table: "history",
    kind: "missing",
  },
  {
    sql: "INSERT INTO history (rowid, words) VALUES (9, 'z')",
    table: "history",
    kind: "unexpected",
  },
  { sql: "INSERT INTO token_trade VALUES (1, 0, 0)", table: "token_trade", kind: "unexpected" },
  { sql: "UPDATE holder_count SET holders = 9", table: "holder_count", kind: "missing" },
  { sql: "UPDATE holder_rank SET magnitude = 9", table: "holder_rank", kind: "missing" },
  {
    sql: "INSERT INTO token_candle VALUES (0, 0, 60, 0, 1, '1', '1', '1', '1', '1')",
    table: "token_candle",
    kind: "unexpected",
  },
  {
    sql: "INSERT INTO token_market VALUES (0, 0, 1, '1', '1', '1', 0, 1)",
    table: "token_market",
    kind: "unexpected",
  },
  {
    sql: "INSERT INTO project_market VALUES (0, 0, '{}')",
    table: "project_market",
    kind: "unexpected",
  },
  {
    sql: "UPDATE active_addresses SET registers = zeroblob(2048)",
    table: "active_addresses",
    kind: "missing",
  },
  { sql: "UPDATE total SET count = count + 1", table: "total", kind: "missing" },
  { sql: "DELETE FROM total WHERE step = 60", table: "total", kind: "missing" },
  { sql: "INSERT INTO total VALUES (7200, 0, 0, 1)", table: "total", kind: "unexpected" },
  { sql: "UPDATE block SET id = 'x' WHERE height = 1", table: "block", kind: "missing" },
  { sql: "INSERT INTO subtree VALUES (1, 0, zeroblob(32))", table: "subtree", kind: "unexpected" },
]) {
  test(`${sql} is found`, async () => {
    const difference = await differenceAfter(sql);
    assert.deepEqual([difference?.table, difference?.kind], [table, kind]);
  });
}

test("used keys that are no longer recognised may be there or not", async () =>
  assert.equal(await differenceAfter("INSERT INTO used_key VALUES (1, 1, 'x', 1)"), undefined));
