import { parentPort, workerData } from "node:worker_threads";
import { DryRunner, invariant } from "@moneta/ledger";
import type { DryRunThreadData, FromDryRuns, ToDryRuns } from "./dry-run-messages.ts";

// Executes one run after the other over a snapshot each, and writes nothing.
invariant(parentPort !== null, "this file runs as a worker");
const port = parentPort;
const { file } = workerData as DryRunThreadData;
const runner = new DryRunner(file);

port.on("message", (message: ToDryRuns) => {
  const answer: FromDryRuns = runner.run(message);
  port.postMessage(answer);
});
