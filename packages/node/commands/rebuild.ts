import { existsSync } from "node:fs";
import {
  closeWhole,
  dropTables,
  Ledger,
  LocalLog,
  openForWriting,
  UnknownRules,
} from "@moneta/ledger";
import { dataDirectory, lockDirectory } from "../data-directory.ts";
import { Progress } from "../progress.ts";

/**
 * Makes state and views anew from the blocks; the node must not run. An interrupted rebuild goes on at the next start or rebuild. Returns the exit code.
 */
export function rebuild(path: string): number {
  const directory = dataDirectory(path);
  if (!existsSync(directory.ledger)) {
    console.error(`moneta: there is no ledger in ${path}`);
    return 2;
  }
  const lock = lockDirectory(directory, path);
  const database = openForWriting(directory.ledger);
  try {
    dropTables(database);
    const log = new LocalLog(database);
    const ledger = new Ledger(database, log);
    const progress = new Progress("rebuilding", log.height() + 1);
    ledger.catchUp({ onBlock: (height) => progress.show(height + 1) });
    const unknown = ledger.unknownVersion;
    if (unknown !== undefined && ledger.head.height < log.height()) {
      console.error(
        `rebuilt up to block ${ledger.head.height} only: ${new UnknownRules(unknown).message}: rebuild with one that does`,
      );
      return 2;
    }
    console.log(
      `rebuilt: ${ledger.head.height + 1} blocks, ${ledger.head.size} transactions, newest ${ledger.head.id}`,
    );
    return 0;
  } finally {
    closeWhole(database);
    lock.close();
  }
}
