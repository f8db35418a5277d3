import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { cpSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gunzipSync, gzipSync } from "node:zlib";
import { NotKept } from "@moneta/ledger";
import {
  type AnyRead,
  READS,
  Refused,
  TILE_WIDTH,
  tileNameText,
  transactionId,
} from "@moneta/protocol";
import { compareRead } from "../audit/compare-read.ts";
import { DRAWN_READS } from "../audit/draw-read.ts";
import { AuditMemory } from "../audit/memory.ts";
import { OwnAnswers } from "../audit/own-answers.ts";
import { archive } from "../commands/archive.ts";
import { prune } from "../commands/prune.ts";
import { NodeClient } from "../follower/node-client.ts";
import { Replica } from "../follower/replica.ts";
import { PLATFORM_VERIFIER } from "../signatures/chosen-verifier.ts";
import { outputOf, runInProcess } from "../testing/command-in-process.ts";
import { EventStream } from "../testing/event-stream.ts";
import { ForwardingProxy } from "../testing/forwarding-proxy.ts";
import { OF_PROBLEM } from "../testing/hostile-node.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import {
  type Answered,
  type KeyHolder,
  newKey,
  type Params,
  parsed,
  publicPem,
  summaryOf,
  TestNode,
} from "../testing/test-node.ts";
import { until } from "../testing/until.ts";
import { ArchiveReads } from "./archive-reads.ts";

const CHAPTER = new URL("../../../docs/specification/proofs.md", import.meta.url);
const PROGRAM = fileURLToPath(new URL("../../cli/moneta.mjs", import.meta.url));
/** More than two tiles of leaves. */
const OLD_ADDRESSES = 550;

let directory: TemporaryDirectory;
let folder: string;
let node: TestNode;
let alice: KeyHolder;
/** The first block that stays. */
let height: number;
/** Reads of what prune removes, with what the whole node returned. */
const whole = new Map<string, Answered>();
/** A transfer that was sent before the newest two days, and the repeat of an address. */
let sent: Params;
const ADDRESS = { publickey: publicPem(newKey()) };
const SAME = { "Idempotency-Key": "one" };

before(async () => {
  directory = new TemporaryDirectory("pruned-node");
  folder = join(directory.path, "archive");
  node = await TestNode.start("--state-roots", "1", "--archive", directory.path);
  alice = await node.holder({ coins: 60n });
  sent = await node.transfer(alice, { to: node.treasury.address, amount: "1" });
  assert.equal(summaryOf(await node.post("/transfer", sent)), "200");
  await node.post("/address", ADDRESS, SAME);
  for (let made = 0; made < OLD_ADDRESSES; made += 50) {
    const all = Array.from({ length: 50 }, () =>
      node.post("/address", { publickey: publicPem(newKey()) }),
    );
    assert.ok((await Promise.all(all)).every(({ status }) => status === 200));
  }
  await node.pay(alice, 40n);
  height = await node.height();
  node.now += 200_000;
  await node.pay(alice, 20n);
  await proves(await node.height());
  await readAll();
  await node.stop();
  await pruned();
  node.flags = ["--state-roots", "1", "--archive", folder];
  await node.resume();
});
after(async () => {
  await node?.[Symbol.asyncDispose]();
  directory[Symbol.dispose]();
});

/** Makes so many blocks. */
async function receive(count: number): Promise<void> {
  for (let number = 0; number < count; number += 1) {
    const params = await node.transfer(node.treasury, { to: alice.address, amount: "1" });
    assert.equal(summaryOf(await node.post("/transfer", params)), "200");
  }
}

/** Removes the blocks before `height` from the stopped node. */
async function pruned(): Promise<void> {
  await outputOf(() => archive(node.data, folder, height));
  const from = { before: height, archive: folder, keys: [] };
  await outputOf(() => prune(node.data, from));
}

/** Waits until a checkpoint covers the root of a block. */
async function proves(at: number): Promise<void> {
  await until(async () => {
    const proof = await node.get(`/balance/${alice.address}/0?proof=1`);
    return proof.status === 200 && parsed<{ height: number }>(proof).height >= at;
  });
}

