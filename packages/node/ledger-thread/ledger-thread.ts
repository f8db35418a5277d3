import { parentPort, workerData } from "node:worker_threads";
import {
  closeWhole,
  type Database,
  damageOf,
  failureOf,
  GenesisProblem,
  InvalidBlock,
  invariant,
  Ledger,
  LocalLog,
  LogUnavailable,
  openForReading,
  openForWriting,
  type SharedLog,
  StorageFailure,
  SYSTEM_TIME,
  SyncFailure,
  syncFolderOf,
  UnknownRules,
  UnusableLedger,
} from "@moneta/ledger";
import { LedgerClock } from "../ledger-clock.ts";
import { Progress } from "../progress.ts";
import { ThreadCalls } from "../thread-calls.ts";
import { LedgerLoop } from "./ledger-loop.ts";
import type { FromLedger, LedgerThreadData, SharedLogData, ToLedger } from "./ledger-messages.ts";

// The only writer. It runs the rules and waits for the disk.
invariant(parentPort !== null, "this file runs as a worker");
const port = parentPort;
// A pause between attempts to reach the log has no connection that would keep the thread alive.
port.ref();
const {
  file,
  immutableName,
  genesis,
  verifyAtStart,
  keepState,
  keepChanges,
  shared,
  operationsMax,
  bytesMax,
} = workerData as LedgerThreadData;

/** Any other error may be caused by a damaged file. */
const FORESEEN = [
  GenesisProblem,
  InvalidBlock,
  LogUnavailable,
  StorageFailure,
  UnknownRules,
  UnusableLedger,
];

const synchronous = shared === undefined ? "FULL" : "NORMAL";
const database = await attempt(
  () =>
    immutableName === undefined
      ? openForWriting(file, synchronous, { isHeld: true })
      : openForReading(immutableName),
  undefined,
);
const access = immutableName === undefined ? "write" : "read";
const local = await attempt(() => new LocalLog(database, access), database);
const log = shared && (await attempt(() => openShared(shared), database));
const ledger = await attempt(open, database);
const checkpoints = new ThreadCalls<undefined, string | undefined>({
  file: new URL("./checkpoint-thread.ts", import.meta.url),
  name: "checkpoints",
  data: { file },
});
ledger.copyLogBy(copyLog);
say({ kind: "ready", height: ledger.head.height, unknownVersion: ledger.unknownVersion });

/** 0 for block 0, whose time the operator chose. */
const newestTime = (): number => (ledger.stored.height > 0 ? ledger.stored.timestamp : 0);

const loop = new LedgerLoop({
  ledger,
  clock: shared && clockFor(shared),
  shared: log,
  time: SYSTEM_TIME,
  syncMs: shared?.syncMs,
  operationsMax,
  bytesMax,
  say,
  attempt: (work) => attempt(work, database),
  close,
});
loop.start();
port.on("message", (message: ToLedger) => loop.take(message));

function say(message: FromLedger): void {
  port.postMessage(message);
}

/** After a failed sync the thread stops: closing the database would flush the WAL. */
function endAfter(failedSync: string): void {
  say({ kind: "syncFailed", message: failedSync });
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

/** The ledger's own checkpoint follows: after a fault of the thread it copies everything. */
async function copyLog(): Promise<void> {
  try {
    const failedSync = await checkpoints.call(undefined);
    if (failedSync !== undefined) {
      endAfter(failedSync);
    }
  } catch (thrown) {
    say({ kind: "checkpoint", result: { failure: (thrown as Error).message } });
  }
}

async function attempt<T>(what: () => T | Promise<T>, over: Database | undefined): Promise<T> {
  try {
    return await what();
  } catch (thrown) {
    const failure = failureOf(thrown, over);
    if (failure instanceof SyncFailure) {
      endAfter(failure.message);
    }
    if (over === undefined || FORESEEN.some((foreseen) => failure instanceof foreseen)) {
      throw failure;
    }
    throw damageOf(over) ?? failure;
  }
}

async function open(): Promise<Ledger> {
  const opened = new Ledger(database, log ?? local);
  if (immutableName === undefined) {
    opened.keepState(keepState);
    opened.keepChanges(keepChanges);
  }
  const blocks = local.height() + 1;
  const replayed = new Progress("replaying blocks", blocks);
  opened.catchUp({ onBlock: (height) => replayed.show(height + 1) });
  if (opened.head.height === -1 && log !== undefined) {
    const { followFirst } = await import("./open-shared-log.ts");
    await followFirst(opened, log);
  } else if (opened.head.height === -1) {
    invariant(
      genesis !== undefined,
      "a ledger without blocks is opened with what block 0 is made from",
    );
    await opened.begin(genesis.operations, genesis.timestamp);
  } else {
    if (genesis !== undefined && !opened.beganWith(genesis.operations)) {
      throw new GenesisProblem(
        "the genesis file is not the one that block 0 of this ledger was made from",
      );
    }
    if (verifyAtStart === "links") {
      opened.checkLinks();
    }
  }
  if (immutableName === undefined) {
    // SQLite ignores a failure to sync the name of a new WAL.
    syncFolderOf(file);
  }
  return opened;
}

/** A local log does not need the client library. */
async function openShared(from: SharedLogData): Promise<SharedLog> {
  const { openSharedLog } = await import("./open-shared-log.ts");
  return await openSharedLog(from, local);
}

function clockFor({ clockTolerance, clockBefore }: SharedLogData): LedgerClock {
  const clock = new LedgerClock({
    wall: () => Math.floor(SYSTEM_TIME.wallMs() / 1000),
    monotonicMs: () => SYSTEM_TIME.nowMs(),
    block: newestTime,
    tolerance: clockTolerance,
  });
  const before = Math.max(clockBefore, newestTime());
  if (before > 0) {
    clock.compare(before);
  }
  return clock;
}

async function close(): Promise<void> {
  await checkpoints.close();
  closeWhole(database);
  port.close();
}
