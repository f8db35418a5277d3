import assert from "node:assert/strict";
import { test } from "node:test";
import type { Address } from "@moneta/protocol";
import { tablesSql, versionOf } from "./tables.ts";
import { rowsOf, TestLedger } from "./testing/test-ledger.ts";

test("what another version of the software has left in the tables is made anew from the blocks", async () => {
  using ledger = await TestLedger.begin();
  const [b] = (await ledger.createAddresses(1)) as [Address];
  await ledger.done(ledger.transfer({ from: ledger.treasury, to: b, amount: "10" }));
  const before = rowsOf(ledger.database);
  const { head } = ledger.ledger;

  ledger.database.exec("ALTER TABLE balance RENAME COLUMN free TO unlocked; DELETE FROM token");
  ledger.database.exec("PRAGMA user_version = 1");
  ledger.restart();
  assert.deepEqual(rowsOf(ledger.database), before);
  assert.deepEqual(ledger.ledger.head, head);
  await ledger.done(ledger.transfer({ from: b, to: ledger.treasury, amount: "10" }));
});

test("the version of the tables follows from each of their statements and each source that fills them", () => {
  const sql = tablesSql();
  assert.ok(sql.some((text) => text.startsWith("CREATE TABLE balance")));
  assert.ok(sql.some((text) => text.startsWith("CREATE INDEX")));
  const version = versionOf(sql);
  assert.ok(version > 0 && version < 2 ** 31);
  for (const [index, text] of sql.entries()) {
    assert.notEqual(versionOf(sql.with(index, `${text} `)), version, text);
  }
});

test("a table that only another version had is dropped, too", async () => {
  using ledger = await TestLedger.begin();
  ledger.database.exec("CREATE TABLE gone (a INTEGER); PRAGMA user_version = 1");
  ledger.restart();
  const left = ledger.database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'gone'").get();
  assert.equal(left, undefined);
});

test("tables of this version are left as they are", async () => {
  using ledger = await TestLedger.begin();
  ledger.database.exec("UPDATE address SET addinfo = 'mark'");
  ledger.restart();
  const row = ledger.database.prepare("SELECT addinfo FROM address WHERE number = 0").get();
  assert.equal(row?.["addinfo"], "mark");
});
