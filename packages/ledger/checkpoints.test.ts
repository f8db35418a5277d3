import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import type { Address } from "@moneta/protocol";
import { Checkpoints } from "./checkpoints.ts";
import { logState } from "./database.ts";
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
  const rows =
    "WITH RECURSIVE row (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM row WHERE n < 4500) SELECT zeroblob(4000) FROM row";
  database.exec("CREATE TABLE pages (content BLOB)");
  for (let transaction = 0; transaction < 4; transaction += 1) {
    database.exec(`BEGIN; DELETE FROM pages; INSERT INTO pages ${rows}; COMMIT`);
    const { pages } = logState(database);
    assert.ok(pages > 4000 && pages < 6000, `${pages} pages`);
    assert.equal(checkpoints.run()?.copied, pages);
  }
});

test("the log of changes is reused although there is always somebody reading", async () => {
  using ledger = await TestLedger.begin({ supply: "100000" });
  const [address] = (await ledger.createAddresses(1)) as [Address];
  const reader = new Worker(READER, { eval: true, workerData: ledger.file });
  await once(reader, "message");
  const memo = "m".repeat(2048);
  let [largest, smallest] = [0, Number.POSITIVE_INFINITY];
  for (let block = 0; block < 1000 && smallest > 1000; block += 1) {
    const transfers = Array.from({ length: 100 }, () =>
      ledger.transfer({ from: ledger.treasury, to: address, amount: "1", memo }),
    );
    await ledger.execute(...transfers);
    ledger.ledger.checkpoint();
    const { pages } = logState(ledger.database);
    largest = Math.max(largest, pages);
    smallest = largest > 15_000 ? Math.min(smallest, pages) : smallest;
  }
  await reader.terminate();
  // On a slow machine some attempts wait in vain, and some that do not wait find nobody. Without
  // waiting 150,000 and more.
  assert.ok(largest < 100_000, `${largest} pages`);
});
