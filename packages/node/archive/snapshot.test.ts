import assert from "node:assert/strict";
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import {
  copyLedger,
  Ledger,
  LedgerReader,
  LocalLog,
  type NotKept,
  openForWriting,
  StateTree,
  sha256,
} from "@moneta/ledger";
import { parseTransactionId } from "@moneta/protocol";
import { ROWS_OF_TRANSACTIONS } from "../../ledger/tables.ts";
import {
  codeOf,
  rootOperation,
  rowsOf,
  type TestLedger,
} from "../../ledger/testing/test-ledger.ts";
import { OrderMarket } from "../../ledger/testing/trade/order-market.ts";
import { CheckpointKeys } from "../checkpoint-keys.ts";
import { archive } from "../commands/archive.ts";
import { archiveGet } from "../commands/archive-get.ts";
import { prune } from "../commands/prune.ts";
import { snapshot } from "../commands/snapshot.ts";
import {
  type DataDirectory,
  dataDirectory,
  makeDataDirectory,
  readCheckpointKeys,
} from "../data-directory/data-directory.ts";
import { SignedTreeFile } from "../data-directory/signed-tree-file.ts";
import { outputOf } from "../testing/command-in-process.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import type { SnapshotManifest } from "./snapshot-reader.ts";
import { startFromSnapshot } from "./start-from-snapshot.ts";

let directory: TemporaryDirectory;
let market: OrderMarket;
let ledger: TestLedger;
let data: string;
let file: string;
let keys: readonly string[];
let lines: readonly string[];
/** A transfer shortly before the snapshot, and another one with its key. */
let used: readonly [done: string, other: string];
/** A trade and a group of older blocks. */
let traded: string;
let group: { readonly id: string; readonly ids: readonly string[] };

before(async () => {
  directory = new TemporaryDirectory("snapshot");
  market = await OrderMarket.open();
  ({ ledger } = market.client);
  const { a, b } = await market.people(["a", "b"]);
  const order = await market.order(a, "SELL", "10", "3");
  await market.order(b, "SELL", "20", "3");
  traded = JSON.stringify((await market.take(b, order, "3")).record).match(/TRD040_\w+/)?.[0] ?? "";
  group = await market.client.group(
    [a, b].map((to) => ["transfer", market.issuer, { to, amount: "1", token: market.base }]),
  );
  ledger.now += 7200;
  await ledger.createAddresses(300);
  ledger.now += 200_000;
  const sent = { from: market.issuer, to: a, amount: "1", key: ledger.key(market.issuer) };
  used = [ledger.transfer({ ...sent, token: market.base }), ledger.transfer({ ...sent, to: b })];
  await ledger.done(used[0]);
  await ledger.done(rootOperation(ledger.ledger.head.height, rootNow()));
  await ledger.createAddresses(1);
  data = await directoryOf("data");
  file = join(directory.path, "state.snapshot");
  keys = new CheckpointKeys("localhost/test", readCheckpointKeys(dataDirectory(data))).verifierKeys;
  await outputOf(() => snapshot(data, file));
  lines = gunzipSync(readFileSync(file)).toString("utf8").split("\n").slice(0, -1);
});
after(() => {
  market[Symbol.dispose]();
  directory[Symbol.dispose]();
});

/** A data directory with a copy of the ledger, whose newest tree is signed. */
async function directoryOf(name: string): Promise<string> {
  const path = join(directory.path, name);
  const { ledger: copy, signedTree } = makeDataDirectory(path);
  readCheckpointKeys(dataDirectory(path));
  ledger.ledger.flush();
  await copyLedger(ledger.file, copy, () => undefined);
  const { size, tree } = ledger.reading(() => ledger.reader.newest.header);
  new SignedTreeFile(signedTree).write({ size, tree });
  return path;
}

/** The state root after the newest block. */
function rootNow(): string {
  const tree = StateTree.open(join(directory.path, "state.tree"), {
    ...{ ledgerId: "", keptRoots: "none", access: "write" },
  });
  const { height, id: block, timestamp } = ledger.ledger.head;
  const entries = [...ledger.ledger.state.entries()];
  const hashes = entries.map(([key, text]) => [key, sha256.bytes(text)] as const);
  const { root } = tree.rebuild({ height, timestamp, block }, hashes);
  tree.close();
  return Buffer.from(root).toString("hex");
}

