import type { Header, TransactionName } from "@moneta/protocol";

export interface ArchiveThreadData {
  readonly file: string;
  readonly archive: string;
}

/** A transaction of a block that the ledger's file does not have. */
export interface ArchivedLeaf {
  readonly block: { readonly header: Header; readonly id: string };
  /** In canonical form, and JCS of the record object. */
  readonly operation: string;
  readonly record: string;
  readonly text: string;
  readonly index: number;
  /** Hashes of the 256 leaves that share its tile, 32 bytes each. */
  readonly tile: Uint8Array;
}

/** `next` is the first block that the lines do not have. */
export interface ArchivedLines {
  readonly lines: string;
  readonly next: number;
}

/** Reads of blocks that the ledger's file does not have: parameter and result of each. */
export interface ArchivedReads {
  transaction: [name: TransactionName, ArchivedLeaf | undefined];
  block: [
    height: number,
    { readonly header: Header; readonly id: string; readonly transactions: readonly string[] },
  ];
  /** At least one block. */
  lines: [blocks: { readonly from: number; readonly to: number }, ArchivedLines];
  hashes: [tile: number, Uint8Array];
  texts: [tile: number, readonly string[]];
}

export type ArchivedRead = keyof ArchivedReads;

export interface ToArchive<R extends ArchivedRead = ArchivedRead> {
  readonly read: R;
  readonly of: ArchivedReads[R][0];
}

/** `wrong`: why the archive does not have it or is not trusted. */
export type FromArchive<R extends ArchivedRead = ArchivedRead> =
  | { readonly found: ArchivedReads[R][1] }
  | { readonly wrong: string };
