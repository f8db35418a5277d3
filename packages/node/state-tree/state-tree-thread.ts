import { parentPort, workerData } from "node:worker_threads";
import { invariant, LedgerReader, SYSTEM_TIME } from "@moneta/ledger";
import { StateTreeLoop } from "./state-tree-loop.ts";
import type { FromStateTree, StateTreeThreadData, ToStateTree } from "./state-tree-messages.ts";

// The only writer of the tree's file. A damaged ledger or a full disk ends the thread; the next
// step starts a new one.
invariant(parentPort !== null, "this file runs as a worker");
const port = parentPort;
const { file, treeFile, keptRoots, everyMs } = workerData as StateTreeThreadData;
const loop = new StateTreeLoop({
  reader: new LedgerReader(file),
  ...{ treeFile, keptRoots, everyMs, nowMs: () => SYSTEM_TIME.nowMs() },
});

port.on("message", (message: ToStateTree) => {
  const answer: FromStateTree = loop.step(message);
  port.postMessage(answer);
});
