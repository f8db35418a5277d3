import assert from "node:assert/strict";
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { openForWriting } from "../database.ts";
import { rowsOf, TestLedger } from "../testing/test-ledger.ts";
import { UnusableLedger } from "../unusable-ledger.ts";
import { checkLedgerFile } from "./ledger-format.ts";
import { LocalLog } from "./local-log.ts";

for (const { what, sql, says } of [
  {
    what: "a ledger of a development build without a mark",
    sql: "PRAGMA application_id = 0",
    says: /a ledger that a development build of Moneta has made/,
  },
  {
    what: "a ledger of a development build with another mark",
    sql: `PRAGMA application_id = ${0x4d4f4e01}`,
    says: /a ledger that a development build of Moneta has made/,
  },
  {
    what: "a ledger of a newer format",
    sql: `PRAGMA application_id = ${0x4d4e5402}`,
    says: /a ledger of format 2, which another version of Moneta has made/,
  },
  {
    what: "a database of another program",
    sql: "ALTER TABLE block_log RENAME TO blocks; PRAGMA application_id = 252006673",
    says: /a database that is no ledger of Moneta/,
  },
]) {
  test(`${what} is refused in one sentence, and stays as it was`, async () => {
    using ledger = await TestLedger.begin();
    checkLedgerFile(ledger.file);
    ledger.database.exec(sql);
    const before = rowsOf(ledger.database);
    for (const open of [
      () => checkLedgerFile(ledger.file),
      () => new LocalLog(ledger.database),
      () => new LocalLog(ledger.database, "read"),
    ]) {
      assert.throws(open, (thrown) => {
        assert(thrown instanceof UnusableLedger);
        assert.match(thrown.message, says);
        assert.match(thrown.message, /give it a new directory .*nothing was changed or deleted$/);
        assert.doesNotMatch(thrown.message, /\n/);
        return true;
      });
    }
    assert.deepEqual(rowsOf(ledger.database), before);
  });
}

test("a file whose making was cut off is rolled back, and is no ledger yet", (t) => {
  const directory = mkdtempSync(join(tmpdir(), "moneta-unfinished-"));
  t.after(() => rmSync(directory, { recursive: true }));
  const [unfinished, file] = [join(directory, "unfinished.db"), join(directory, "ledger.db")];
  const making = new DatabaseSync(unfinished);
  // A cache of one page, so that the file has a part of the transaction, as after the first write.
  making.exec("PRAGMA cache_size = 1; BEGIN; CREATE TABLE made (text)");
  making.prepare("INSERT INTO made VALUES (?)").run("x".repeat(1 << 20));
  for (const suffix of ["", "-journal"]) {
    copyFileSync(`${unfinished}${suffix}`, `${file}${suffix}`); // as a kill leaves them
  }
  making.close();
  assert.ok(statSync(file).size > 0);
  assert.equal(checkLedgerFile(file), false);
  assert.ok(!existsSync(`${file}-journal`));
});

test("a ledger whose making was cut off before block 0 is none yet", (t) => {
  const directory = mkdtempSync(join(tmpdir(), "moneta-no-block-"));
  t.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, "ledger.db");
  const database = openForWriting(file);
  new LocalLog(database);
  database.close();
  assert.equal(checkLedgerFile(file), false);
});

test("a new ledger is marked together with its first table, and a blank file is none yet", () => {
  const database = openForWriting(":memory:");
  assert.throws(() => new LocalLog(database, "read"), /holds no ledger/);
  const log = new LocalLog(database);
  assert.equal(log.height(), -1);
  assert.equal(new LocalLog(database, "read").height(), -1);
});
