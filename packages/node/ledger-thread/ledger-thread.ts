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
  openForWriting,
  refusedUnit,
  StorageFailure,
  SyncFailure,
  syncFolderOf,
  type Unit,
  UnknownRules,
  UnusableLedger,
} from "@moneta/ledger";
import type { Fault } from "@moneta/protocol";
import { Progress } from "../progress.ts";
import type {
  Batch,
  BatchResult,
  CheckpointResult,
  FromLedger,
  LedgerThreadData,
  ToLedger,
} from "./ledger-messages.ts";

// The ledger thread, the only writer. It runs the rules and waits for the disk, so that the main
// thread does neither.
invariant(parentPort !== null, "this file runs as a worker");
const port = parentPort;
const { file, genesis, verifyAtStart } = workerData as LedgerThreadData;

/** Errors that explain themselves. Any other may be caused by a damaged file. */
const FORESEEN = [GenesisProblem, InvalidBlock, StorageFailure, UnknownRules, UnusableLedger];

const database = await attempt(() => openForWriting(file), undefined);
const ledger = await attempt(open, database);
say({ kind: "ready", height: ledger.head.height, unknownVersion: ledger.unknownVersion });

// One batch after the other, even with a log that waits for the network.
let last: Promise<void> = Promise.resolve();
port.on("message", (message: ToLedger) => {
  // Any failure but the machine's is a bug: it ends the thread, and with it the process.
  last = last.then(() =>
    attempt(() => (message.kind === "end" ? close() : execute(message)), database),
  );
});

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
  const log = new LocalLog(database);
  const opened = new Ledger(database, log);
  const blocks = log.height() + 1;
  const replayed = new Progress("replaying blocks", blocks);
  opened.catchUp({ onBlock: (height) => replayed.show(height + 1) });
  if (opened.head.height === -1) {
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

async function execute({ units, now }: Batch): Promise<void> {
  say({ kind: "result", ...(await resultOf(units, now)) });
  const result = checkpoint();
  if (result !== undefined) {
    say({ kind: "checkpoint", result });
  }
}

/** After the result of a block, which need not wait for it. */
function checkpoint(): CheckpointResult | undefined {
  try {
    return ledger.checkpoint();
  } catch (thrown) {
    if (!(thrown instanceof StorageFailure)) {
      throw thrown;
    }
    return { failure: thrown.message };
  }
}

function close(): void {
  closeWhole(database);
  port.close();
}

async function resultOf(units: readonly Unit[], now: number): Promise<BatchResult> {
  try {
    const execution = await ledger.execute(units, now);
    const outcomes = execution.outcomes.map((outcome) =>
      outcome.kind === "done" && "transactionId" in outcome ? outcome.transactionId : outcome,
    );
    return { ...execution, outcomes, unknownVersion: ledger.unknownVersion, failure: undefined };
  } catch (thrown) {
    if (!(thrown instanceof StorageFailure)) {
      throw thrown;
    }
    const fault: Fault = {
      code: "9002",
      reason: "The ledger cannot be written, perhaps because the disk is full",
      retryAfter: 5,
    };
    return {
      outcomes: units.map((unit) => refusedUnit(unit, fault)),
      height: ledger.head.height,
      executeMs: 0,
      commitMs: 0,
      unknownVersion: ledger.unknownVersion,
      failure: thrown.message,
    };
  }
}
