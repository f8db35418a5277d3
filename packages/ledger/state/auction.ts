import type { Address, Amount } from "@moneta/protocol";

/** The highest bid is held. Prices are for the whole lot. Source: market §3. */
export interface Auction {
  readonly auction_start_price: Amount;
  readonly auction_bidding_unit: Amount;
  /** 0 for none. */
  readonly auction_buynow_price: Amount;
  /** Empty or 0 before the first bid. */
  readonly auction_current_price: Amount | "";
  readonly auction_current_bidder: Address | "";
  /** Minimum after each bid, seconds; 0 without soft close. */
  readonly auction_extend: number;
  /** 0 where no bid moves the end. */
  readonly auction_latest_end: number;
}

export interface DatedAuction extends Auction {
  readonly auction_start_date: number;
  /** Unix seconds. */
  readonly auction_end_date: number;
  readonly auction_bid_count: number;
  /** 0 while it is not. */
  readonly auction_settle_date: number;
}

export interface Bid {
  readonly bidder: Address;
  readonly amount: Amount;
}

export function bidIn({ auction_current_bidder, auction_current_price }: Auction): Bid | undefined {
  return auction_current_bidder === ""
    ? undefined
    : { bidder: auction_current_bidder, amount: auction_current_price as Amount };
}

export function withHighest({ bidder, amount }: Bid): {
  readonly auction_current_bidder: Address;
  readonly auction_current_price: Amount;
} {
  return { auction_current_bidder: bidder, auction_current_price: amount };
}

interface Listed {
  readonly side: "sell" | "buy" | "auction";
  readonly state: string;
  readonly auction_end_date: number;
  readonly auction_current_bidder: Address | "";
}

export function openAuctionEnd({ side, state, auction_end_date }: Listed): number | undefined {
  return side === "auction" && state === "open" ? auction_end_date : undefined;
}

export function openAuctionBidder({ state, auction_current_bidder }: Listed): Address | "" {
  return state === "open" ? auction_current_bidder : "";
}

/** Unix seconds; 0 is no bound. Source: market §2. */
export interface SaleWindow {
  readonly sell_start: number;
  readonly sell_end: number;
}

/** A sale without a window, and an auction that no bid moves. */
export const NO_TIMES = { sell_start: 0, sell_end: 0, auction_extend: 0, auction_latest_end: 0 };

/** It is stored until its holder takes it off. Source: market §2. */
export function hasEnded({ sell_end }: SaleWindow, time: number): boolean {
  return sell_end !== 0 && time >= sell_end;
}
