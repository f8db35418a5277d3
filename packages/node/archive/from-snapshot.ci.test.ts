import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { Ledger, LocalLog, openForWriting } from "@moneta/ledger";
import { byLane } from "../../ledger/testing/lane.ts";
import { archive } from "../commands/archive.ts";
import { prune } from "../commands/prune.ts";
import { rebuild } from "../commands/rebuild.ts";
import { snapshot } from "../commands/snapshot.ts";
import { verify } from "../commands/verify.ts";
import { dataDirectory, LEDGER_PART, makeDataDirectory } from "../data-directory/data-directory.ts";
import { outputOf, printed } from "../testing/command-in-process.ts";
import { imagesAfterCuts, parseDiskLog } from "../testing/disks/cut-disk.ts";
import { ObservedDisk } from "../testing/disks/observed-disk.ts";
import { PostgresServer } from "../testing/postgres/postgres-server.ts";
import { Market, tradeAll } from "../testing/requests/market.ts";
import { AMOUNT_MAX, issued } from "../testing/requests/token-requests.ts";
import { SeededRandom } from "../testing/seeded-random.ts";
import { runMonetaIn, ServiceProcess } from "../testing/service-process.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import {
  type KeyHolder,
  newKey,
  parsed,
  publicPem,
  summaryOf,
  TestNode,
} from "../testing/test-node.ts";
import { until } from "../testing/until.ts";
import { startFromSnapshot } from "./start-from-snapshot.ts";

const CHAPTER = new URL("../../../docs/specification/proofs.md", import.meta.url);
const CUTS = byLane({ quick: 4, long: 200 });
const skip = ObservedDisk.missing() ?? false;

let directory: TemporaryDirectory;
let node: TestNode;
let file: string;
/** The first block behind block 0 that the snapshot has. */
let first: number;
let key: string;
let alice: KeyHolder;
/** Have traded tokens 1 and 2. */
let traders: readonly [seller: KeyHolder, buyer: KeyHolder];
/** The id of a transaction that the snapshot does not have, and of those that it has. */
let old: string;
let recent: readonly string[];
let made: Awaited<ReturnType<TestNode["post"]>>;

const ADDRESS = { publickey: "" };
const SAME = { "Idempotency-Key": "one" };

before(async () => {
  directory = new TemporaryDirectory("from-snapshot");
  node = await TestNode.start("--state-roots", "1");
  const issuer = await node.holder();
  const market = new Market(node, issuer);
  await issued(node, issuer, { totalsupply: String(AMOUNT_MAX) });
  const seller = await market.holder(100n, { tokens: { [market.gold]: 1000n } });
  const buyer = await market.holder(10_000n);
  await tradeAll(market, seller, buyer);
  traders = [seller, buyer];
  const other = await market.issue(seller, "5000");
  const sold = { ...market.listing1({ p: buyer }), mrc010id: other };
  const dexid = await market.list("sell", seller, sold);
  assert.equal(summaryOf(await market.send("mrc010buy", buyer, { dexid, amount: "400" })), "200");
  // An hour of its own for block 0, and one that begins before the snapshot's blocks.
  node.now += 7200;
  alice = await node.holder();
  ADDRESS.publickey = publicPem(newKey());
  made = await node.post("/address", ADDRESS, SAME);
  old = await node.pay(alice, 60n);
  recent = [await node.pay(alice, 40n)];
  node.now += 200_000;
  recent = [await node.pay(alice, 20n), ...recent];
  key = (await node.get("/checkpoint/key")).text.trim();
  const height = await node.height();
  await proves(node, height);
  file = join(directory.path, "state.snapshot");
  const output = await outputOf(() => snapshot(node.data, file));
  assert.match(output, / --from-snapshot '?\S*state\.snapshot'? --log-key /);
  assert.deepEqual(readdirSync(directory.path), ["state.snapshot"]);
  ({ first } = JSON.parse(gunzipSync(readFileSync(file)).toString().split("\n")[0] ?? ""));
});
after(async () => {
  await node?.[Symbol.asyncDispose]();
  directory[Symbol.dispose]();
});

/** Waits until the node proves a balance as of a block or a later one. */
async function proves(of: TestNode, height: number): Promise<void> {
  await until(async () => {
    const proof = await of.get(`/balance/${alice.address}/0?proof=1`);
    return proof.status === 200 && parsed<{ height: number }>(proof).height >= height;
  });
}

function startedFrom(...flags: string[]): Promise<TestNode> {
  return TestNode.start("--from-snapshot", file, "--log-key", key, "--state-roots", "1", ...flags);
}

