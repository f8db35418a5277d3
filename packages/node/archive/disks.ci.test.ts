import assert from "node:assert/strict";
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { copyLedger, Ledger, LedgerReader, LocalLog, openForWriting } from "@moneta/ledger";
import { NO_BLOCK } from "@moneta/protocol";
import { byLane } from "../../ledger/testing/lane.ts";
import { TestLedger } from "../../ledger/testing/test-ledger.ts";
import { archive } from "../commands/archive.ts";
import { prune } from "../commands/prune.ts";
import { dataDirectory, LEDGER_PART, makeDataDirectory } from "../data-directory/data-directory.ts";
import { outputOf } from "../testing/command-in-process.ts";
import { imagesAfterCuts, parseDiskLog } from "../testing/disks/cut-disk.ts";
import { type DiskFault, ObservedDisk } from "../testing/disks/observed-disk.ts";
import { OLD, oldLedger } from "../testing/disks/old-ledger.ts";
import { SeededRandom } from "../testing/seeded-random.ts";
import { runMonetaIn } from "../testing/service-process.ts";
import { filesIn, TemporaryDirectory } from "../testing/temporary-directory.ts";
import { ArchiveReader } from "./archive-reader.ts";

// Commands whose disk fails, or whose machine loses its power. A kill is such a cut after which
// everything is there.

/** Two steps of a run: a thousand blocks, and 300 transactions in the rest. */
const BLOCKS = 1010;
const CUTS = byLane({ quick: 6, long: 300 });

let observed: ObservedDisk;
let directory: TemporaryDirectory;
/** A data directory with many blocks, and the files of its archive. */
let long: string;
let whole: ReadonlyMap<string, string>;
/** A ledger with blocks that may be removed, a data directory with it, and its archive. */
let ledger: TestLedger;
let data: string;
let pruneFrom: string;

const skip = ObservedDisk.missing() ?? false;
before(async () => {
  if (skip !== false) {
    return;
  }
  observed = new ObservedDisk();
  directory = new TemporaryDirectory("archive-disks");
  long = join(directory.path, "long");
  using many = await TestLedger.begin();
  while (many.ledger.head.height < BLOCKS - 2) {
    await many.createAddresses(1);
  }
  await many.createAddresses(300);
  many.ledger.flush();
  await copyLedger(many.file, makeDataDirectory(long).ledger, () => undefined);
  whole = await archived(join(directory.path, "whole"));
  ({ ledger, data } = await oldLedger(directory.path));
  pruneFrom = join(directory.path, "archive");
  await outputOf(() => archive(data, pruneFrom, ledger.ledger.head.height + 1));
});
after(() => {
  observed?.[Symbol.dispose]();
  ledger?.[Symbol.dispose]();
  directory?.[Symbol.dispose]();
});

/** Archives without faults. Returns the files' content by name. */
async function archived(folder: string): Promise<ReadonlyMap<string, string>> {
  await outputOf(() => archive(long, folder, BLOCKS));
  return filesIn(folder, /^\.moneta-lock/);
}

/** The first block that a directory has. Its ledger is whole. */
function firstOf(path: string): number {
  const { ledger: of } = dataDirectory(path);
  const database = openForWriting(of);
  const opened = new Ledger(database, new LocalLog(database));
  opened.catchUp();
  opened.checkLinks();
  assert.equal(opened.head.id, ledger.ledger.head.id);
  database.close();
  const reader = new LedgerReader(of);
  const { firstKept } = reader;
  reader.dispose();
  return firstKept;
}

async function pruneAgain(path: string): Promise<void> {
  await outputOf(() => prune(path, { before: OLD, archive: pruneFrom, keys: [] }));
  assert.equal(firstOf(path), OLD);
  assert.ok(!existsSync(join(path, LEDGER_PART)));
}

const archiving = (folder: string) => ["archive", long, folder, "--before", String(BLOCKS)];
const pruning = (path: string) => ["prune", path, "--before", String(OLD), "--archive", pruneFrom];

