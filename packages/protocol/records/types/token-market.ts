import { form, ofListing, PLATFORM, SIGNED } from "../record-form.ts";

const OFFER = `dexid address amount mrc010id price token ${PLATFORM} min_trade_unit ${SIGNED}`;
const TOKEN_AUCTION = `dexid address amount mrc010id auction_start_price token auction_bidding_unit auction_buynow_price auction_start_date auction_end_date ${PLATFORM} ${SIGNED}`;
const TOKEN_TAKEN = "taker dexid payment token signature =0 amount mrc010id tkey";
const TOKEN_SHARE = "dexid payee payment token signature =0 amount mrc010id tkey";
const TOKEN_TRADE = "dexid creator other payments mrc010id";
const TOKEN_OFFER_END = `dexid creator amount mrc010id price token ${SIGNED}`;
const TOKEN_REQUEST_END = `dexid creator amount mrc010id refund token ${SIGNED}`;
const TOKEN_AUCTION_END = `dexid seller amount mrc010id auction_start_price token ${SIGNED}`;
const share = {
  by: "mrc010buy mrc010acceptreqsell mrc010bid mrc010auctionfinish",
  money: ["in", "payment"],
  goods: ["in", "amount"],
} as const;

/** Source: tokens §9 to §12. */
export const TOKEN_MARKET_RECORDS = {
  mrc010sell: form("offers", { M: "address" }, OFFER, {
    money: ["asks", "price"],
    goods: ["out", "amount"],
  }),
  mrc010reqsell: form("offers", { M: "address" }, OFFER, {
    money: ["offers", "price"],
    goods: ["wants", "amount"],
  }),
  mrc010unsell: form("offers", { M: "creator" }, TOKEN_OFFER_END, { goods: ["in", "amount"] }),
  mrc010unreqsell: form("offers", { M: "creator" }, TOKEN_REQUEST_END, { money: ["in", "refund"] }),
  transfer_mrc010buy: form("trades", { M: "taker" }, TOKEN_TAKEN, {
    by: "mrc010buy",
    money: ["out", "payment"],
    goods: ["in", "amount"],
  }),
  transfer_mrc010sell: form("trades", { M: "taker" }, TOKEN_TAKEN, {
    by: "mrc010acceptreqsell",
    money: ["in", "payment"],
    goods: ["out", "amount"],
  }),
  mrc010auction: form("auctions", { M: "address" }, TOKEN_AUCTION, {
    money: ["starts", "auction_start_price"],
    goods: ["out", "amount"],
  }),
  mrc010unauction: form("auctions", { M: "seller" }, TOKEN_AUCTION_END, {
    goods: ["in", "amount"],
  }),
  transfer_mrc010bid: form(
    "bids",
    { M: "bidder" },
    "bidder dexid bid token signature =0 amount mrc010id tkey",
    { by: "mrc010bid", money: ["out", "bid"], goods: ["in", "amount"] },
  ),
  receive_mrc010item: form(
    "auctions",
    { M: "winner" },
    "dexid winner =0 token = =0 amount mrc010id =",
    { by: "mrc010auctionfinish", goods: ["in", "amount"] },
  ),
  mrc010auctionfailure: form("auctions", { M: "seller" }, "dexid seller amount mrc010id", {
    by: "mrc010auctionfinish",
    goods: ["in", "amount"],
  }),
  receive_mrc010sell: form("trades", { A: "payee" }, TOKEN_SHARE, share),
  receive_mrc010buy: form("trades", { A: "payee" }, TOKEN_SHARE, share),
  receive_mrc010fee: form("trades", { A: "payee" }, TOKEN_SHARE, share),
  receive_mrc010refund: form("bids", { A: "payee" }, TOKEN_SHARE, share),
  receive_mrc010auction: form("auctions", { A: "payee" }, TOKEN_SHARE, share),
  mrc010_sell: ofListing(OFFER),
  mrc010_reqsell: ofListing(OFFER),
  mrc010_unsell: ofListing(TOKEN_OFFER_END),
  mrc010_unreqsell: ofListing(TOKEN_REQUEST_END),
  mrc010_auction: ofListing(TOKEN_AUCTION),
  mrc010_unauction: ofListing(TOKEN_AUCTION_END),
  mrc010_auctionfailure: ofListing("dexid seller amount mrc010id", { by: "mrc010auctionfinish" }),
  mrc010_buy: ofListing(TOKEN_TRADE),
  mrc010_acceptreqsell: ofListing(TOKEN_TRADE),
  mrc010_auctionbid: ofListing(TOKEN_TRADE, { by: "mrc010bid" }),
  mrc010_auctionbuynow: ofListing(TOKEN_TRADE, { by: "mrc010bid" }),
  mrc010_auctionwinning: ofListing(TOKEN_TRADE, { by: "mrc010auctionfinish" }),
} as const;