function started(name: string, from: string): Promise<SnapshotManifest> & { at: DataDirectory } {
  const at = makeDataDirectory(join(directory.path, name));
  return Object.assign(startFromSnapshot(at, from, { keys, keptRoots: "day" }), { at });
}

test("proofs §5.6: a ledger that starts from a snapshot has the state, and reaches the same blocks", async () => {
  const starting = started("new", file);
  const { height, first, before } = await starting;
  const { head } = ledger.ledger;
  assert.deepEqual([height, before], [head.height - 2, head.height + 1]);
  assert.ok(first > 2 && first < height, String(first));
  assert.deepEqual(readdirSync(join(directory.path, "new")), ["ledger.db", "state.tree"]);
  const { at } = starting;
  const reader = new LedgerReader(at.ledger);
  reader.open(0);
  const own = new Map(ledger.reading(() => [...ledger.reader.entries()]));
  assert.deepEqual(new Map(reader.entries()), own);
  assert.equal(reader.firstKept, first);
  for (const at of [0, first, reader.height]) {
    assert.deepEqual(
      reader.block({ height: at }),
      ledger.reading(() => ledger.reader.block({ height: at })),
    );
  }
  assert.throws(
    () => reader.block({ height: 1 }),
    ({ fault }: NotKept) => fault.since === first,
  );
  const { size } = reader;
  const path = { index: size - 2, size };
  assert.deepEqual(
    reader.tree.inclusionPath(path),
    ledger.reading(() => ledger.reader.tree.inclusionPath(path)),
  );
  reader.dispose();
  const database = openForWriting(at.ledger);
  const next = new Ledger(database, new LocalLog(database));
  next.catchUp();
  next.checkLinks();
  const { outcomes } = next.execute([[used[0]], [used[1]]], ledger.now);
  assert.deepEqual(outcomes.map(codeOf), ["repeat", "2021"]);
  const more = ledger.transfer({ from: ledger.treasury, to: market.issuer, amount: "1" });
  next.execute([[more]], ledger.now);
  await ledger.done(more);
  assert.equal(next.head.id, ledger.ledger.head.id);
  database.close();
});

test("proofs §6.5: a pruned ledger is like one that started from a snapshot, and reaches the same blocks", async () => {
  const starting = started("for prune", file);
  const { first } = await starting;
  const path = join(directory.path, "pruned");
  cpSync(data, path, { recursive: true });
  const pruned = dataDirectory(path);
  const folder = join(directory.path, "archive");
  await outputOf(() => archive(data, folder, first + 1));
  const from = { before: first, archive: folder, keys };
  const output = await outputOf(() => prune(path, from));
  assert.match(output, /has block 0 and the blocks from [0-9]+ on: ledger.db has/);
  const files = ["checkpoint.pem", "checkpoint.signed", "ledger.db", "lock.db"];
  assert.deepEqual(readdirSync(path).sort(), files);
  const [own, other] = [pruned, starting.at].map(({ ledger: of }) => {
    const database = openForWriting(of);
    const rows = rowsOf(database);
    database.close();
    return rows;
  });
  for (const table of [
    "head",
    "block",
    "subtree",
    "history",
    ...ROWS_OF_TRANSACTIONS.map((of) => of.table),
  ]) {
    assert.deepEqual(own?.[table], other?.[table], table);
  }
  const [reader, whole] = [pruned, dataDirectory(data)].map(({ ledger: of }) => {
    const opened = new LedgerReader(of);
    opened.open(0);
    return opened;
  }) as [LedgerReader, LedgerReader];
  assert.equal(reader.keptSince, first);
  for (const height of [first, reader.height]) {
    assert.deepEqual([...reader.asOf(height).entries()], [...whole.asOf(height).entries()]);
  }
  const totals = reader.totals.list("hour", 0, ledger.now);
  assert.ok(totals.length > 0);
  assert.deepEqual(totals, whole.totals.list("hour", 0, ledger.now));
  const before = reader.block({ height: first })?.header.timestamp ?? 0;
  const minutes = whole.totals.list("minute", before - 59, ledger.now);
  assert.deepEqual(reader.totals.list("minute", 0, ledger.now), minutes);
  const candles = (of: LedgerReader, step: "minute" | "hour"): number =>
    of.tokenMarkets.candles({
      ...{ token: Number(market.target), priceToken: Number(market.base), step },
      ...{ since: 0, until: before, decimals: { token: 1, priceToken: 2 } },
    }).length;
  assert.deepEqual([candles(whole, "minute"), candles(reader, "minute")], [1, 0]);
  assert.deepEqual([candles(whole, "hour"), candles(reader, "hour")], [1, 1]);
  // After a start from a snapshot there is also block 0.
  const later = other?.["active_addresses"]?.slice(1);
  assert.deepEqual(own?.["active_addresses"], later);
  reader.dispose();
  whole.dispose();
  const database = openForWriting(pruned.ledger);
  const log = new LocalLog(database);
  for (const block of ledger.reading(() => ledger.blocks).slice(log.height() + 1)) {
    log.append(block);
  }
  const next = new Ledger(database, log);
  next.catchUp();
  next.checkLinks();
  assert.equal(next.head.id, ledger.ledger.head.id);
  database.close();
});

