import assert from "node:assert/strict";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Ledger, LedgerReader, LocalLog, openForWriting } from "@moneta/ledger";
import { parseTemporaryKey, parseTransactionId } from "@moneta/protocol";
import { byLane } from "../../../ledger/testing/lane.ts";
import { RecordingClients } from "../answers/recording-clients.ts";
import { runInProcess } from "../command-in-process.ts";
import { SeededRandom } from "../seeded-random.ts";
import { ServiceProcess } from "../service-process.ts";
import { TemporaryDirectory } from "../temporary-directory.ts";
import { type DiskRecord, imagesAfterCuts, parseDiskLog } from "./cut-disk.ts";
import { type DiskFault, ObservedDisk } from "./observed-disk.ts";

const HISTORIES = byLane({ quick: 1, long: 5 });
/** Starts of the node in a history, writes in each, and moments at which the power is cut. */
const { lives, writes, cuts } = byLane({
  quick: { lives: 2, writes: 80, cuts: 3 },
  long: { lives: 4, writes: 500, cuts: 40 },
});

let observed: ObservedDisk;
const skip = ObservedDisk.missing() ?? false;
before(() => {
  if (skip === false) {
    observed = new ObservedDisk();
  }
});
after(() => observed?.[Symbol.dispose]());

const { seed } = new SeededRandom();
for (let history = 1; history <= HISTORIES; history += 1) {
  test(`answered writes survive power cuts, failed syncs and failed writes; refused ones do not return: history ${history}`, {
    skip,
  }, async (t) => {
    const random = new SeededRandom((seed + history - 1) % 2 ** 32);
    t.diagnostic(`TEST_SEED=${random.seed}`);
    using directory = new TemporaryDirectory("power");
    const [data, log] = [join(directory.path, "data"), join(directory.path, "disk.log")];
    const note = (text: string): void => appendFileSync(log, `client ${text}\n`);
    let clients: RecordingClients | undefined;
    for (let life = 1; life <= lives; life += 1) {
      // The clients' addresses are made in the first one.
      const end = life === 1 ? "kill" : endOf(random);
      const fault = typeof end === "string" ? undefined : end;
      const environment = observed.environment(data, { log, fault });
      const lost = lostSyncs(log);
      const service = await ServiceProcess.start({ data, environment }).catch((thrown) => {
        assert.ok(fault !== undefined, String(thrown)); // it came at the start
        return undefined;
      });
      if (service === undefined) {
        continue;
      }
      const size = { groups: 2, clients: 6, ballastMax: 1900, note };
      clients ??= await RecordingClients.prepare(service.url, random, size);
      const goal = clients.doneCount + writes;
      await clients.run([service.url], () => (clients?.doneCount ?? 0) >= goal);
      if (end === "kill") {
        await service.kill();
      } else {
        const exitCode = await service.finish();
        assert.equal(exitCode, lostSyncs(log) > lost ? 70 : 0, service.output());
      }
    }
    const records = parseDiskLog(readFileSync(log));
    assertLogged(records);
    for (const { image, at, cut } of imagesAfterCuts(records, { random, count: cuts })) {
      const known = new Known();
      for (const record of records.slice(0, at)) {
        if (record.kind === "client") {
          known.take(record.text);
        }
      }
      await check(image, known, cut);
    }
  });
}

test("a power cut at any moment of a first start leaves what the next start makes a ledger of", {
  skip,
}, async (t) => {
  const random = new SeededRandom(seed);
  t.diagnostic(`TEST_SEED=${random.seed}`);
  using directory = new TemporaryDirectory("first-start");
  const [data, log] = [join(directory.path, "data"), join(directory.path, "disk.log")];
  const environment = observed.environment(data, { log });
  await (await ServiceProcess.start({ data, environment })).kill();
  const records = parseDiskLog(readFileSync(log));
  // Most cuts before the log of changes is there.
  const to = records.findIndex((each) => "name" in each && each.name === "ledger.db-wal");
  assert.ok(to > 0);
  for (const { image, cut } of imagesAfterCuts(records, { random, count: cuts, to })) {
    for (const command of [
      ["serve", "--data", image, "--port", "0"],
      ["verify", image],
    ]) {
      const { exitCode, output } = await runInProcess(...command);
      assert.equal(exitCode, 0, `${cut}: ${output}`);
    }
  }
});

