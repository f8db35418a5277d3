// `node --import ./packages/cli/own-sources.mjs bench/pruning.ts [transfers [entries [rounds]]]`: a
// ledger is archived, written as a snapshot, verified and pruned; each round adds as many
// transfers. Source: proofs §4 to §6.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { copyLedger, StateTree, sha256 } from "@moneta/ledger";
import type { Address } from "@moneta/protocol";
import { rootOperation, T, TestLedger } from "../packages/ledger/testing/test-ledger.ts";
import { CheckpointKeys } from "../packages/node/checkpoint-keys.ts";
import {
  makeDataDirectory,
  readCheckpointKeys,
} from "../packages/node/data-directory/data-directory.ts";
import { SignedTreeFile } from "../packages/node/data-directory/signed-tree-file.ts";
import { peakBytes } from "../packages/node/testing/service-process.ts";
import { TemporaryDirectory } from "../packages/node/testing/temporary-directory.ts";
import { report } from "./progress.ts";
import { folderBytes } from "./usage.ts";

const MAIN = fileURLToPath(new URL("../packages/cli/moneta.mjs", import.meta.url));
const ADDRESSES = 10_000;
const BLOCK_OPERATIONS = 500;
const LIST = 100;
const LISTS = 10;
const KEPT = 3000;
const TWO_DAYS = 172_802;
const POLL_MS = 20;
const UNLOCK_DATE = T + 10 * 365 * 86_400;

const [transfers = 100_000, entries = 0, rounds = 1] = process.argv.slice(2).map(Number);
using directory = new TemporaryDirectory("bench-pruning");
const archive = join(directory.path, "archive");
using ledger = await TestLedger.begin({ supply: "1000000000000" });
const addresses: Address[] = [];
for (let made = 0; made < ADDRESSES; made += BLOCK_OPERATIONS) {
  addresses.push(...(await ledger.createAddresses(BLOCK_OPERATIONS)));
}
await payAll(addresses.map((to) => ({ to, amount: "1000000" })));
console.log("| step | seconds | peak memory MB | MB |\n|---|---|---|---|");
await timed(`${entries} locked amounts`, () => lockAmounts(entries));
for (let round = 1; round <= rounds; round += 1) {
  await timed(`${transfers} transfers`, () => pay(transfers));
  await measureRound(round);
}

function show(step: string, seconds: number, more: { peak?: number; bytes?: number } = {}): void {
  const megabytes = (bytes: number | undefined): string =>
    bytes === undefined ? "" : (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0);
  console.log(
    `| ${step} | ${seconds.toFixed(1)} | ${megabytes(more.peak)} | ${megabytes(more.bytes)} |`,
  );
}

async function timed(step: string, work: () => Promise<void>): Promise<void> {
  const started = performance.now();
  await work();
  show(step, (performance.now() - started) / 1000);
}

async function execute(batch: readonly string[]): Promise<void> {
  const { outcomes } = await ledger.execute(...batch);
  assert.ok(outcomes.every(({ kind }) => kind === "done"));
}

async function payAll(
  list: readonly { readonly to: Address; readonly amount: string; readonly unlockdate?: string }[],
): Promise<void> {
  const from = ledger.treasury;
  for (let begin = 0; begin < list.length; begin += LIST * LISTS) {
    const ends = Math.min(list.length, begin + LIST * LISTS);
    const batch: string[] = [];
    for (let at = begin; at < ends; at += LIST) {
      const part = list.slice(at, Math.min(at + LIST, ends));
      const paid = part.map(({ to: address, ...rest }) => ({ address, ...rest }));
      batch.push(ledger.multitransfer({ from, list: paid }));
    }
    await execute(batch);
  }
}

/** The amounts of one address are unlocked at different times. */
async function lockAmounts(count: number): Promise<void> {
  for (let done = 0; done < count; done += ADDRESSES) {
    ledger.now += 1;
    const unlockdate = String(UNLOCK_DATE + done / ADDRESSES);
    await payAll(addresses.slice(0, count - done).map((to) => ({ to, amount: "1", unlockdate })));
    report(`locked amounts: ${done} of ${count}`);
  }
}

