import type { Address, Amount } from "@moneta/protocol";

/** The terms of an auction and how it stands. Prices are for the whole lot. Source: tokens §12, mrc401 §14, mrc402 §14. */
export interface Auction {
  readonly startPrice: Amount;
  readonly bidUnit: Amount;
  /** 0 for none. */
  readonly buyNowPrice: Amount;
  /** From then on there are no bids, Unix seconds. */
  readonly endDate: number;
  /** The highest bid, which is held. */
  readonly bid: Bid | undefined;
}

/** An auction that is a listing of its own. Source: tokens §12, mrc402 §14. */
export interface DatedAuction extends Auction {
  readonly startDate: number;
  readonly bidCount: number;
  /** When it was closed, with or without a winner; 0 while it is not. */
  readonly settleDate: number;
}

export interface Bid {
  readonly bidder: Address;
  readonly amount: Amount;
}
