import { parentPort, workerData } from "node:worker_threads";
import {
  checkEngineSettings,
  checkSchema,
  closeWhole,
  type Database,
  damageOf,
  type EngineConnection,
  EngineUrl,
  failureOf,
  GenesisProblem,
  InvalidBlock,
  invariant,
  Ledger,
  LocalLog,
  LogUnavailable,
  openEngine,
  openForWriting,
  PostgresLog,
  readEngineSettings,
  type SharedLog,
  StorageFailure,
  SYSTEM_TIME,
  SyncFailure,
  syncFolderOf,
  TimelineFile,
  UnknownRules,
  UnusableLedger,
} from "@moneta/ledger";
import { serveRows } from "../cluster/row-calls.ts";
import { Progress } from "../progress.ts";
import { LedgerLoop } from "./ledger-loop.ts";
import type { FromLedger, LedgerThreadData, SharedLogData, ToLedger } from "./ledger-messages.ts";

// The ledger thread, the only writer. It runs the rules and waits for the disk, so that the main
// thread does neither.
invariant(parentPort !== null, "this file runs as a worker");
const port = parentPort;
const { file, genesis, verifyAtStart, shared, operationsMax, bytesMax } =
  workerData as LedgerThreadData;

/** Errors that explain themselves. Any other may be caused by a damaged file. */
const FORESEEN = [
  GenesisProblem,
  InvalidBlock,
  LogUnavailable,
  StorageFailure,
  UnknownRules,
  UnusableLedger,
];

const synchronous = shared === undefined ? "FULL" : "NORMAL";
const database = await attempt(() => openForWriting(file, synchronous), undefined);
const local = await attempt(() => new LocalLog(database), database);
const log =
  shared === undefined ? undefined : await attempt(() => openShared(shared, local), database);
const ledger = await attempt(open, database);
say({ kind: "ready", height: ledger.head.height, unknownVersion: ledger.unknownVersion });

const loop = new LedgerLoop({
  ledger,
  shared: log,
  time: SYSTEM_TIME,
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

/**
 * Runs something that may sync. After a failed sync the thread stands still: its end would close
 * the database with a checkpoint.
 */
async function attempt<T>(what: () => T | Promise<T>, over: Database | undefined): Promise<T> {
  try {
    return await what();
  } catch (thrown) {
    const failure = failureOf(thrown, over);
    if (failure instanceof SyncFailure) {
      say({ kind: "syncFailed", message: failure.message });
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    }
    if (over === undefined || FORESEEN.some((foreseen) => failure instanceof foreseen)) {
      throw failure;
    }
    throw damageOf(over) ?? failure;
  }
}

async function open(): Promise<Ledger> {
  const opened = new Ledger(database, log ?? local);
  const blocks = local.height() + 1;
  const replayed = new Progress("replaying blocks", blocks);
  opened.catchUp({ onBlock: (height) => replayed.show(height + 1) });
  if (opened.head.height === -1 && log !== undefined) {
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
      const checked = new Progress("checking the links between blocks", blocks);
      opened.checkLinks((height) => checked.show(height + 1));
    }
  }
  // SQLite ignores a failure to sync the name of a new log of changes.
  syncFolderOf(file);
  return opened;
}

async function openShared(
  { url, schema, turnMs, timelineFile, deployment, rows }: SharedLogData,
  copy: LocalLog,
): Promise<SharedLog> {
  const timelines = new TimelineFile(timelineFile);
  const engine = await openEngine(new EngineUrl(url), { timelines, time: SYSTEM_TIME });
  const check = async (connection: Pick<EngineConnection, "query">): Promise<readonly string[]> => {
    await checkSchema(connection, schema);
    return checkEngineSettings(await readEngineSettings(connection), deployment);
  };
  const opened = new PostgresLog({
    ...{ copy, engine, time: SYSTEM_TIME, timelines, schema, turnMs },
    checkConnection: async (connection) => void (await check(connection)),
  });
  serveRows(rows, Object.assign(opened.rows, { checkEngine: () => opened.check(check) }));
  rows.unref();
  return opened;
}

/** Attempts to reach the log before there is anything to serve, and the pause between them. */
const FIRST_ATTEMPTS = 30;
const FIRST_PAUSE_MS = 1000;

/** Without block 0 there is nothing to serve. Throws `LogUnavailable`. */
async function followFirst(opened: Ledger, from: SharedLog): Promise<void> {
  for (let attempts = 1; opened.head.height === -1; attempts += 1) {
    try {
      await from.look(opened.stored);
      await opened.follow(await from.next(opened.stored));
    } catch (thrown) {
      if (!(thrown instanceof LogUnavailable) || attempts >= FIRST_ATTEMPTS) {
        throw thrown;
      }
      await new Promise<void>((resolve) => void SYSTEM_TIME.after(FIRST_PAUSE_MS, resolve));
    }
  }
}

function close(): void {
  closeWhole(database);
  port.close();
}
