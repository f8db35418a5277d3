import { existsSync } from "node:fs";
import { closeWhole, copyDatabase, failureOf, openForWriting } from "../database.ts";
import { Ledger } from "../ledger.ts";
import { areTablesCurrent } from "../tables.ts";
import { LocalLog, redoFile } from "./local-log.ts";

/** Copies a ledger that may be in use. `onProgress` gets the copied and the total pages. */
export async function copyLedger(
  from: string,
  to: string,
  onProgress: (done: number, total: number) => void,
): Promise<void> {
  await copyDatabase(from, to, onProgress);
  if (!existsSync(redoFile(from))) {
    return;
  }
  const database = openForWriting(to);
  try {
    const log = new LocalLog(database);
    // Tables of another version are rebuilt at the start of a node.
    if (log.takeRedo(from) > 0 && areTablesCurrent(database)) {
      new Ledger(database, log).catchUp();
    }
  } catch (thrown) {
    throw failureOf(thrown, database);
  } finally {
    closeWhole(database);
  }
}
