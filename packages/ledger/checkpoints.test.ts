import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { Checkpoints } from "./checkpoints.ts";
import { checkpoint, logState, openForCheckpoints, openForReading } from "./database.ts";
import { TestLedger } from "./testing/test-ledger.ts";

/** Reads on one snapshot after the other: each is open for 20 ms, and overlaps the next one. */
const READER = `
  const { DatabaseSync } = require("node:sqlite");
  const { parentPort, workerData } = require("node:worker_threads");
  const connections = [0, 1].map(() => new DatabaseSync(workerData, { readOnly: true }));
  for (let turn = 0; ; turn += 1) {
    const [next, last] = turn % 2 === 0 ? connections : connections.toReversed();
    next.exec("BEGIN; SELECT count(*) FROM sqlite_schema");
    if (last.isTransaction) {
      last.exec("COMMIT");
    }
    if (turn === 0) {
      parentPort.postMessage("reads");
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  }`;

test("the log of changes is copied after every transaction that alone has enough pages", async () => {
  using ledger = await TestLedger.begin();
  const { database } = ledger;
  const checkpoints = new Checkpoints(database);
  database.exec("CREATE TABLE pages (content BLOB)");
  for (let transaction = 0; transaction < 4; transaction += 1) {
    database.exec(`BEGIN; DELETE FROM pages; ${inserts(4500)}; COMMIT`);
    const { pages } = logState(database);
    assert.ok(pages > 4000 && pages < 6000, `${pages} pages`);
    assert.equal(checkpoints.run()?.copied, pages);
  }
});

test("another thread copies most of the log of changes, the ledger the rest, and the log begins anew", async () => {
  using ledger = await TestLedger.begin();
  const { database, file } = ledger;
  const other = openForCheckpoints(file);
  const copying = Promise.withResolvers<void>();
  const checkpoints = new Checkpoints(database);
  checkpoints.copyBy(async () => {
    checkpoint(other);
    await copying.promise;
  });
  database.exec("CREATE TABLE pages (content BLOB)");
  const write = (pages: number): void => database.exec(inserts(pages));
  write(4500);
  // With a reader, the next write does not begin the log anew.
  const reader = openForReading(file);
  reader.exec("BEGIN; SELECT count(*) FROM pages");
  assert.equal(checkpoints.run(), undefined);
  write(100);
  assert.equal(checkpoints.run(), undefined, "another thread is copying");
  const { pages, copied } = logState(database);
  assert.ok(copied > 4500 && pages > copied, `${copied} of ${pages}`);
  reader.close();
  copying.resolve();
  await setImmediate();
  assert.equal(checkpoints.run()?.copied, pages);
  write(100);
  assert.ok(logState(database).pages < 200);
  other.close();
});

test("the log of changes is reused although there is always a reader", async () => {
  using ledger = await TestLedger.begin();
  const { database, file } = ledger;
  const checkpoints = new Checkpoints(database);
  database.exec("CREATE TABLE pages (content BLOB)");
  const reader = new Worker(READER, { eval: true, workerData: file });
  await once(reader, "message");
  let [largest, smallest] = [0, Number.POSITIVE_INFINITY];
  for (let block = 0; block < 1000 && smallest > 1000; block += 1) {
    database.exec(`BEGIN; DELETE FROM pages; ${inserts(500)}; COMMIT`);
    checkpoints.run();
    const { pages } = logState(database);
    largest = Math.max(largest, pages);
    smallest = largest > 15_000 ? Math.min(smallest, pages) : smallest;
  }
  await reader.terminate();
  // On a slow machine some attempts wait in vain, and some that do not wait find no reader. Without
  // waiting 150,000 and more.
  assert.ok(largest < 100_000, `${largest} pages`);
});

/** SQL that fills so many pages. */
function inserts(pages: number): string {
  return `INSERT INTO pages WITH RECURSIVE row (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM row WHERE n < ${pages}) SELECT zeroblob(4000) FROM row`;
}
