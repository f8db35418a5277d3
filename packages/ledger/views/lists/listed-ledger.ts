import type { BlockName } from "@moneta/protocol";
import type { State } from "../../state/state.ts";
import type { BlockSummary } from "../blocks.ts";
import type { HistoryView } from "../history.ts";
import type { OrderTradeView } from "../order-trades.ts";
import type { TokenMarketView } from "../token-markets.ts";
import type { TransactionView } from "../transactions.ts";

export interface PlacedTransaction {
  /** Running number, from 0. */
  readonly number: number;
  readonly id: string;
  readonly block: BlockSummary;
  /** JCS of the record object. */
  readonly record: string;
}

/** The parts of a `LedgerReader` that lists need. */
export interface ListedLedger {
  /** `size`: bytes of a block. */
  readonly log: { readonly size: (height: number) => number | undefined };
  readonly state: State;
  readonly history: HistoryView;
  readonly transactions: TransactionView;
  readonly orderTrades: OrderTradeView;
  readonly tokenMarkets: TokenMarketView;
  block(name: BlockName): BlockSummary | undefined;
  assertNotOlder(given: { readonly parameter: string; readonly given: string }): void;
  blockWithTransaction(number: number): BlockSummary | undefined;
  transactionNumbered(number: number): PlacedTransaction;
  transactionIdOf(number: number): string | undefined;
  /** Running numbers between two ledger times, Unix seconds, both included. */
  numbersBetween(
    since: number | undefined,
    until: number | undefined,
  ): { readonly from: number; readonly before: number };
}
