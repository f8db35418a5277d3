import type { LedgerReader } from "@moneta/ledger";

/** The main thread's reader, returned open. */
export interface ReadingPerTurn {
  /**
   * On the snapshot of this event-loop turn: the newest block at its first read, or after the last
   * block that was reported in it.
   */
  readonly reading: () => LedgerReader;
  /** On a new snapshot, which has the newest writes. */
  readonly readingNewest: () => LedgerReader;
  /**
   * Number of the newest block that any response has reflected: every later read has it.
   * Source: conventions §2.3.
   */
  readonly height: () => number;
}

/**
 * Opens the reader at its first use in an event-loop turn and closes it at the end of that turn. So
 * the requests of a turn share one snapshot, which never keeps the WAL for long.
 * `readable` and `answered` are the numbers of the newest block known to be in the database, and of
 * the newest answered one. A block that becomes readable within a turn, possibly with a request
 * that needs it, makes the snapshot too old.
 */
export function readingPerTurn(
  reader: LedgerReader,
  clock: () => number,
  readable: () => number,
  answered: () => number = readable,
): ReadingPerTurn {
  const closeIfOpen = (): void => {
    if (reader.isOpen) {
      reader.close();
    }
  };
  const readingNewest = (): LedgerReader => {
    closeIfOpen();
    reader.open(clock());
    setImmediate(closeIfOpen);
    return reader;
  };
  return {
    reading: () => (reader.isOpen && reader.height >= readable() ? reader : readingNewest()),
    readingNewest,
    height: () => Math.max(reader.height, answered()),
  };
}
