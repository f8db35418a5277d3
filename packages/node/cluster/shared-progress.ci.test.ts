import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { MessageChannel } from "node:worker_threads";
import {
  closeWhole,
  EngineUrl,
  Ledger,
  LedgerReader,
  LocalLog,
  openForWriting,
  SYSTEM_TIME,
} from "@moneta/ledger";
import { openEngine, prepareSchema, SharedRows } from "@moneta/ledger/postgres";
import { snapshotsOf } from "../events/read-snapshot.ts";
import { BASE_TIME, BaseLedger, type Holder, transferOf } from "../simulator/base-ledger.ts";
import { PostgresServer } from "../testing/postgres/postgres-server.ts";
import { type ClusterRows, RemoteRows, serveRows } from "./row-calls.ts";
import { SharedProgress, webhookLease } from "./shared-progress.ts";

test("cluster §7: a webhook continues behind the last delivery, though the node gets that block in the middle of its search", async () => {
  using base = await BaseLedger.make();
  const [from, to] = base.holders as readonly [Holder, Holder];
  const later = join(base.folder, "later.db");
  copyFileSync(base.file, later);
  const ids = await transfersIn(later, { from, to, count: 2 });
  const logHeight = base.rows.length + ids.length - 1;

  await using server = await PostgresServer.start();
  const engine = await openEngine(EngineUrl.parse(server.url), {
    timelines: { highest: 0 },
    time: SYSTEM_TIME,
  });
  const connection = await engine.connect({ timeoutMs: 60_000 });
  await prepareSchema(connection, "moneta");
  const rows = new SharedRows((text) => connection.query(text), "moneta");
  const webhook = { id: "w", url: "https://receiver.example" };
  await rows.beginWebhook(webhook, ids[0] as string);
  await server.sql(`INSERT INTO moneta.block VALUES (${logHeight}, '', '', '')`);
  const name = webhookLease(webhook.id);
  const { states } = await rows.takeLeases("a", [name], { settled: 1, held: [] });
  const number = states[0]?.number as number;

  const [before, after] = [new LedgerReader(base.file), new LedgerReader(later)];
  let snapshots = 0;
  const failures: string[] = [];
  const { port1, port2 } = new MessageChannel();
  serveRows(port2, rows as unknown as ClusterRows);
  const remote = new RemoteRows(port1);
  const progress = new SharedProgress(remote, {
    ...{ webhook, kept: undefined, from: undefined },
    readSnapshot: (read) => {
      snapshots += 1;
      return snapshotsOf(snapshots === 1 ? before : after)(read);
    },
    onLost: () => failures.push("lost"),
    onFailure: (message) => failures.push(message),
  });
  progress.take([{ name, number, untilMs: Number.POSITIVE_INFINITY }]);
  const position = await progress.begin();
  assert.equal(
    snapshotsOf(after)((reader) => reader.transactionIdOf(position as number)),
    ids[1],
    "the next one is delivered next",
  );
  assert.deepEqual(failures, []);
  assert.equal((await rows.webhook(webhook.id)).after, ids[0]);
  before.dispose();
  after.dispose();
  remote.close();
  connection.end();
});

/** Writes transfers into a ledger, one a block; returns the ids of their transactions. */
async function transfersIn(
  file: string,
  { from, to, count }: { readonly from: Holder; readonly to: Holder; readonly count: number },
): Promise<readonly string[]> {
  const database = openForWriting(file);
  const ledger = new Ledger(database, new LocalLog(database));
  ledger.catchUp();
  const ids: string[] = [];
  for (let key = 1; key <= count; key += 1) {
    const { text } = transferOf(from, { to: to.address, amount: "1", key });
    const [outcome] = (await ledger.execute([[text]], BASE_TIME)).outcomes;
    assert.ok(outcome?.kind === "done");
    ids.push(...outcome.transactionIds);
  }
  closeWhole(database);
  return ids;
}
