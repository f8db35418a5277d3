import type { Block, Transaction, TransactionRecord } from "@moneta/sdk";

/** What a view can check: a transaction, a block, or an entry of a history as it is shown. */
export type Provable =
  | { readonly transaction: Transaction }
  | { readonly block: Block }
  | ShownEntry;

export interface ShownEntry {
  readonly entry: TransactionRecord & { readonly item?: string | undefined };
  /** Whose history it is. */
  readonly address?: string | undefined;
}

export type ProvableKind = "transaction" | "block" | "entry";

export function kindOf(shown: Provable): ProvableKind {
  return "transaction" in shown ? "transaction" : "block" in shown ? "block" : "entry";
}