async function readAll(): Promise<void> {
  const paths = ["/blocks/raw?from=0&limit=1000", "/blocks/raw?from=3&limit=2"];
  for (let at = 1; at < height; at += 1) {
    paths.push(`/block/${at}`, `/block/${at}/raw`);
    const block = parsed<{ transaction: readonly { id: string }[] }>(
      await node.get(`/block/${at}`),
    );
    // The first, the last, and some between.
    const { length } = block.transaction;
    for (const { id } of block.transaction.filter(
      (_, place) => place % 40 === 0 || place === length - 1,
    )) {
      paths.push(`/transaction/${id}`, `/transaction/${id}/proof`);
    }
  }
  for (const tile of ["000", "001", "000.p/5", "002.p/3"]) {
    paths.push(`/tlog/tile/0/${tile}`, `/tlog/tile/entries/${tile}`);
  }
  for (const path of paths) {
    const answered = await node.get(path);
    assert.equal(answered.status, 200, path);
    whole.set(path, answered);
  }
}

test("proofs §6.6: a pruned node returns older blocks, transactions, proofs and tiles as before", async () => {
  for (const [path, before] of whole) {
    const { status, text, headers } = await node.get(path);
    assert.equal(status, 200, `${path}: ${text}`);
    assert.equal(text, before.text, path);
    for (const name of ["content-type", "cache-control", "etag"]) {
      assert.equal(headers.get(name), before.headers.get(name), `${path}: ${name}`);
    }
  }
  const unknown = `${"0".repeat(15)}3${"0".repeat(6)}ff${"0".repeat(40)}`;
  assert.equal(summaryOf(await node.get(`/transaction/${unknown}`)), "404 6008 transaction_id");
  assert.equal(
    summaryOf(await node.get(`/transaction/${unknown}/proof`)),
    "404 6008 transaction_id",
  );
});

test("proofs §6: the example prints a pruned transaction, from the node and from the archive", async () => {
  const section = readFileSync(CHAPTER, "utf8").split("\n## 6 ")[1] ?? "";
  const [, example = ""] = /```sh\n([\s\S]*?)```/.exec(section) ?? [];
  const [path, before] = [...whole].findLast(([each]) => /^\/transaction\/\w+$/.test(each)) ?? [];
  const program = `moneta() { "${process.execPath}" "${PROGRAM}" "$@"; }\n`;
  const ID = path?.split("/")[2];
  const { stdout } = await promisify(execFile)("bash", ["-c", program + example], {
    env: { ...process.env, NODE: node.url, ARCHIVE: folder, ID },
  });
  const archived = stdout.slice(before?.text.length);
  assert.equal(stdout.slice(0, before?.text.length), before?.text);
  assert.equal(JSON.stringify(JSON.parse(archived).transaction), before?.text);
});

test("proofs §6.8: what needs stored blocks is refused, and used keys and repeats are as after a snapshot", async () => {
  for (const path of ["/events?from=1", "/checkpoint/consistency?from=2"]) {
    assert.equal(summaryOf(await node.get(path)), "410 6013", path);
  }
  assert.equal(summaryOf(await node.post("/transfer", sent)), "401 2020 checkkey");
  assert.equal(summaryOf(await node.post("/address", ADDRESS, SAME)), "410 6013");
  assert.equal(summaryOf(await node.get(`/address/${alice.address}?height=1`)), "404 6012");
  assert.equal(summaryOf(await node.get(`/address/${alice.address}?height=${height}`)), "200");
});

test("proofs §6: an id that names no block is refused with the first block, the oldest event and the archive", async () => {
  const { id } = parsed<{ id: string }>(whole.get("/block/1") as Answered);
  for (const [path, parameter] of [
    [`/block/${id}`, "block"],
    [`/block/${id}/raw`, "block"],
    [`/transactions?block=${id}`, "block"],
    [`/group/${"a".repeat(64)}`, "id"],
    [`/mrc040/trades/TRD040_${"1".repeat(40)}`, "id"],
  ] as const) {
    assert.equal(summaryOf(await node.get(path)), `410 6013 ${parameter}`, path);
  }
  const refused = await node.get("/events?from=1");
  const { first_block, oldest } = parsed<{ first_block: number; oldest: string }>(refused);
  assert.equal(first_block, height);
  assert.equal(parsed<{ first_block: number }>(await node.get("/")).first_block, height);
  const first = parsed<{ transaction: readonly { id: string }[] }>(
    await node.get(`/block/${height}`),
  );
  assert.equal(oldest, first.transaction[0]?.id);
  using stream = await EventStream.open(node.url, `after=${oldest}`);
  // A stream begins with the place that it continues from.
  assert.equal((await stream.next()).id, oldest);
});