test("proofs §5: the example prints a balance of a snapshot", () => {
  const section = readFileSync(CHAPTER, "utf8").split("\n## 5 ")[1]?.split("\n## ")[0] ?? "";
  const [, example = ""] = /```sh\n([\s\S]*?)```/.exec(section) ?? [];
  const environment = { ...process.env, SNAPSHOT: file, ADDRESS: alice.address };
  const output = execFileSync("sh", ["-euc", example], { encoding: "utf8", env: environment });
  assert.equal(output, `["balance/${alice.address}/0",{"free":"120"}]\n`);
});

test("proofs §5.6: a node that starts from a snapshot serves the state, proves it, and continues", async () => {
  await using other = await startedFrom();
  assert.equal(other.ledgerId, node.ledgerId);
  assert.deepEqual(await other.balances(alice, "0"), ["120"]);
  const height = await other.height();
  assert.equal(
    (await other.get(`/block/${height}`)).text,
    (await node.get(`/block/${height}`)).text,
  );
  assert.equal(summaryOf(await other.get(`/transaction/${recent[0]}/proof`)), "200");
  assert.equal(summaryOf(await other.get(`/address/${alice.address}?height=${height - 1}`)), "200");
  await proves(other, 0);
  const paid = await other.transfer(alice, { to: made.text.trim(), amount: "1" });
  assert.equal(summaryOf(await other.post("/transfer", paid)), "200");
  assert.equal(await other.height(), height + 1);
  await other.stop();
  // Left by a start that was killed after its last rename.
  const part = join(other.data, LEDGER_PART);
  mkdirSync(join(part, "left"), { recursive: true });
  // The setting stays in the command: the second start has a ledger.
  await other.resume();
  assert.ok(!existsSync(part));
  assert.equal(await other.height(), height + 1);
  await other.stop();
  const { exitCode, output } = await printed(() => verify(other.data));
  assert.equal(exitCode, 2, output);
  assert.match(output, /lacks the blocks from 1 to [1-9]/);
  assert.throws(() => rebuild(other.data), /lacks the blocks from 1 to [1-9]/);
});

test("proofs §5.6: reads of older blocks are refused with 6013, and lists end there", async () => {
  await using other = await startedFrom();
  for (const path of [
    ...["/block/1", "/block/1/raw", "/blocks/raw?from=1&limit=1", "/blocks/raw"],
    ...[`/transaction/${old}`, `/transaction/${old}/proof`, `/events?from=1`, "/events?from=0"],
    ...["/checkpoint/consistency?from=2", "/tlog/tile/entries/000.p/5"],
  ]) {
    assert.equal(summaryOf(await other.get(path)), "410 6013", path);
  }
  assert.equal(summaryOf(await other.get(`/block/0`)), "200");
  const history = await other.get(`/address/${alice.address}/transactions`);
  const ids = [...history.text.matchAll(/"id":"([0-9a-f]{64})"/g)].map(([, id]) => id);
  // On a busy machine a root may have come between both, behind which the snapshot begins.
  const kept = recent.filter((id) => Number.parseInt(id.slice(0, 16), 16) >= first);
  assert.deepEqual(ids, kept);
  assert.ok(kept.length > 0);
  assert.equal(summaryOf(await other.get("/transactions?limit=100")), "200");
  const again = await other.post("/address", ADDRESS, SAME);
  assert.equal(summaryOf(again), "410 6013");
  assert.equal(summaryOf(await other.post("/address?dry=1", ADDRESS, SAME)), "410 6013");
  assert.equal(summaryOf(await other.get(`/address/${made.text.trim()}`)), "200");
});

test("proofs §6.9: an audit of a node that started from a snapshot finds nothing wrong, whatever is older", async () => {
  const folder = join(directory.path, "older blocks");
  await outputOf(() => archive(node.data, folder, first));
  await using other = await startedFrom();
  // A sample has often the list of tokens, totals, candles, and searches for what is old.
  const options = ["--data", join(directory.path, "audit"), "--once", "--sample", "250"];
  const audited = async (): Promise<void> => {
    await outputOf(["audit", other.url, ...options, "--archive", folder]);
  };
  await audited();
  // Pruned, it has hours and last trades from its snapshot on.
  const [seller, buyer] = traders;
  const market = new Market(other, seller);
  const again = { ...market.listing1({ p: seller }), amount: "400" };
  const dexid = await market.list("sell", buyer, again);
  assert.equal(summaryOf(await market.send("mrc010buy", seller, { dexid, amount: "100" })), "200");
  other.now = node.now + 7200;
  await other.post("/address", { publickey: publicPem(newKey()) });
  const before = await other.height();
  other.now += 200_000;
  await other.post("/address", { publickey: publicPem(newKey()) });
  await proves(other, await other.height());
  await other.stop();
  other.flags = ["--state-roots", "1"];
  for (const made of [
    () => archive(other.data, folder, before),
    () => prune(other.data, { before, archive: folder, keys: [] }),
  ]) {
    await outputOf(made);
  }
  await other.resume();
  await audited();
});

