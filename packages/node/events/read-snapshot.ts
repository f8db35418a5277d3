import type { LedgerReader } from "@moneta/ledger";

/** On the newest block; ends the snapshot afterwards. */
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
