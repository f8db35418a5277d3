import { type Item, localTimeText, type TokenListing, type UnitListing } from "@moneta/sdk";
import { isSaleOpen } from "../../ledger/sale-window.ts";
import type { Field, Fill } from "./fields.ts";
import type { Acting } from "./operation-form.ts";

export interface OnMarket {
  readonly side: "sell" | "buy" | "auction";
  /** Unix seconds; 0 for no bound. */
  readonly begins: number;
  readonly ends: number;
  readonly token: string;
  readonly start: bigint;
  readonly unit: bigint;
  /** 0 without a buy-now price. */
  readonly buyNow: bigint;
  readonly current: bigint;
  /** Empty without a bid. */
  readonly bidder: string;
}

export type MarketAction =
  | "buy"
  | "accept"
  | "bid"
  | "take-back"
  | "withdraw"
  | "cancel-auction"
  | "finish";

export function itemOnMarket(item: Item): OnMarket | undefined {
  const { sell_date, auction_date: date } = item;
  const lot = { token: item.auction_token, ...lotOf(item) };
  return sell_date > 0
    ? { ...lot, side: "sell", begins: item.sell_start, ends: item.sell_end }
    : date > 0
      ? { ...lot, side: "auction", begins: date, ends: item.auction_end }
      : undefined;
}

/** Undefined if it is over. */
export function listingOnMarket(listing: TokenListing | UnitListing): OnMarket | undefined {
  const { state, side } = listing;
  const isAuction = side === "auction";
  return state !== "open"
    ? undefined
    : {
        side,
        begins: isAuction ? listing.auction_start_date : (listing.sell_start ?? 0),
        ends: isAuction ? listing.auction_end_date : (listing.sell_end ?? 0),
        token: listing.sell_token,
        ...lotOf(listing),
      };
}

function lotOf(
  one: Pick<
    Item,
    | "auction_start_price"
    | "auction_bidding_unit"
    | "auction_buynow_price"
    | "auction_current_bidder"
  > & { readonly auction_current_price?: bigint | undefined },
): Pick<OnMarket, "start" | "unit" | "buyNow" | "current" | "bidder"> {
  return {
    start: one.auction_start_price,
    unit: one.auction_bidding_unit,
    buyNow: one.auction_buynow_price,
    current: one.auction_current_price ?? 0n,
    bidder: one.auction_current_bidder,
  };
}

/**
 * Undefined if the account can only wait. `isOwn`: it is the lister, or acts for it. Without an
 * address, what anybody can do.
 */
export function marketAction(
  what: OnMarket | undefined,
  isOwn: boolean,
  { address, now }: Partial<Pick<Acting, "address">> & Pick<Acting, "now">,
): MarketAction | undefined {
  if (what === undefined) {
    return undefined;
  }
  const { side, begins, ends, bidder, buyNow } = what;
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
          ? bidder === ""
            ? "cancel-auction"
            : undefined
          : // The highest bidder can only buy at once.
            now >= begins && (bidder !== address || buyNow > 0n)
            ? "bid"
            : undefined;
  }
}

const DAY_SECONDS = 86_400;

export function usualEnd({ now }: Pick<Acting, "now">): string {
  return localTimeText(Math.ceil((now + DAY_SECONDS) / 60) * 60);
}

export function auctionFills(lot: OnMarket | undefined): Partial<Field> {
  if (lot === undefined) {
    return {};
  }
  const lowest: Fill = { what: "lowest", amount: lowestBid(lot) };
  return {
    label: "bid",
    of: lot.token,
    fills: lot.buyNow > 0n ? [lowest, { what: "buyNow", amount: lot.buyNow }] : [lowest],
  };
}

/** On the auction's steps. A suggestion: the node decides. Source: mrc401 §16 */
function lowestBid({ start, unit, current, bidder, buyNow }: OnMarket): bigint {
  const next = bidder === "" ? start : start + ((current - start) / unit + 1n) * unit;
  return buyNow > 0n && next > buyNow ? buyNow : next;
}
