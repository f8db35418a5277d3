import { parentPort, workerData } from "node:worker_threads";
import { invariant, LedgerReader } from "@moneta/ledger";
import type { ArchiveThreadData, FromArchive, ToArchive } from "./archive-read-messages.ts";
import { CheckedArchive } from "./checked-archive.ts";

// A thread: decompressing and hashing large blocks takes long.
invariant(parentPort !== null, "this file runs as a worker");
const port = parentPort;
const { file, archive } = workerData as ArchiveThreadData;
const checked = new CheckedArchive(archive, new LedgerReader(file));

port.on("message", async (message: ToArchive) => {
  const answer: FromArchive = await checked.read(message);
  port.postMessage(answer);
});