test("proofs §6.6: a follower takes all blocks from a pruned node", async () => {
  await using follower = await TestNode.start("--log", node.url);
  const newest = await node.height();
  await until(async () => (await follower.height()) >= newest);
  assert.deepEqual(await follower.balances(alice, "0"), await node.balances(alice, "0"));
});

test("proofs §6.7: without the archive, or with a changed one, older blocks are refused with 6013", async () => {
  const [path, before] = [...whole].find(([each]) => each.startsWith("/transaction/")) as [
    string,
    Answered,
  ];
  const away = `${folder}-away`;
  renameSync(folder, away);
  const refused = await node.get(path);
  assert.equal(summaryOf(refused), "410 6013");
  assert.match(refused.text, /reads these from an archive, which does not respond/);
  assert.equal(summaryOf(await node.get("/block")), "200");
  assert.match(
    (await node.get("/metrics")).text,
    /^moneta_archive_reads_total\{outcome="failed"\} 1$/m,
  );
  // Another record, in blocks and index that fit each other.
  cpSync(away, folder, { recursive: true });
  const [blocks = ""] = readdirSync(join(folder, "blocks/000.p"));
  const file = join(folder, "blocks/000.p", blocks);
  const index = join(folder, "index/000.p", blocks);
  const members = JSON.parse(readFileSync(index, "utf8")) as [number, number, number, number][];
  const parts = members.map(([, , offset, bytes]) =>
    gzipSync(
      gunzipSync(readFileSync(file).subarray(offset, offset + bytes))
        .toString()
        .replaceAll('"amount":"1"', '"amount":"2"')
        .replaceAll('"previous":"', '"previous":"0'),
    ),
  );
  let offset = 0;
  const changed = members.map(([block, line], member) => {
    const bytes = parts[member]?.length ?? 0;
    offset += bytes;
    return [block, line, offset - bytes, bytes];
  });
  writeFileSync(file, Buffer.concat(parts));
  writeFileSync(index, JSON.stringify(changed));
  await delay(2100);
  assert.equal(summaryOf(await node.get(path)), "410 6013");
  renameSync(folder, `${folder}-changed`);
  renameSync(away, folder);
  await delay(2100);
  assert.equal((await node.get(path)).text, before.text);
});

/** The form of a transaction's id of a block. */
function unfound(block: number): string {
  return transactionId({ height: block, position: 0, contentHash: "0".repeat(64) });
}

/** Refuses paths as a node does that lacks the blocks. */
function refusing6013(paths: RegExp): ForwardingProxy["answer"] {
  return (request, response) => {
    const isRefused = paths.test(request.url ?? "");
    if (isRefused) {
      response.writeHead(410, OF_PROBLEM).end('{"code":"6013","detail":"gone"}');
    }
    return isRefused;
  };
}

