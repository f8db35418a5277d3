import type { LedgerReader } from "@moneta/ledger";

/** Runs a function with a reader on the newest block, and ends its snapshot afterwards. */
export type ReadSnapshot = <T>(read: (reader: LedgerReader) => T) => T;

export function snapshotsOf(reader: LedgerReader): ReadSnapshot {
  return (read) => {
    reader.open(0);
    try {
      return read(reader);
    } finally {
      reader.close();
    }
  };
}