for (const { operation, file, nth = 1, says } of [
  { operation: "write", file: "blocks/000.part", says: /blocks\/000 cannot be written: EIO/ },
  {
    operation: "sync",
    file: "tlog/tile/entries/003.part",
    says: /003\.part could not be synced/,
  },
  {
    operation: "write",
    file: "archive.json.part",
    nth: 2,
    says: /archive\.json cannot be written: EIO/,
  },
  { operation: "sync", file: "index", says: /index could not be synced/ },
  { operation: "write", file: "data/.ledger.part/ledger.db", nth: 3, says: /^moneta: / },
  { operation: "sync", file: "data/.ledger.part/ledger.db", says: /could not be synced/ },
  { operation: "sync", file: "data", says: /could not be synced/ },
] satisfies readonly (Omit<DiskFault, "nth"> & { nth?: number; says: RegExp })[]) {
  const isPrune = file.startsWith("data");
  const what = isPrune
    ? "proofs §6.4: a prune changes nothing"
    : "an archive is completed by the next run";
  test(`${what} after its ${operation} ${nth} of ${file} failed`, { skip }, async () => {
    const folder = join(directory.path, `fault ${operation} ${file.replaceAll("/", "-")}`);
    const path = join(folder, "data");
    if (isPrune) {
      cpSync(data, path, { recursive: true });
    }
    const environment = observed.environment(folder, { fault: { operation, file, nth } });
    const command = isPrune ? pruning(path) : archiving(folder);
    const { exitCode, output } = await runMonetaIn(environment, ...command);
    assert.equal(exitCode, operation === "write" ? 75 : 70, output);
    assert.match(output, says);
    assert.doesNotMatch(output, /^ {4}at /m);
    if (isPrune) {
      assert.equal(firstOf(path), 1);
      await pruneAgain(path);
    } else {
      assert.deepEqual(await archived(folder), whole);
    }
  });
}

test("after a power cut at any moment, an archive has every file it names, and the next run continues", {
  skip,
}, async (t) => {
  const random = new SeededRandom();
  t.diagnostic(`TEST_SEED=${random.seed}`);
  const [folder, log] = [join(directory.path, "cut"), join(directory.path, "disk.log")];
  const run = await runMonetaIn(observed.environment(folder, { log }), ...archiving(folder));
  assert.equal(run.exitCode, 0, run.output);
  const records = parseDiskLog(readFileSync(log));
  for (const { image, cut } of imagesAfterCuts(records, { random, count: CUTS })) {
    if (existsSync(join(image, "archive.json"))) {
      const reader = await ArchiveReader.open(image, []);
      const blocks = await Array.fromAsync(reader.blocks(0, NO_BLOCK));
      assert.equal(blocks.length, reader.manifest.before, cut);
    }
    // Files of a shorter archive may have come back, and unfinished ones stayed.
    assert.deepEqual(await archived(image), whole, cut);
  }
});

test("proofs §6.4: after a power cut at any moment of a prune, the ledger is the whole one or the pruned one", {
  skip,
}, async (t) => {
  const random = new SeededRandom();
  t.diagnostic(`TEST_SEED=${random.seed}`);
  const [path, log] = [join(directory.path, "cut prune"), join(directory.path, "prune.log")];
  const environment = observed.environment(path, { log });
  const rebuilt = await runMonetaIn(environment, "rebuild", path, "--from-archive", pruneFrom);
  assert.equal(rebuilt.exitCode, 0, rebuilt.output);
  // The archive has all blocks of this ledger.
  rmSync(dataDirectory(path).logCopying);
  const from = parseDiskLog(readFileSync(log)).length;
  const run = await runMonetaIn(environment, ...pruning(path));
  assert.equal(run.exitCode, 0, run.output);
  const records = parseDiskLog(readFileSync(log));
  const found = new Set<number>();
  for (const { image } of imagesAfterCuts(records, { random, count: CUTS, from })) {
    rmSync(dataDirectory(image).logCopying, { force: true });
    found.add(firstOf(image));
    await pruneAgain(image);
  }
  assert.deepEqual([...found].sort(), [1, OLD]);
});
