import type { Address } from "@moneta/protocol";

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

/** What a listing shows of the market that it was made on. */
interface Market {
  readonly gold: string;
  readonly now: number;
}

/** What a market of its own offers: name and URL of the platform. */
export const PLATFORM = {
  platform_name: "Börse 😀",
  platform_url: "https://börse.example/?a=1",
};

/** Listing 1 with `PLATFORM`, as it is created now; listing 2 has prices instead. */
export function listingShown(
  market: Market,
  dexid: string,
  { p }: { readonly p: Address },
): TokenListingShown {
  return {
    ...BLANK_TOKEN_LISTING,
    ...PLATFORM,
    ...{ dexid, mrc010: market.gold, state: "open", platform_address: p },
    ...{ amount: "1000", remain_amount: "1000", min_trade_unit: "10" },
    platform_commission: "2.5",
    regdate: market.now,
  };
}