test("proofs §6.8: moneta archive get finds old blocks, groups and trades by their ids", async () => {
  const folder = join(directory.path, "archive");
  const ids = async (id: string): Promise<readonly string[]> => {
    const output = await outputOf(() => archiveGet(folder, id, keys));
    return output.split("\n", -1).flatMap((line) => {
      const { transaction, header } = JSON.parse(line || "{}");
      return transaction?.id ?? header?.sn ?? [];
    });
  };
  assert.deepEqual(await ids(group.id), group.ids);
  const [trade = ""] = await ids(traded);
  const name = parseTransactionId(trade);
  const { id = "" } =
    ledger.reading(() => ledger.reader.block({ height: name?.height ?? 0 })) ?? {};
  assert.deepEqual(await ids(id), [name?.height]);
  await assert.rejects(ids("0".repeat(64)), /has the blocks before [0-9]+, and no 0{64} in them/);
});

const isBlock = (line: string) => line.startsWith('{"header"');

for (const { what, change, says } of [
  {
    what: "a changed balance",
    change: (all: readonly string[]) =>
      all.map((line) =>
        line.startsWith('["balance/') ? line.replace('"free":"', '"free":"1') : line,
      ),
    says: /its entries have the state root [0-9a-f]{64}, and a block claims [0-9a-f]{64}/,
  },
  {
    what: "an order in another place of its line",
    change: (all: readonly string[]) =>
      all.map((line) =>
        line.startsWith('["mrc040/') ? line.replace(/"order":[0-9]/, '"order":9') : line,
      ),
    says: /its entries have the state root/,
  },
  {
    what: "an entry less",
    change: (all: readonly string[]) => all.filter((line) => !line.startsWith('["count/token"')),
    says: /its entries have the state root/,
  },
  {
    what: "a value that no entry can have",
    change: (all: readonly string[]) =>
      all.map((line) => line.replace(/^(\["count\/token",).*/, "$11.5]")),
    says: /a line does not have key and value of an entry/,
  },
  {
    what: "no value of its rules",
    change: (all: readonly string[]) =>
      all.map((line) => line.replace(/^(\["protocol",).*/, "$1null]")),
    says: /its entries are those of another ledger/,
  },
  {
    what: "an entry twice",
    change: (all: readonly string[]) =>
      all.flatMap((line) => (line.startsWith('["balance/') ? [line, line] : [line])),
    says: /of the entries occur twice/,
  },
  {
    what: "its addresses behind all other entries",
    change: (all: readonly string[]) => {
      const isAddress = (line: string) => line.startsWith('["address/');
      const blocks = all.findIndex(isBlock);
      const before = all.slice(0, blocks);
      return [
        ...before.filter((line) => !isAddress(line)),
        ...before.filter(isAddress),
        ...all.slice(blocks),
      ];
    },
    says: /the entry \S+ is not in its place/,
  },
  {
    what: "another transaction in place of one whose key was used",
    change: (all: readonly string[]) =>
      all.map((line) =>
        line.includes(used[0]) ? (all.find((each) => each.startsWith('{"op')) as string) : line,
      ),
    says: /its transactions are not those that its header commits to/,
  },
  {
    what: "a block less",
    change: (all: readonly string[]) => {
      const blocks = all.flatMap((line, index) => (isBlock(line) ? [index] : []));
      return all.filter((_, index) => index < (blocks[2] ?? 0) || index >= (blocks[3] ?? 0));
    },
    says: /the tree is not the one that it commits to|in place of block/,
  },
  {
    what: "a later first block",
    change: (all: readonly string[]) => {
      const blocks = all.flatMap((line, index) => (isBlock(line) ? [index] : []));
      const { header } = JSON.parse(all[blocks[2] ?? 0] as string);
      const manifest = { ...JSON.parse(all[0] as string), first: header.sn };
      return [
        JSON.stringify(manifest),
        ...all
          .slice(1)
          .filter((_, index) => index + 1 < (blocks[1] ?? 0) || index + 1 >= (blocks[2] ?? 0)),
      ];
    },
    says: /the tree is not the one that it commits to/,
  },
  {
    what: "a changed hash of the ledger tree",
    change: (all: readonly string[]) =>
      all.map((line) => (line.startsWith('"') ? `"A${line.slice(2)}` : line)),
    says: /the tree is not the one that it commits to/,
  },
  {
    what: "the end missing",
    change: (all: readonly string[]) => all.slice(0, -1),
    says: /it ends too early/,
  },
  {
    what: "another height",
    change: (all: readonly string[]) => {
      const manifest = JSON.parse(all[0] as string);
      return [JSON.stringify({ ...manifest, height: manifest.height + 1 }), ...all.slice(1)];
    },
    says: /no block of it claims the state root of block/,
  },
]) {
  test(`proofs §5.4: a snapshot with ${what} is refused`, async () => {
    const changed = change(lines);
    assert.notDeepEqual(changed, lines);
    const forged = join(directory.path, `${what}.snapshot`);
    writeFileSync(forged, gzipSync(`${changed.join("\n")}\n`));
    await assert.rejects(started(`from ${what}`, forged), (thrown: Error) => {
      assert.equal(thrown.name, "SettingProblem");
      assert.match(thrown.message, says);
      return true;
    });
    assert.deepEqual(readdirSync(join(directory.path, `from ${what}`)), []);
  });
}

test("proofs §5.4: a snapshot under another key, or of another ledger, is refused", async () => {
  const other = new CheckpointKeys(
    "localhost/test",
    readCheckpointKeys(makeDataDirectory(join(directory.path, "other"))),
  );
  const at = makeDataDirectory(join(directory.path, "another key"));
  const starting = startFromSnapshot(at, file, { keys: other.verifierKeys, keptRoots: "day" });
  await assert.rejects(starting, /the snapshot is refused: .*the checkpoint is signed by/);
  assert.ok(!existsSync(at.ledger));
});

test("proofs §5: without a root in a signed checkpoint, or without its state, there is no snapshot", async () => {
  const path = await directoryOf("no roots");
  const small = dataDirectory(path);
  new SignedTreeFile(small.signedTree).write({
    size: 1,
    tree: ledger.reading(() => Buffer.from(ledger.reader.tree.root(1)).toString("hex")),
  });
  const to = join(directory.path, "none.snapshot");
  await assert.rejects(snapshot(path, to), /no signed checkpoint of this node covers a state root/);
  const none = await directoryOf("no state");
  const database = openForWriting(dataDirectory(none).ledger);
  new Ledger(database, new LocalLog(database)).keepState("none");
  database.close();
  await assert.rejects(snapshot(none, to), /the state is kept since block/);
  assert.ok(!existsSync(to) && !existsSync(`${to}.part`));
});
