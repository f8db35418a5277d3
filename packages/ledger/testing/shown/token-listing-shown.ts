/**
 * A listing in which nothing applies: texts are `""`, numbers 0, also those that are written as
 * text. Source: tokens §8.
 */
export const BLANK_TOKEN_LISTING = {
  dexid: "",
  mrc010: "",
  side: "",
  state: "",
  seller: "",
  buyer: "",
  amount: "",
  remain_amount: "",
  min_trade_unit: "",
  platform_name: "",
  platform_url: "",
  platform_address: "",
  platform_commission: "0",
  regdate: 0,
  sell_date: 0,
  cancel_date: 0,
  sell_price: "",
  sell_token: "",
  buy_price: "",
  buy_token: "",
  buy_price_total: "",
  auction_bid_count: 0,
  auction_start_date: 0,
  auction_end_date: 0,
  auction_settle_date: 0,
  auction_bidding_unit: "0",
  auction_start_price: "0",
  auction_buynow_price: "0",
  auction_current_price: "",
  auction_current_bidder: "",
  job_type: "",
};

export type TokenListingShown = Readonly<typeof BLANK_TOKEN_LISTING>;

/** What a market of its own offers: name and URL of the platform. */
export const PLATFORM = {
  platform_name: "Börse 😀",
  platform_url: "https://börse.example/?a=1",
};
