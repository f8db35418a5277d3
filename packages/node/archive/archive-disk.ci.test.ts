import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { copyLedger } from "@moneta/ledger";
import { NO_BLOCK } from "@moneta/protocol";
import { byLane } from "../../ledger/testing/lane.ts";
import { TestLedger } from "../../ledger/testing/test-ledger.ts";
import { archive } from "../commands/archive.ts";
import { makeDataDirectory } from "../data-directory/data-directory.ts";
import { printed } from "../testing/command-in-process.ts";
import { CutDisk, parseDiskLog } from "../testing/disks/cut-disk.ts";
import { type DiskFault, ObservedDisk } from "../testing/disks/observed-disk.ts";
import { SeededRandom } from "../testing/seeded-random.ts";
import { runMonetaIn } from "../testing/service-process.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import { ArchiveReader } from "./archive-reader.ts";

/** Two steps of a run: a thousand blocks, and 300 transactions in the rest. */
const BLOCKS = 1010;
const CUTS = byLane({ quick: 20, long: 400 });
const skip = ObservedDisk.missing() ?? false;

let observed: ObservedDisk;
let directory: TemporaryDirectory;
let data: string;
let whole: ReadonlyMap<string, string>;

before(async () => {
  if (skip !== false) {
    return;
  }
  observed = new ObservedDisk();
  directory = new TemporaryDirectory("archive-disk");
  data = join(directory.path, "data");
  const { ledger: file } = makeDataDirectory(data);
  using ledger = await TestLedger.begin();
  while (ledger.ledger.head.height < BLOCKS - 2) {
    await ledger.createAddresses(1);
  }
  await ledger.createAddresses(300);
  ledger.ledger.flush();
  await copyLedger(ledger.file, file, () => undefined);
  whole = await archived(join(directory.path, "whole"));
});
after(() => {
  observed?.[Symbol.dispose]();
  directory?.[Symbol.dispose]();
});

/** Archives without faults. Returns the files' content by name. */
async function archived(folder: string): Promise<ReadonlyMap<string, string>> {
  const umask = process.umask();
  const { exitCode, output } = await printed(() => archive(data, folder, BLOCKS));
  process.umask(umask);
  assert.equal(exitCode, 0, output);
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return new Map(
    files
      .filter((name) => !/^\.moneta-lock|\.part$/.test(name))
      .toSorted()
      .map((name) => [name, readFileSync(join(folder, name), "base64")]),
  );
}

for (const { fault, exit, says } of [
  {
    fault: { operation: "write", file: "blocks/000.part", nth: 1 },
    exit: 75,
    says: /blocks\/000 cannot be written: EIO/,
  },
  {
    fault: { operation: "sync", file: "tlog/tile/entries/003.part", nth: 1 },
    exit: 70,
    says: /003\.part could not be synced/,
  },
  {
    fault: { operation: "write", file: "archive.json.part", nth: 2 },
    exit: 75,
    says: /archive\.json cannot be written: EIO/,
  },
  {
    fault: { operation: "sync", file: "index", nth: 1 },
    exit: 70,
    says: /index could not be synced/,
  },
] satisfies readonly { fault: DiskFault; exit: number; says: RegExp }[]) {
  test(`an archive whose ${fault.operation} ${fault.nth} of ${fault.file} fails is completed by the next run`, {
    skip,
  }, async () => {
    const folder = join(directory.path, `fault-${fault.file.replaceAll("/", "-")}`);
    const environment = observed.environment(folder, { fault });
    const command = ["archive", data, folder, "--before", String(BLOCKS)];
    const { exitCode, output } = await runMonetaIn(environment, ...command);
    assert.equal(exitCode, exit, output);
    assert.match(output, says);
    assert.doesNotMatch(output, /^ {4}at /m);
    assert.deepEqual(await archived(folder), whole);
  });
}

test("after a power cut at any moment, the archive has every file it names, and the next run continues", {
  skip,
}, async (t) => {
  const random = new SeededRandom();
  t.diagnostic(`TEST_SEED=${random.seed}`);
  const [folder, log] = [join(directory.path, "cut"), join(directory.path, "disk.log")];
  const environment = observed.environment(folder, { log });
  const command = ["archive", data, folder, "--before", String(BLOCKS)];
  const { exitCode, output } = await runMonetaIn(environment, ...command);
  assert.equal(exitCode, 0, output);
  const records = parseDiskLog(readFileSync(log));
  for (let cut = 0; cut < CUTS; cut += 1) {
    const until = random.integer({ min: 0, max: records.length });
    const disk = new CutDisk(random);
    for (const record of records.slice(0, until)) {
      disk.apply(record);
    }
    const image = join(directory.path, "image");
    disk.cut(image);
    if (existsSync(join(image, "archive.json"))) {
      const reader = await ArchiveReader.open(image, []);
      const blocks = await Array.fromAsync(reader.blocks(0, NO_BLOCK));
      assert.equal(blocks.length, reader.manifest.before, `cut after ${until}`);
    }
    assert.deepEqual(await archived(image), whole, `cut after ${until} of ${records.length}`);
    rmSync(image, { recursive: true });
  }
});
