import {
  addressOrNone,
  amount,
  amountOrNone,
  defaulted,
  integer,
  type Members,
  noted,
  rate,
  type SchemaOf,
  text,
  time,
  tokenId,
} from "../description/shown.ts";
import { platformExample } from "../operations/platform.ts";

export const LISTING_SIDE = "kind of the listing";
export const LISTING_STATE =
  "`failed` for an auction without bids; `sold` once nothing of the listing remains";

/** Source: market §1.4. */
export const platformMembers = {
  platform_name: [text, platformExample.platform_name],
  platform_url: [text, platformExample.platform_url],
  platform_address: [addressOrNone, platformExample.platform_address],
  platform_commission: [rate, platformExample.platform_commission],
} satisfies Members;

/** Absent without a bound. Source: market §2.1. */
export const saleWindowMembers = {
  sell_start: [defaulted(noted(time, "when purchases begin; 0 for at once"), 0), 0],
  sell_end: [defaulted(noted(time, "when purchases end; 0 for never"), 0), 0],
} satisfies Members;

/** Absent without one. Source: market §3.2. */
const softCloseMembers = {
  auction_extend: [
    defaulted(noted(integer, "seconds for which the auction stays open after each bid"), 0),
    0,
  ],
  auction_latest_end: [defaulted(noted(time, "latest time to which bids can move the end"), 0), 0],
} satisfies Members;

/** Source: mrc401 §6, mrc402 §3. */
export const auctionMembers = {
  auction_date: [time, 0],
  auction_end: [time, 0],
  ...softCloseMembers,
  auction_token: [tokenId, "0"],
  auction_bidding_unit: [amount, "0"],
  auction_start_price: [amount, "0"],
  auction_buynow_price: [amount, "0"],
  auction_current_price: [amount, "0"],
  auction_current_bidder: [addressOrNone, ""],
} satisfies Members;

/** Source: market §1. */
export const datedAuctionMembers = {
  auction_bid_count: [integer, 0],
  auction_start_date: [time, 0],
  auction_end_date: [time, 0],
  auction_settle_date: [time, 0],
  ...softCloseMembers,
  auction_bidding_unit: [amount, "0"],
  auction_start_price: [amount, "0"],
  auction_buynow_price: [amount, "0"],
  auction_current_price: [amountOrNone, ""],
  auction_current_bidder: [addressOrNone, ""],
} satisfies Members;

const oneOfTrades = text as SchemaOf<"Sell" | "Auction" | "">;

/** Source: mrc401 §6, mrc402 §3. */
export const lastTradeMembers = {
  last_trade_date: [time, 0],
  last_trade_amount: [amount, "0"],
  last_trade_token: [tokenId, "0"],
  last_trade_type: [oneOfTrades, ""],
} satisfies Members;
