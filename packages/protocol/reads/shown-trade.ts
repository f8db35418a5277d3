import { amount, type Members, rate, text, time, tokenId } from "../description/shown.ts";
import { platformExample } from "../operations/platform.ts";

/** Through which platform something is sold. Source: tokens §9. */
export const platformMembers: Members = {
  platform_name: [text, platformExample.platform_name],
  platform_url: [text, platformExample.platform_url],
  platform_address: [text, platformExample.platform_address],
  platform_commission: [rate, platformExample.platform_commission],
};

/** The auction of an item that is on none. Source: mrc401 §6, mrc402 §3. */
export const auctionMembers: Members = {
  auction_date: [time, 0],
  auction_end: [time, 0],
  auction_token: [tokenId, "0"],
  auction_bidding_unit: [amount, "0"],
  auction_start_price: [amount, "0"],
  auction_buynow_price: [amount, "0"],
  auction_current_price: [amount, "0"],
  auction_current_bidder: [text, ""],
};

/** The last trade of an item that has had none. Source: mrc401 §6, mrc402 §3. */
export const lastTradeMembers: Members = {
  last_trade_date: [time, 0],
  last_trade_amount: [amount, "0"],
  last_trade_token: [tokenId, "0"],
  last_trade_type: [text, ""],
};