async function pay(count: number): Promise<void> {
  for (let done = 0; done < count; done += BLOCK_OPERATIONS) {
    ledger.now += 1;
    await execute(
      Array.from({ length: Math.min(BLOCK_OPERATIONS, count - done) }, (_, index) => {
        const place = (done + index) * 7919;
        const [from, to] = [addresses[place % ADDRESSES], addresses[(place + 4999) % ADDRESSES]];
        return ledger.transfer({ from: from as Address, to: to as Address, amount: "1" });
      }),
    );
    if (done % 100_000 === 0) {
      report(`transfers: ${done} of ${count}`);
    }
  }
}

async function measureRound(round: number): Promise<void> {
  const before = ledger.ledger.head.height;
  ledger.now += TWO_DAYS;
  await pay(KEPT);
  const root = claimedRoot();
  await ledger.done(rootOperation(ledger.ledger.head.height, root));
  ledger.ledger.flush();
  const data = join(directory.path, `data-${round}`);
  const named = makeDataDirectory(data);
  await copyLedger(ledger.file, named.ledger, () => undefined);
  const { size, tree } = ledger.reading(() => ledger.reader.newest.header);
  new SignedTreeFile(named.signedTree).write({ size, tree });
  const keys = new CheckpointKeys("localhost/test", readCheckpointKeys(named)).verifierKeys;
  const [key = ""] = keys;
  show(`directory with ${size} transactions`, 0, { bytes: bytesOf(data) });
  const height = String(before);
  await run("archive", ["archive", data, archive, "--before", height], archive);
  await run("verify --archive", ["verify", "--archive", archive, "--key", key]);
  const file = join(directory.path, "state.snapshot");
  await run("snapshot", ["snapshot", data, file], file);
  const from = join(directory.path, "from-snapshot");
  const serve = ["serve", "--data", from, "--port", "0", "--deployment", "test"];
  const source = ["--from-snapshot", file, "--log-key", key];
  const start = [...serve, ...source, "--operator-listen", "public"];
  await run("start from the snapshot", start, from, /^listening on /m);
  await run("prune", ["prune", data, "--before", height, "--archive", archive], data);
  for (const path of [file, from, data]) {
    rmSync(path, { recursive: true });
  }
}

function claimedRoot(): string {
  const { height, id: block, timestamp } = ledger.ledger.head;
  const path = join(directory.path, "state.tree");
  const tree = StateTree.open(path, { ledgerId: "", keptRoots: "none", access: "write" });
  const started = performance.now();
  let count = 0;
  const hashed = function* (): Iterable<readonly [string, Uint8Array]> {
    for (const [key, text] of ledger.reader.entries()) {
      count += 1;
      yield [key, sha256.bytes(text)];
    }
  };
  const { root } = ledger.reading(() => tree.rebuild({ height, timestamp, block }, hashed()));
  tree.close();
  const seconds = (performance.now() - started) / 1000;
  show(`state tree of ${count} entries`, seconds, { bytes: statSync(path).size });
  rmSync(path);
  return Buffer.from(root).toString("hex");
}

async function run(
  step: string,
  command: readonly string[],
  path?: string,
  until?: RegExp,
): Promise<void> {
  const started = performance.now();
  const child = spawn(process.execPath, [MAIN, ...command], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (text) => {
    output += String(text);
  });
  let ms = 0;
  let peak = 0;
  while (child.exitCode === null && child.signalCode === null) {
    await delay(POLL_MS);
    const now = child.exitCode === null ? peakBytesOf(child.pid as number) : 0;
    peak = Math.max(peak, now);
    if (ms === 0 && until?.test(output) === true) {
      ms = performance.now() - started;
      child.kill("SIGTERM");
    }
  }
  assert.equal(child.exitCode, 0, output);
  const seconds = (ms === 0 ? performance.now() - started : ms) / 1000;
  show(step, seconds, { peak, ...(path === undefined ? {} : { bytes: bytesOf(path) }) });
}

function peakBytesOf(pid: number): number {
  try {
    return peakBytes(pid);
  } catch {
    return 0;
  }
}

function bytesOf(path: string): number {
  const stat = statSync(path);
  return stat.isDirectory() ? folderBytes(path) : stat.size;
}