test("proofs §5.6: a follower that starts from a snapshot reads it from a URL, and takes later blocks from its source", async () => {
  const server = createServer((_, answer) => answer.end(readFileSync(file))).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/state.snapshot`;
  await using other = await TestNode.start(
    ...["--from-snapshot", url, "--log-key", key, "--state-roots", "1", "--log", node.url],
  ).finally(() => server.close());
  await node.pay(alice, 3n);
  const height = await node.height();
  await until(async () => (await other.height()) >= height);
  assert.deepEqual(await other.balances(alice, "0"), ["123"]);
});

test("a snapshot that cannot be synced ends with 70, and leaves no file", { skip }, async () => {
  using disk = new ObservedDisk();
  const folder = join(directory.path, "failing");
  mkdirSync(folder);
  const to = join(folder, "state.snapshot");
  const fault = { operation: "sync", file: "state.snapshot.part/snapshot.part", nth: 1 } as const;
  const failed = await runMonetaIn(disk.environment(folder, { fault }), "snapshot", node.data, to);
  assert.equal(failed.exitCode, 70, failed.output);
  assert.match(failed.output, /could not be synced/);
  assert.ok(!existsSync(to));
  await outputOf(() => snapshot(node.data, to));
});

test("after a power cut at any moment of a start from a snapshot, the ledger is whole or not there", {
  skip,
}, async (t) => {
  const random = new SeededRandom();
  t.diagnostic(`TEST_SEED=${random.seed}`);
  using disk = new ObservedDisk();
  const [data, log] = [join(directory.path, "cut"), join(directory.path, "disk.log")];
  const more = ["--from-snapshot", file, "--log-key", key];
  const environment = disk.environment(data, { log });
  const service = await ServiceProcess.start({ data, environment, more });
  const { height } = (await (await fetch(service.url)).json()) as { height: number };
  await service.stop();
  const records = parseDiskLog(readFileSync(log));
  const isNamed = records.findIndex((each) => each.kind === "rename" && each.to === "ledger.db");
  const tree = records.findIndex((each) => each.kind === "rename" && each.to === "state.tree");
  assert.ok(tree !== -1 && tree < isNamed, "a ledger that is there has its tree");
  assert.deepEqual(records[isNamed + 1], { kind: "syncnames", folder: "." }, "it stays there");
  let whole = 0;
  for (const { image, cut } of imagesAfterCuts(records, { random, count: CUTS })) {
    const at = dataDirectory(image);
    if (!existsSync(at.ledger)) {
      makeDataDirectory(image);
      await startFromSnapshot(at, file, { keys: [key], keptRoots: "day" });
    } else {
      whole += 1;
    }
    const database = openForWriting(at.ledger);
    const ledger = new Ledger(database, new LocalLog(database));
    ledger.catchUp();
    ledger.checkLinks();
    assert.equal(ledger.head.height, height, cut);
    database.close();
  }
  assert.ok(whole > 0);
});

test("proofs §5, §6: nodes over PostgreSQL start from a snapshot and with a pruned directory, and go on together", async () => {
  await using server = await PostgresServer.start();
  const { treasury } = node;
  await node.stop();
  await outputOf(["log", "copy", node.data, server.url]);
  const log = ["--log", server.url, "--state-roots", "1"];
  await using started = await TestNode.start(...log, "--from-snapshot", file, "--log-key", key);
  assert.equal(summaryOf(await started.get("/block/1")), "410 6013");
  await using whole = await TestNode.start(...log);
  assert.equal(summaryOf(await whole.get("/block/1")), "200");
  await whole.stop();
  const archived = join(directory.path, "archive");
  for (const run of [
    () => archive(whole.data, archived, first),
    () => prune(whole.data, { before: first, archive: archived, keys: [] }),
  ]) {
    await outputOf(run);
  }
  whole.flags = [...log, "--archive", archived];
  await whole.resume();
  assert.equal(summaryOf(await whole.get("/block/1")), "200");
  for (const [writer, reader] of [
    [started, whole],
    [whole, started],
  ] as const) {
    const paid = await writer.fullTransfer(treasury, { to: alice.address, amount: "1" });
    assert.equal(summaryOf(await writer.post("/transfer", paid)), "200");
    const height = await writer.height();
    const { text } = await writer.get(`/block/${height}`);
    const later = await reader.get(`/block/${height}`, { "Ledger-Height-Min": String(height) });
    assert.equal(later.text, text);
  }
});