test("proofs §6.9: an audit of a pruned node finds nothing wrong, with its archive or without", async () => {
  const at = join(directory.path, "audit");
  const away = ["--archive", "http://127.0.0.1:9/archive"];
  // The first audit begins where the node's blocks begin. The last one remembers a checkpoint that
  // has become older than they are.
  for (const flags of [[], ["--archive", folder], away]) {
    if (flags === away) {
      await receive(3);
      height = await node.height();
      node.now += 200_000;
      await receive(3);
      await proves(await node.height());
    }
    await node.stop();
    if (flags === away) {
      await pruned();
    }
    node.flags = ["--state-roots", "1", ...flags];
    await node.resume();
    const options = ["--data", at, "--archive", folder, "--once", "--sample", "60"];
    const output = await outputOf(["audit", node.url, ...options]);
    assert.match(output, new RegExp(`says that it lacks the blocks from 1 to ${height - 1}\\b`));
  }
  // A page of one that continues with block 0: a sample seldom has it.
  const file = join(at, "ledger.db");
  await using opened = new AsyncDisposableStack();
  const replica = Replica.open(file, {
    ...{ threads: 1, verifier: PLATFORM_VERIFIER, onBlock: () => undefined },
  });
  opened.defer(() => replica.close());
  const own = opened.use(new OwnAnswers(replica, file));
  const clientOf = (url: string): NodeClient =>
    new NodeClient(new URL(url), { lineMax: 1 << 20, stop: new AbortController().signal });
  const client = clientOf(node.url);
  const [description] = DRAWN_READS.filter(({ name }) => name === "transactions");
  assert.ok(description !== undefined);
  const first = await own.answer({ description, parameters: { limit: "1" } });
  assert.ok(!(first instanceof Refused));
  const cursor = first.next?.["cursor"]?.replace(/\.\d+\./, ".300.") ?? "";
  const parts = { client, replica, own, memory: AuditMemory.open(at, file), url: node.url };
  const context = {
    ...{ ...parts, sample: 0, clock: () => node.now },
    ...{ say: () => undefined, progress: () => () => undefined },
  };
  await compareRead(context, { description, parameters: { limit: "1", cursor } });
  // Transactions of the last two days must not be left out, whatever the node says that it lacks.
  const hiding = opened.use(await ForwardingProxy.to(node.url));
  hiding.change = (path, body) =>
    path.startsWith("/transactions")
      ? '{"items":[]}'
      : body.replace(/(?<="first_block":)\d+/, "1000000000");
  await assert.rejects(
    compareRead(
      { ...context, client: clientOf(hiding.url) },
      { description, parameters: { limit: "1" } },
    ),
    /GET \/transactions\?limit=1/,
  );
  // Whatever is refused with 6013 must begin with an older block.
  hiding.change = (_path, body) => body;
  hiding.answer = refusing6013(/^\/(?!$|block$)/);
  const { size } = replica.head;
  const last = { index: Math.floor(size / TILE_WIDTH), width: size % TILE_WIDTH };
  const [tile, from] = [tileNameText(last), String(size - 1)];
  const refusals: readonly {
    readonly read: string;
    readonly old?: Readonly<Record<string, string>>;
    readonly recent?: Readonly<Record<string, string>>;
  }[] = [
    { read: "tile", old: { level: "0", tile: "000" }, recent: { level: "0", tile } },
    { read: "tile", recent: { level: "1", tile: "000.p/1" } },
    { read: "entryBundle", old: { tile: "000" } },
    { read: "checkpointConsistency", old: { from: "2" }, recent: { from } },
    { read: "blockRaw", old: { block: "1" }, recent: { block: String(replica.head.height) } },
    // Nothing in the copy's responses has a time.
    { read: "search", old: { text: unfound(1), kind: "attribute" } },
    { read: "search", recent: { text: unfound(replica.head.height), kind: "attribute" } },
    { read: "transactions", old: { block: "1", type: "multi_transfer" } },
    // A history ends with the first block that the node has, and is not refused.
    { read: "transactions", recent: { limit: "1", cursor } },
    {
      read: "transactions",
      recent: { block: String(replica.head.height), type: "multi_transfer" },
    },
  ];
  for (const { read, old, recent } of refusals) {
    const of = READS.find(({ name }) => name === read) as AnyRead;
    const compared = (parameters: Readonly<Record<string, string>>): Promise<void> =>
      compareRead({ ...context, client: clientOf(hiding.url) }, { description: of, parameters });
    await (old && compared(old));
    await (recent && assert.rejects(compared(recent), /410 6013/, read));
  }
  await opened.disposeAsync();
  await using refusing = await ForwardingProxy.to(node.url);
  const raw = /^\/blocks\/raw\?from=[1-9]/;
  for (const { refused, of, lacks = "" } of [
    { refused: raw, of: join(directory.path, "refused blocks") },
    // It says that it lacks its newest blocks.
    { refused: raw, of: at, lacks: String(await node.height()) },
    { refused: raw, of: at, lacks: "1000000000" },
    { refused: /^\/checkpoint\/consistency/, of: at },
    { refused: new RegExp(`^/block/${replica.head.height}$`), of: at },
  ]) {
    await receive(1);
    await node.get("/checkpoint");
    refusing.answer = refusing6013(refused);
    refusing.change = (path, body) =>
      path === "/" && lacks !== "" ? body.replace(/(?<="first_block":)\d+/, lacks) : body;
    const found = await runInProcess(
      "audit",
      refusing.url,
      "--data",
      of,
      "--archive",
      folder,
      "--once",
      "--sample",
      "0",
    );
    assert.equal(found.exitCode, 1, found.output);
    assert.match(found.output, /^invalid: GET \S+: 410 6013/m);
  }
  await using silent = await ForwardingProxy.to(node.url);
  silent.change = (path, body) =>
    path === "/" ? body.replace("first_block", "first-block") : body;
  const options = ["--data", at, "--once", "--sample", "150"];
  const { exitCode, output } = await runInProcess("audit", silent.url, ...options);
  assert.equal(exitCode, 1, output);
  assert.match(output, /6013|served/);
});

