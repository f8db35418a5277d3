import { isSaleOpen } from "../../ledger/sale-window.ts";

/** What a listing or an item on the market is, as far as a row of a list knows. */
export interface OnMarket {
  readonly side: "sell" | "buy" | "auction";
  /** Whether it is the reader's own. */
  readonly isOwn: boolean;
  readonly hasBid: boolean;
  /** When the auction or the sale begins and ends, Unix seconds; 0 for no bound. */
  readonly begins: number;
  readonly ends: number;
}

/** The action that a row offers; none if one can only wait. */
export type QuickAction =
  | "buy"
  | "accept"
  | "bid"
  | "take-back"
  | "withdraw"
  | "cancel-auction"
  | "finish";

/** The one thing that a reader can most likely do with what is on the market at a time. */
export function quickAction(
  { side, isOwn, hasBid, begins, ends }: OnMarket,
  now: number,
): QuickAction | undefined {
  switch (side) {
    case "sell":
      return isOwn
        ? "take-back"
        : isSaleOpen({ sell_start: begins, sell_end: ends }, now)
          ? "buy"
          : undefined;
    case "buy":
      return isOwn ? "withdraw" : "accept";
    case "auction":
      return now >= ends
        ? "finish"
        : isOwn
          ? hasBid
            ? undefined
            : "cancel-auction"
          : now >= begins
            ? "bid"
            : undefined;
  }
}
