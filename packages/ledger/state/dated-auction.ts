import type { Address } from "@moneta/protocol";
import type { DatedAuction } from "./auction.ts";
import { storedAmount } from "./stored-amount.ts";

const NO_AUCTION = {
  auction_bid_count: 0,
  auction_bidding_unit: "0",
  auction_buynow_price: "0",
  auction_current_bidder: "",
  auction_current_price: "",
  auction_end_date: 0,
  auction_settle_date: 0,
  auction_start_date: 0,
  auction_start_price: "0",
};

/** What a listing shows of its auction. Members in the order of RFC 8785. */
export type DatedAuctionJson = typeof NO_AUCTION;

/** What a listing shows of its auction, if it is one. Source: tokens §8, mrc402 §3. */
export function datedAuctionJson(auction: DatedAuction | undefined): DatedAuctionJson {
  return auction === undefined
    ? NO_AUCTION
    : {
        auction_bid_count: auction.bidCount,
        auction_bidding_unit: String(auction.bidUnit),
        auction_buynow_price: String(auction.buyNowPrice),
        auction_current_bidder: auction.bid?.bidder ?? "",
        auction_current_price: auction.bid === undefined ? "" : String(auction.bid.amount),
        auction_end_date: auction.endDate,
        auction_settle_date: auction.settleDate,
        auction_start_date: auction.startDate,
        auction_start_price: String(auction.startPrice),
      };
}

export function restoreDatedAuction(stored: DatedAuctionJson): DatedAuction {
  return {
    startPrice: storedAmount(stored.auction_start_price),
    bidUnit: storedAmount(stored.auction_bidding_unit),
    buyNowPrice: storedAmount(stored.auction_buynow_price),
    startDate: stored.auction_start_date,
    endDate: stored.auction_end_date,
    settleDate: stored.auction_settle_date,
    bidCount: stored.auction_bid_count,
    bid:
      stored.auction_current_bidder === ""
        ? undefined
        : {
            bidder: stored.auction_current_bidder as Address,
            amount: storedAmount(stored.auction_current_price),
          },
  };
}
