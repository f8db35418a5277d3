import type { Address, Amount } from "@moneta/protocol";
import { amount, type Fields, number, object, optional, text } from "./fields.ts";

/**
 * The terms of an auction and how it stands. Prices are for the whole lot.
 * Source: tokens §12, mrc401 §14, mrc402 §14.
 */
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

/** When the auction of a listing ends, while it is open: due auctions are found by it. */
export function openAuctionEnd(
  listing: { readonly state: string } & (
    | { readonly side: "auction"; readonly auction: DatedAuction }
    | { readonly side: "sell" | "buy" }
  ),
): number | undefined {
  return listing.side === "auction" && listing.state === "open"
    ? listing.auction.endDate
    : undefined;
}

/** Who has the highest bid in the auction of a listing, while it is open; `""` for nobody. */
export function openAuctionBidder(listing: {
  readonly state: string;
  readonly auction?: Auction;
}): Address | "" {
  return (listing.state === "open" && listing.auction?.bid?.bidder) || "";
}

/** What a listing shows of its auction. Source: tokens §8, mrc402 §3. */
export const DATED_AUCTION: Fields<DatedAuction> = object<DatedAuction>({
  startPrice: amount("auction_start_price"),
  bidUnit: amount("auction_bidding_unit"),
  buyNowPrice: amount("auction_buynow_price"),
  startDate: number("auction_start_date"),
  endDate: number("auction_end_date"),
  settleDate: number("auction_settle_date"),
  bidCount: number("auction_bid_count"),
  bid: optional(
    object<Bid>({
      bidder: text("auction_current_bidder"),
      amount: amount("auction_current_price", ""),
    }),
    ({ auction_current_bidder }) => auction_current_bidder !== "",
  ),
});
