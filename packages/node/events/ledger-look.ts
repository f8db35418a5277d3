import type { LedgerReader } from "@moneta/ledger";

/** Runs a function with a reader that sees the newest block, and lets go of the ledger after it. */
export type LedgerLook = <T>(look: (reader: LedgerReader) => T) => T;

export function lookThrough(reader: LedgerReader): LedgerLook {
  return (look) => {
    if (reader.isOpen) {
      reader.close(); // what `open` has failed in the middle of
    }
    reader.open(0);
    try {
      return look(reader);
    } finally {
      reader.close();
    }
  };
}