/** The redo log has its name before its first block, and each block is synced before the next. */
function assertLogged(records: readonly DiskRecord[]): void {
  let [inode, isNamed, isPending, count] = ["", false, false, 0];
  for (const record of records) {
    if (record.kind === "create" && record.name === "ledger.db-redo") {
      [inode, isNamed, isPending] = [record.inode, false, false];
    } else if (record.kind === "syncnames" && record.folder === ".") {
      isNamed = true;
    } else if ((record.kind === "sync" || record.kind === "lost") && record.inode === inode) {
      isPending = false;
    } else if (record.kind === "write" && record.inode === inode && !isZero(record.data)) {
      assert.ok(isNamed, "a power cut would take the file away");
      assert.ok(!isPending, "a power cut would take an answered write away");
      isPending = true;
      count += 1;
    }
  }
  assert.ok(count > 0, "no block was logged");
}

/** Far faster than by each byte: the redo log begins as megabytes of zeros. */
function isZero(data: Uint8Array): boolean {
  return Buffer.compare(data, Buffer.alloc(data.length)) === 0;
}

function endOf(random: SeededRandom): "stop" | "kill" | DiskFault {
  const operation = random.pick(["sync", "sync", "write"] as const);
  const file = random.pick(["ledger.db-wal", "ledger.db-redo", "ledger.db"] as const);
  const max = {
    sync: { "ledger.db-wal": 60, "ledger.db-redo": 40, "ledger.db": 3 },
    // The redo log is written once as a whole before its first block.
    write: { "ledger.db-wal": 900, "ledger.db-redo": 1100, "ledger.db": 40 },
  };
  const nth = random.integer({ min: 1, max: max[operation][file] });
  const fault = { operation, file, nth };
  return random.pick(["stop", "kill", fault, fault] as const);
}

function lostSyncs(log: string): number {
  return existsSync(log)
    ? parseDiskLog(readFileSync(log)).filter(({ kind }) => kind === "lost").length
    : 0;
}

/** What clients know of their writes at a moment. */
class Known {
  /** Ids of writes that were done. */
  readonly done: Set<string> = new Set();
  /** Keys of writes of which nothing was written. */
  readonly refused: Set<string> = new Set();
  /** Sendings of a key that have no response yet. */
  readonly #open = new Map<string, number>();
  /** Keys of writes that may be done. */
  readonly #perhaps = new Set<string>();

  take(note: string): void {
    const [what = "", key = ""] = note.split(" ");
    const isSent = what === "sends";
    const open = (this.#open.get(key) ?? 0) + (isSent ? 1 : -1);
    this.#open.set(key, open);
    if (isSent) {
      this.refused.delete(key);
    } else if (what !== "refused") {
      this.#perhaps.add(key);
      if (what !== "other") {
        this.done.add(what);
      }
    } else if (open === 0 && !this.#perhaps.has(key)) {
      this.refused.add(key);
    }
  }
}

async function check(data: string, known: Known, cut: string): Promise<void> {
  const file = join(data, "ledger.db");
  if (!existsSync(file)) {
    assert.equal(known.done.size, 0, `${cut}: the ledger is gone`);
    return;
  }
  const database = openForWriting(file);
  const ledger = new Ledger(database, new LocalLog(database));
  ledger.catchUp();
  ledger.checkLinks();
  const { height } = ledger.head;
  const reader = new LedgerReader(file);
  reader.open(0);
  for (const id of known.done) {
    const name = parseTransactionId(id);
    assert.ok(name !== undefined && reader.transaction(name) !== undefined, `${cut}: lost: ${id}`);
  }
  for (const key of known.refused) {
    const parsed = parseTemporaryKey(key);
    const use = parsed && reader.keyUse(parsed);
    assert.equal(use, undefined, `${cut}: refused, yet done: ${key}`);
  }
  reader.dispose();
  database.close();
  if (height >= 0) {
    const { exitCode, output } = await runInProcess("verify", data);
    assert.equal(exitCode, 0, `${cut}: ${output}`);
  }
}
