import assert from "node:assert/strict";
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { Ledger, LedgerReader, LocalLog, openForWriting } from "@moneta/ledger";
import { byLane } from "../../ledger/testing/lane.ts";
import type { TestLedger } from "../../ledger/testing/test-ledger.ts";
import { archive } from "../commands/archive.ts";
import { prune } from "../commands/prune.ts";
import { dataDirectory, LEDGER_PART } from "../data-directory/data-directory.ts";
import { printed } from "../testing/command-in-process.ts";
import { CutDisk, parseDiskLog } from "../testing/disks/cut-disk.ts";
import { type DiskFault, ObservedDisk } from "../testing/disks/observed-disk.ts";
import { OLD, oldLedger } from "../testing/disks/old-ledger.ts";
import { SeededRandom } from "../testing/seeded-random.ts";
import { killMoneta, runMonetaIn, ServiceProcess } from "../testing/service-process.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";

const CUTS = byLane({ quick: 15, long: 300 });
const KILLS = byLane({ quick: 4, long: 60 });
const skip = ObservedDisk.missing() ?? false;

let observed: ObservedDisk;
let directory: TemporaryDirectory;
let ledger: TestLedger;
let data: string;
let folder: string;

before(async () => {
  if (skip === false) {
    observed = new ObservedDisk();
  }
  directory = new TemporaryDirectory("prune-disk");
  ({ ledger, data } = await oldLedger(directory.path));
  folder = join(directory.path, "archive");
  const all = ledger.ledger.head.height + 1;
  const { exitCode, output } = await printed(() => archive(data, folder, all));
  assert.equal(exitCode, 0, output);
});
after(() => {
  observed?.[Symbol.dispose]();
  ledger?.[Symbol.dispose]();
  directory?.[Symbol.dispose]();
});

function command(path: string): readonly string[] {
  return ["prune", path, "--before", String(OLD), "--archive", folder];
}

/** The first block that a directory has. Its ledger is whole. */
function firstOf(path: string): number {
  const { ledger: file } = dataDirectory(path);
  const database = openForWriting(file);
  const whole = new Ledger(database, new LocalLog(database));
  whole.catchUp();
  whole.checkLinks();
  assert.equal(whole.head.id, ledger.ledger.head.id);
  database.close();
  const reader = new LedgerReader(file);
  const { firstKept } = reader;
  reader.dispose();
  return firstKept;
}

async function pruneAgain(path: string): Promise<void> {
  const from = { before: OLD, archive: folder, keys: [] };
  const { exitCode, output } = await printed(() => prune(path, from));
  assert.equal(exitCode, 0, output);
  assert.equal(firstOf(path), OLD);
  assert.ok(!existsSync(join(path, LEDGER_PART)));
}

for (const { fault, exit } of [
  { fault: { operation: "write", file: "data/.ledger.part/ledger.db", nth: 3 }, exit: 75 },
  { fault: { operation: "sync", file: "data/.ledger.part/ledger.db", nth: 1 }, exit: 70 },
  { fault: { operation: "sync", file: "data", nth: 1 }, exit: 70 },
] satisfies readonly { fault: DiskFault; exit: number }[]) {
  test(`proofs §6 row 2: a prune whose ${fault.operation} of ${fault.file} fails changes nothing`, {
    skip,
  }, async () => {
    const path = join(directory.path, `fault-${fault.operation}-${fault.file.length}`, "data");
    cpSync(data, path, { recursive: true });
    const environment = observed.environment(dirname(path), { fault });
    const { exitCode, output } = await runMonetaIn(environment, ...command(path));
    assert.equal(exitCode, exit, output);
    assert.doesNotMatch(output, /^ {4}at /m);
    assert.equal(firstOf(path), 1);
    await pruneAgain(path);
  });
}

test("proofs §6 row 2: after a kill at any moment of a prune, the ledger is the whole one or the pruned one, and the next start removes the rest", async (t) => {
  const random = new SeededRandom();
  t.diagnostic(`TEST_SEED=${random.seed}`);
  let killed = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    const path = join(directory.path, `kill-${kill}`);
    cpSync(data, path, { recursive: true });
    const part = join(path, LEDGER_PART);
    const afterMs = random.integer({ min: 0, max: 60 });
    killed += Number(await killMoneta(command(path), { isBegun: () => existsSync(part), afterMs }));
    const first = firstOf(path);
    assert.ok([1, OLD].includes(first), `${first}`);
    const service = await ServiceProcess.start({ data: path });
    assert.ok(!existsSync(part));
    const { height } = (await (await fetch(service.url)).json()) as { height: number };
    assert.equal(height, ledger.ledger.head.height);
    assert.equal(await service.stop(), 0);
    assert.equal(firstOf(path), first);
    await pruneAgain(path);
  }
  assert.ok(killed > 0);
});

test("proofs §6 row 2: after a power cut at any moment of a prune, the ledger is the whole one or the pruned one", {
  skip,
}, async (t) => {
  const random = new SeededRandom();
  t.diagnostic(`TEST_SEED=${random.seed}`);
  const [path, log] = [join(directory.path, "cut"), join(directory.path, "disk.log")];
  const environment = observed.environment(path, { log });
  const rebuilt = await runMonetaIn(environment, "rebuild", path, "--from-archive", folder);
  assert.equal(rebuilt.exitCode, 0, rebuilt.output);
  // The archive has all blocks of this ledger.
  rmSync(dataDirectory(path).logCopying);
  const begun = parseDiskLog(readFileSync(log)).length;
  const { exitCode, output } = await runMonetaIn(environment, ...command(path));
  assert.equal(exitCode, 0, output);
  const records = parseDiskLog(readFileSync(log));
  const found = new Set<number>();
  for (let cut = 0; cut < CUTS; cut += 1) {
    const until = cut === 0 ? records.length : random.integer({ min: begun, max: records.length });
    const disk = new CutDisk(random);
    for (const record of records.slice(0, until)) {
      disk.apply(record);
    }
    const image = join(directory.path, "image");
    disk.cut(image);
    rmSync(dataDirectory(image).logCopying, { force: true });
    found.add(firstOf(image));
    await pruneAgain(image);
    rmSync(image, { recursive: true });
  }
  assert.deepEqual([...found].sort(), [1, OLD]);
});
