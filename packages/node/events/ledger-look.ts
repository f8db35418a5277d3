import type { LedgerReader } from "@moneta/ledger";

/** Runs a function with a reader on the newest block, and ends its snapshot afterwards. */
export type LedgerLook = <T>(look: (reader: LedgerReader) => T) => T;

export function lookThrough(reader: LedgerReader): LedgerLook {
  return (look) => {
    reader.open(0);
    try {
      return look(reader);
    } finally {
      reader.close();
    }
  };
}
