import type { LedgerReader } from "@moneta/ledger";

/** The main thread's reader, open when these return it. */
export interface ReadingPerTurn {
  /** On the snapshot of this event-loop turn: the newest block at the first read in it. */
  readonly reading: () => LedgerReader;
  /** On a new snapshot, which has what has just been written. */
  readonly readingNewest: () => LedgerReader;
}

/**
 * Opens the reader at its first use in an event-loop turn and closes it at the end of that turn.
 * So the requests of a turn share one snapshot, which never keeps the log of changes for long.
 */
export function readingPerTurn(reader: LedgerReader, clock: () => number): ReadingPerTurn {
  const closeIfOpen = (): void => {
    if (reader.isOpen) {
      reader.close();
    }
  };
  const reading = (): LedgerReader => {
    if (!reader.isOpen) {
      reader.open(clock());
      setImmediate(closeIfOpen);
    }
    return reader;
  };
  return {
    reading,
    readingNewest() {
      closeIfOpen();
      return reading();
    },
  };
}
