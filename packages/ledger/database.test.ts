import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { Address } from "@moneta/protocol";
import {
  copyDatabase,
  openForReading,
  openForWriting,
  storageFailure,
  takeLock,
} from "./database.ts";
import { Ledger } from "./ledger.ts";
import { LocalLog } from "./log/local-log.ts";
import { rowsOf, TestLedger } from "./testing/test-ledger.ts";

test("a copy is that of one moment, and a ledger continues from it", async () => {
  using ledger = await TestLedger.begin();
  const [b] = (await ledger.createAddresses(1)) as [Address];
  const sent = { from: ledger.treasury, to: b, amount: "1" };
  await ledger.done(
    ...Array.from({ length: 200 }, () => ledger.transfer({ ...sent, memo: "m".repeat(2000) })),
  );
  const rows = rowsOf(ledger.database);
  const before = ledger.ledger.head;

  const file = `${ledger.file}.copy`;
  const progress: number[] = [];
  const copying = copyDatabase(ledger.file, file, (done) => progress.push(done));
  await ledger.done(ledger.transfer(sent));
  await copying;

  const copy = openForWriting(file);
  const goesOn = new Ledger(copy, new LocalLog(copy));
  assert.equal(goesOn.head.id, before.id);
  assert.deepEqual(rowsOf(copy), rows);
  await goesOn.execute([[ledger.addressOperation(ledger.drawAddress())]], ledger.now);
  assert.equal(goesOn.head.height, before.height + 1);
  copy.close();
});

test("a lock is held once, and is free again when its process ends", async () => {
  using ledger = await TestLedger.begin();
  const file = `${ledger.file}.lock`;
  const take = (): boolean => {
    const script = `import { takeLock } from ${JSON.stringify(new URL("./database.ts", import.meta.url).href)};
      process.exit(takeLock(${JSON.stringify(file)}) === undefined ? 1 : 0);`;
    return spawnSync(process.execPath, ["--input-type=module", "-e", script]).status === 0;
  };
  assert.equal(take(), true);
  const held = takeLock(file);
  assert(held !== undefined);
  assert.equal(take(), false);
  assert.equal(takeLock(file), undefined);
  held.close();
  assert.equal(take(), true);
});

test("conventions §2.6: what writes waits for the disk at every commit", async () => {
  using ledger = await TestLedger.begin();
  const database = openForWriting(`${ledger.file}.other`);
  assert.deepEqual({ ...database.prepare("PRAGMA synchronous").get() }, { synchronous: 2 });
  assert.deepEqual({ ...database.prepare("PRAGMA journal_mode").get() }, { journal_mode: "wal" });
  database.close();
});

test("a file that is not there or may only be read is a failure of the machine, another error is not", async () => {
  using ledger = await TestLedger.begin();
  const failureOf = (act: () => void): boolean => {
    try {
      act();
    } catch (thrown) {
      return storageFailure(thrown) !== undefined;
    }
    return assert.fail("it should have failed");
  };
  const reading = openForReading(ledger.file);
  assert.equal(
    failureOf(() => reading.exec("DELETE FROM head")),
    true,
  );
  assert.equal(
    failureOf(() => reading.exec("SELECT FROM")),
    false,
  );
  assert.equal(
    failureOf(() => openForReading(`${ledger.file}.none`)),
    true,
  );
  reading.close();
});

/** To root no file is read-only, so root becomes the user `nobody`, once it has loaded what it needs. */
const OPEN_UNPRIVILEGED = `
  import { readFileSync } from "node:fs";
  const [database, file] = process.argv.slice(1);
  const { openForWriting } = await import(database);
  if (process.getuid?.() === 0) {
    process.setgid(65534);
    process.setuid(65534);
  }
  readFileSync(file);
  try {
    openForWriting(file);
  } catch (thrown) {
    console.log(String(thrown));
  }
`;

test("a database that may only be read is refused for writing, with its name", async (t) => {
  using ledger = await TestLedger.begin();
  const folder = mkdtempSync(join(tmpdir(), "moneta-read-only-"));
  t.after(() => rmSync(folder, { recursive: true }));
  chmodSync(folder, 0o755);
  const file = join(folder, "ledger.db");
  await copyDatabase(ledger.file, file, () => undefined);
  chmodSync(file, 0o444);
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      ...["--input-type=module", "--eval", OPEN_UNPRIVILEGED],
      ...[new URL("database.ts", import.meta.url).href, file],
    ],
    { encoding: "utf8" },
  );
  assert.match(stdout, /^StorageFailure: .*ledger\.db cannot be written: EACCES/, stderr);
});
