import {
  closeWhole,
  damageOf,
  dropTables,
  failureOf,
  Ledger,
  LocalLog,
  openForWriting,
  PROTOCOL_VERSIONS,
  refusePruned,
} from "@moneta/ledger";
import { lockDirectory } from "../data-directory/data-directory.ts";
import { wholeLedger } from "../data-directory/log-source.ts";
import { Progress } from "../progress.ts";
import { SettingProblem } from "../settings.ts";

/** Rebuilds state and views of a stopped node. Resumable. Returns the exit code. */
export function rebuild(path: string): number {
  const directory = wholeLedger(path);
  using _lock = lockDirectory(directory, path);
  const database = openForWriting(directory.ledger);
  try {
    refusePruned(database);
    const log = new LocalLog(database);
    const missing = log.firstMissing();
    if (missing !== undefined) {
      throw new SettingProblem(
        `block ${missing} in ${path} is missing, and there are later ones: restore the newest back-up, or one of another node of the ledger; nothing was changed`,
      );
    }
    const { protocol = 1 } = log.block(log.height())?.header ?? {};
    if (!PROTOCOL_VERSIONS.has(protocol)) {
      // Rebuilt here, they would end at an earlier block.
      throw new SettingProblem(
        `the newest blocks in ${path} follow version ${protocol} of the rules, which this software does not know: rebuild with one that does; nothing was changed`,
      );
    }
    dropTables(database);
    const ledger = new Ledger(database, log);
    const progress = new Progress("rebuilding", log.height() + 1);
    ledger.catchUp({ onBlock: (height) => progress.show(height + 1) });
    console.log(
      `rebuilt: ${ledger.head.height + 1} blocks, ${ledger.head.size} transactions, newest ${ledger.head.id}`,
    );
    return 0;
  } catch (thrown) {
    if (thrown instanceof SettingProblem) {
      throw thrown;
    }
    const failure = failureOf(thrown, database);
    throw failure === thrown ? (damageOf(database) ?? thrown) : failure;
  } finally {
    closeWhole(database);
  }
}
