import {
  type LedgerReader,
  SyncFailure,
  storageFailure,
  unknownVersionFault,
} from "@moneta/ledger";
import { LedgerFileWatch } from "../data-directory/ledger-file-watch.ts";
import { NewestBlockFile } from "../data-directory/newest-block-file.ts";
import { UNTIL_MENDED_SECONDS, WRITE_CAUSES } from "../write-state.ts";
import type { Data } from "./open-data.ts";
import type { OpenLedger } from "./open-ledger.ts";
import type { Start } from "./start.ts";

/** The clock and the ledger's file, without requests. */
const CLOCK_STEP_MS = 10_000;
const WRITES_STEP_MS = 1000;
/** While the disk is slow, which may end at any moment. */
const SYNC_RETRY_SECONDS = 5;

export function watchWrites(start: Start, data: Data, { queue }: OpenLedger): void {
  const { settings, started, disk, ledgerClock, watch, writes } = start;
  const ledgerFile = watchLedgerFile(start, data);
  writes.watch("clock", () => watch?.holds.clock ?? ledgerClock.hold());
  writes.watch("file", () => ledgerFile?.hold());
  writes.watch("rules", () => {
    const unknown = queue.unknownVersion;
    return unknown === undefined || unknown.height > queue.height + 1
      ? undefined
      : {
          reason: `the next block follows version ${unknown.version} of the rules, which this software does not know`,
          retryAfter: UNTIL_MENDED_SECONDS,
          fault: unknownVersionFault(unknown),
        };
  });
  writes.watch("disk", () => {
    if (disk !== undefined) {
      return disk.hold();
    }
    const failure = queue.storageFailure;
    return failure && { ...failure, retryAfter: UNTIL_MENDED_SECONDS };
  });
  const syncMs = settings["sync-seconds"] * 1000;
  writes.watch("sync", () =>
    queue.underWayMs < syncMs
      ? undefined
      : {
          reason: `the disk has not made a block durable for ${Math.floor(queue.underWayMs / 1000)} s`,
          retryAfter: SYNC_RETRY_SECONDS,
        },
  );
  for (const cause of WRITE_CAUSES) {
    if (watch !== undefined && cause !== "file" && cause !== "clock" && cause !== "rules") {
      writes.watch(cause, () => watch.holds[cause]);
    }
  }
  // Logs a change even without writes.
  const timer = setInterval(() => writes.hold, WRITES_STEP_MS).unref();
  started.defer(() => clearInterval(timer));
}

/** Undefined for a copy of another log, which would lose nothing. */
function watchLedgerFile(
  { started, operatorEvents, watch }: Start,
  { directory: { ledger: file } }: Data,
): LedgerFileWatch | undefined {
  if (watch !== undefined) {
    return undefined;
  }
  const ledgerFile = new LedgerFileWatch(file, (isGone) =>
    operatorEvents.emit("ledgerFile", { file, isGone }),
  );
  const timer = setInterval(() => void ledgerFile.look(), CLOCK_STEP_MS).unref();
  started.defer(() => clearInterval(timer));
  return ledgerFile;
}

/** Now and periodically. Returns the file that stores clock and newest block. */
export function followClock(
  { started, ledgerClock, clock, operatorEvents, onFailure, watch }: Start,
  { directory, remembered }: Data,
  { queue, reading, readingNewest }: OpenLedger,
): NewestBlockFile {
  // Block 0 may be much older than the first start.
  const shown = Math.max(
    queue.height > 0 ? reading().newest.header.timestamp : 0,
    remembered?.clock ?? 0,
  );
  // A shared log's clock counts, which the ledger thread compares.
  if (watch !== undefined && shown > 0) {
    watch.noteHeardBefore(shown);
  }
  if (watch === undefined) {
    if (shown > 0) {
      ledgerClock.compare(shown);
      clock();
    }
    ledgerClock.watchBlocks(() => (queue.height > 0 ? (newestOf(reading)?.timestamp ?? 0) : 0));
  }
  const clockTimer = setInterval(clock, CLOCK_STEP_MS).unref();
  started.defer(() => clearInterval(clockTimer));
  const newestBlock = new NewestBlockFile(directory.newestBlock, {
    newest() {
      const { id, header } = readingNewest().newest;
      return { height: header.sn, id, timestamp: header.timestamp, clock: clock() };
    },
    onProblem(problem) {
      if (problem instanceof SyncFailure) {
        onFailure(problem);
      } else {
        operatorEvents.emit("failed", { work: "newest block file", error: problem });
      }
    },
  });
  started.defer(() => newestBlock.end());
  return newestBlock;
}

/** Undefined if the disk cannot be read: other metrics are still served. */
export function newestOf(
  reading: () => LedgerReader,
): { readonly timestamp: number; readonly size: number } | undefined {
  try {
    return reading().newest.header;
  } catch (thrown) {
    if (storageFailure(thrown) === undefined) {
      throw thrown;
    }
    return undefined;
  }
}
