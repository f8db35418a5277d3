import type { BlockName } from "@moneta/protocol";
import type { State } from "../../state/state.ts";
import type { BlockSummary } from "../blocks.ts";
import type { HistoryView } from "../history.ts";
import type { OrderTradeView } from "../order-trades.ts";
import type { ProjectMarketView } from "../project-markets.ts";
import type { TokenMarketView } from "../token-markets.ts";
import type { TransactionView } from "../transactions.ts";

export interface PlacedTransaction {
  readonly number: number;
  readonly id: string;
  readonly block: BlockSummary;
  /** JCS of the record object. */
  readonly record: string;
}

export interface ListedLedger {
  /** Bytes of a block. */
  readonly log: { readonly size: (height: number) => number | undefined };
  readonly state: State;
  readonly history: HistoryView;
  readonly transactions: TransactionView;
  readonly orderTrades: OrderTradeView;
  readonly projectMarkets: ProjectMarketView;
  readonly tokenMarkets: TokenMarketView;
  block(name: BlockName): BlockSummary | undefined;
  assertNotOlder(given: { readonly parameter: string; readonly given: string }): void;
  blockWithTransaction(number: number): BlockSummary | undefined;
  transactionNumbered(number: number): PlacedTransaction;
  transactionIdOf(number: number): string | undefined;
  /** Unix seconds, both included. */
  numbersBetween(
    since: number | undefined,
    until: number | undefined,
  ): { readonly from: number; readonly before: number };
}
