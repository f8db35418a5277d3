import assert from "node:assert/strict";
import { appendFileSync, existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Ledger, LedgerReader, LocalLog, openForWriting } from "@moneta/ledger";
import { parseTemporaryKey, parseTransactionId } from "@moneta/protocol";
import { Payments } from "../payments.ts";
import type { SeededRandom } from "../seeded-random.ts";
import { runMoneta, ServiceProcess } from "../service-process.ts";
import { TemporaryDirectory } from "../temporary-directory.ts";
import { CutDisk, type DiskRecord, parseDiskLog } from "./cut-disk.ts";
import type { DiskFault, ObservedDisk } from "./observed-disk.ts";

type End = "stop" | "kill" | DiskFault;

/**
 * A node that runs several times on one disk until it is stopped, killed, or a sync or write fails;
 * then power cuts at moments of that history. Every image must open, be valid, and have all
 * acknowledged writes and no refused ones.
 */
export async function replayPowerCuts(
  disk: ObservedDisk,
  random: SeededRandom,
  options: {
    readonly lives: number;
    readonly transfers: number;
    readonly cuts: number;
  },
): Promise<{ readonly answered: number; readonly records: number }> {
  using directory = new TemporaryDirectory("power");
  const log = join(directory.path, "disk.log");
  const data = join(directory.path, "data");
  const payments = new Payments((text) => appendFileSync(log, `client ${text}\n`), random);
  for (let life = 1; life <= options.lives; life += 1) {
    const end = endOf(random);
    await live(disk, { data, log, end, transfers: options.transfers, payments });
  }
  const records = parseDiskLog(readFileSync(log));
  await cutAt(records, random, { ...options, folder: join(directory.path, "image") });
  return { answered: payments.accepted.length, records: records.length };
}

/**
 * A first start of a node, with power cuts at moments until its block 0 is there, most of them
 * before the log of changes is: from every image the next start makes a ledger.
 */
export async function replayFirstStart(
  disk: ObservedDisk,
  random: SeededRandom,
  cuts: number,
): Promise<void> {
  using directory = new TemporaryDirectory("first-start");
  const log = join(directory.path, "disk.log");
  const data = join(directory.path, "data");
  const service = await ServiceProcess.start({
    data,
    environment: disk.environment(data, { log }),
  });
  await service.kill();
  const records = parseDiskLog(readFileSync(log));
  const toLog = records.findIndex((each) => "name" in each && each.name === "ledger.db-wal");
  assert.ok(toLog > 0);
  for (let cut = 1; cut <= cuts; cut += 1) {
    const max = cut === cuts ? records.length : toLog;
    const until = random.integer({ min: 0, max });
    const image = join(directory.path, `image${cut}`);
    const cutDisk = new CutDisk(random);
    for (const record of records.slice(0, until)) {
      cutDisk.apply(record);
    }
    cutDisk.cut(image);
    const next = await ServiceProcess.start({ data: image });
    const answer = await fetch(`${next.url}/block/0`);
    const block = await answer.text();
    assert.equal(answer.status, 200, `cut after ${until} of ${records.length}: ${block}`);
    assert.equal(await next.stop(), 0, next.output());
  }
}

function endOf(random: SeededRandom): End {
  const operation = random.pick(["sync", "sync", "write"] as const);
  const file = random.pick(["ledger.db-wal", "ledger.db-redo", "ledger.db"] as const);
  const max = {
    sync: { "ledger.db-wal": 60, "ledger.db-redo": 40, "ledger.db": 3 },
    // The redo log is written once as a whole before its first block.
    write: { "ledger.db-wal": 900, "ledger.db-redo": 1100, "ledger.db": 40 },
  };
  const nth = random.integer({ min: 1, max: max[operation][file] });
  return random.pick<End>(["stop", "kill", { operation, file, nth }, { operation, file, nth }]);
}

async function live(
  disk: ObservedDisk,
  life: {
    readonly data: string;
    readonly log: string;
    readonly end: End;
    readonly transfers: number;
    readonly payments: Payments;
  },
): Promise<void> {
  const { data, log, end, transfers, payments } = life;
  const fault = typeof end === "string" ? undefined : end;
  const environment = disk.environment(data, { log, fault });
  const before = lostSyncs(log);
  let service: ServiceProcess;
  try {
    service = await ServiceProcess.start({ data, environment });
  } catch (thrown) {
    assert.ok(fault !== undefined, String(thrown)); // it came at the start
    return;
  }
  await payments.pay(service.url, transfers);
  if (end === "kill") {
    await service.kill();
  } else {
    const exitCode = await service.finish();
    assert.equal(exitCode, lostSyncs(log) > before ? 70 : 0, service.output());
  }
}

function lostSyncs(log: string): number {
  return existsSync(log)
    ? parseDiskLog(readFileSync(log)).filter(({ kind }) => kind === "lost").length
    : 0;
}

async function cutAt(
  records: readonly DiskRecord[],
  random: SeededRandom,
  options: {
    readonly cuts: number;
    readonly folder: string;
  },
): Promise<void> {
  const cuts = Array.from({ length: options.cuts }, () =>
    random.integer({ min: 0, max: records.length }),
  ).sort((a, b) => a - b);
  const disk = new CutDisk(random);
  const reported = new Said();
  let at = 0;
  for (const cut of cuts) {
    for (; at < cut; at += 1) {
      const record = records[at] as DiskRecord;
      disk.apply(record);
      if (record.kind === "client") {
        reported.note(record.text);
      }
    }
    rmSync(options.folder, { recursive: true, force: true });
    disk.cut(options.folder);
    await check(options.folder, reported);
  }
}

class Said {
  readonly accepted: Set<string> = new Set();
  /** Keys of transfers that were refused and not sent again. */
  readonly refused: Set<string> = new Set();

  note(text: string): void {
    const [what, value = ""] = text.split(" ");
    if (what === "accepted") {
      this.accepted.add(value);
    } else if (what === "refused") {
      this.refused.add(value);
    } else {
      this.refused.delete(value);
    }
  }
}

async function check(data: string, reported: Said): Promise<void> {
  const file = join(data, "ledger.db");
  if (!existsSync(file)) {
    assert.equal(reported.accepted.size, 0, "the ledger is gone");
    return;
  }
  const database = openForWriting(file);
  const ledger = new Ledger(database, new LocalLog(database));
  ledger.catchUp();
  ledger.checkLinks();
  const { height } = ledger.head;
  const reader = new LedgerReader(file);
  reader.open(0);
  for (const id of reported.accepted) {
    const name = parseTransactionId(id);
    assert.ok(name !== undefined && reader.transaction(name) !== undefined, `lost: ${id}`);
  }
  for (const key of reported.refused) {
    const parsed = parseTemporaryKey(key);
    assert.ok(parsed !== undefined);
    assert.equal(reader.keyUse(parsed), undefined, `refused, yet done: ${key}`);
  }
  reader.dispose();
  database.close();
  if (height >= 0) {
    const { exitCode, output } = await runMoneta("verify", data);
    assert.equal(exitCode, 0, output);
  }
}
