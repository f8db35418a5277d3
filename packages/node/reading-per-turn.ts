import type { LedgerReader } from "@moneta/ledger";

export interface ReadingPerTurn {
  /** On the snapshot of this event-loop turn, or after the last block reported in it. */
  readonly reading: () => LedgerReader;
  readonly readingNewest: () => LedgerReader;
  /** Of the newest block in any response: later reads have it. Source: conventions §2.3. */
  readonly height: () => number;
}

/**
 * Requests of a turn share a snapshot, which never keeps the WAL for long. A newly readable block
 * makes it too old. `readable` and `answered`: newest block in the database, newest answered one.
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
