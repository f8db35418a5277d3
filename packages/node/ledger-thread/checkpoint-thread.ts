import { parentPort, workerData } from "node:worker_threads";
import {
  checkpoint,
  invariant,
  openForCheckpoints,
  SyncFailure,
} from "@moneta/ledger/checkpoint-copy";

// Copies the log of changes while the ledger thread executes blocks. A full disk ends the thread;
// the next call starts a new one. It imports little: all of the ledger costs 1 s of CPU on a slow
// machine.
invariant(parentPort !== null, "this file runs as a worker");
const port = parentPort;
const { file } = workerData as { readonly file: string };
const database = openForCheckpoints(file);

/** Replies with a failed sync, after which the process must end. */
port.on("message", () => {
  try {
    checkpoint(database);
    port.postMessage(undefined);
  } catch (thrown) {
    if (!(thrown instanceof SyncFailure)) {
      throw thrown;
    }
    port.postMessage(thrown.message);
  }
});
