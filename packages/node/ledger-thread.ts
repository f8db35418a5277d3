import { parentPort, workerData } from "node:worker_threads";
import {
  closeWhole,
  GenesisProblem,
  invariant,
  Ledger,
  LocalLog,
  type Outcome,
  openForWriting,
  StorageFailure,
} from "@moneta/ledger";
import type { Batch, BatchResult, LedgerThreadData, Ready } from "./ledger-messages.ts";
import { Progress } from "./progress.ts";

// The one thread that writes. It runs the rules and waits for the disk, so that the thread that answers requests does neither.
invariant(parentPort !== null, "this file runs as a worker");
const port = parentPort;
const { file, genesis, verifyAtStart } = workerData as LedgerThreadData;

const database = openForWriting(file);
const log = new LocalLog(database);
const ledger = new Ledger(database, log);
const blocks = log.height() + 1;
const replayed = new Progress("replaying blocks", blocks);
ledger.catchUp({ onBlock: (height) => replayed.show(height + 1) });
if (ledger.head.height === -1) {
  invariant(
    genesis !== undefined,
    "a ledger without blocks is opened with what block 0 is made from",
  );
  await ledger.begin(genesis.operations, genesis.timestamp);
} else {
  if (genesis !== undefined && !ledger.beganWith(genesis.operations)) {
    throw new GenesisProblem(
      "the genesis file is not the one that block 0 of this ledger was made from",
    );
  }
  if (verifyAtStart === "links") {
    const checked = new Progress("checking the links between blocks", blocks);
    ledger.checkLinks((height) => checked.show(height + 1));
  }
}
port.postMessage({
  height: ledger.head.height,
  unknownVersion: ledger.unknownVersion,
} satisfies Ready);

// One batch after the other, also with a log that makes a batch wait for the network.
let last: Promise<void> = Promise.resolve();
port.on("message", (message: Batch | "close") => {
  // A failure that is none of the machine's is a bug: it ends the thread, and with it the process.
  last = last.then(() => (message === "close" ? close() : execute(message)));
});

async function execute({ operations, now }: Batch): Promise<void> {
  port.postMessage(await resultOf(operations, now));
}

function close(): void {
  closeWhole(database);
  port.close();
}

async function resultOf(operations: readonly string[], now: number): Promise<BatchResult> {
  try {
    const execution = await ledger.execute(operations, now);
    const outcomes = execution.outcomes.map((outcome) =>
      outcome.kind === "done" ? outcome.transactionId : outcome,
    );
    return { ...execution, outcomes, unknownVersion: ledger.unknownVersion, failure: undefined };
  } catch (thrown) {
    if (!(thrown instanceof StorageFailure)) {
      throw thrown;
    }
    const outcome: Outcome = {
      kind: "refused",
      fault: {
        code: "9002",
        reason: "The ledger cannot be written, perhaps because the disk is full",
        retryAfter: 5,
      },
    };
    return {
      outcomes: operations.map(() => outcome),
      height: ledger.head.height,
      executeMs: 0,
      commitMs: 0,
      unknownVersion: ledger.unknownVersion,
      failure: thrown.message,
    };
  }
}
