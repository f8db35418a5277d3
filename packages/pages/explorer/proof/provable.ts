import type { Block, Transaction, TransactionRecord } from "@moneta/sdk";
import type { AskedRead } from "@moneta/sdk/proof";

export type Provable =
  | { readonly transaction: Transaction }
  | { readonly block: Block }
  | ShownEntry
  | AskedRead;

export interface ShownEntry {
  readonly entry: TransactionRecord & { readonly item?: string | undefined };
  readonly address?: string | undefined;
}

export type ProvableKind = "transaction" | "block" | "entry" | "state";

export function kindOf(shown: Provable): ProvableKind {
  return "transaction" in shown
    ? "transaction"
    : "block" in shown
      ? "block"
      : "read" in shown
        ? "state"
        : "entry";
}