test("proofs §6: lists of older blocks end with the URL of the archive", async () => {
  await node.stop();
  const url = "http://127.0.0.1:9/archive";
  node.flags = ["--state-roots", "1", "--archive", url];
  await node.resume();
  const history = `/address/${alice.address}/transactions`;
  for (const path of [history, "/blocks", "/transactions?type=receive"]) {
    const page = await node.get(`${path}${path.includes("?") ? "&" : "?"}limit=100`);
    assert.equal(parsed<{ archive?: string }>(page).archive, url, path);
  }
  for (const path of ["/", "/events?from=1", `/block/${"a".repeat(64)}`]) {
    assert.equal(parsed<{ archive?: string }>(await node.get(path)).archive, url, path);
  }
  for (const path of [`${history}?limit=1`, "/tokens?limit=100"]) {
    assert.equal(parsed<{ archive?: string }>(await node.get(path)).archive, undefined, path);
  }
});

test("proofs §6.9: a new audit or follower of a node without older blocks ends with a message that names the archive", async () => {
  const options = ["--data", join(directory.path, "new audit"), "--once"];
  const { exitCode, output } = await runInProcess("audit", node.url, ...options);
  assert.equal(exitCode, 2, output);
  const says = `the node has block 0 and the blocks from ${height} on, and not block 1`;
  const archived =
    'give the archive that the node names, with --archive "http://127.0.0.1:9/archive"';
  assert.match(output, new RegExp(`^not audited: ${says}: ${archived}$`, "m"));
  const lacking = ["--data", join(directory.path, "lacking"), "--port", "0", "--log", node.url];
  const started = await runInProcess("serve", ...lacking);
  assert.notEqual(started.exitCode, 0, started.output);
  assert.ok(
    started.output.includes(`${says}: start an empty directory from a snapshot (--from-snapshot)`),
    started.output,
  );
});

test("proofs §5.6: a statement that begins before the node's blocks is refused", async () => {
  const { timestamp } = parsed<{ timestamp: number }>(await node.get(`/block/${height}`));
  const statement = async (...flags: readonly string[]): Promise<readonly [number, string]> => {
    const args = [PROGRAM, "statement", alice.address, "--url", node.url, ...flags];
    return await promisify(execFile)(process.execPath, args).then(
      ({ stdout }) => [0, stdout],
      ({ code, stderr }) => [code, stderr],
    );
  };
  const [code, refused] = await statement();
  assert.equal(code, 2);
  assert.match(refused, new RegExp(`give --from @${timestamp + 1} or later`));
  const [done, text] = await statement("--from", `@${timestamp + 1}`);
  assert.equal(done, 0, text);
  assert.match(text, /^opening balance:/m);
});

test("proofs §6: a read of an archive that does not respond ends in time, and one client cannot have all places", async () => {
  const server = createServer(() => undefined).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const results: (string | undefined)[] = [];
  const reads = new ArchiveReads(
    { file: join(node.data, "ledger.db"), archive: `http://127.0.0.1:${port}` },
    (wrong) => results.push(wrong),
    1000,
  );
  const read = (client: string) =>
    reads.read(
      { read: "block", of: 1 },
      { client: () => client, notKept: new NotKept({ since: 9 }) },
    );
  const codes = await Promise.all(
    ["a", "a", "a", "a", "a", "b"].map(async (client) => {
      const answer = await read(client);
      return "fault" in answer ? answer.fault.code : "200";
    }),
  );
  assert.deepEqual(codes, ["6013", "6013", "6013", "6013", "9002", "6013"]);
  assert.equal(results.length, 1);
  await reads.close();
  server.close();
  server.closeAllConnections();
});
