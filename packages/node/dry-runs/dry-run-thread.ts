import { parentPort, workerData } from "node:worker_threads";
import { type DryResult, type DryRun, DryRunner, invariant } from "@moneta/ledger";

// Executes one run after the other over a snapshot each, and writes nothing.
invariant(parentPort !== null, "this file runs as a worker");
const port = parentPort;
const { file } = workerData as { readonly file: string };
const runner = new DryRunner(file);

port.on("message", (run: DryRun) => {
  const answer: DryResult = runner.run(run);
  port.postMessage(answer);
});
