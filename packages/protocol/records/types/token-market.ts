import { form, type Meaning, ofListing, PLATFORM, SIGNED } from "../record-form.ts";

const OFFER = `dexid address amount mrc010id price token ${PLATFORM} min_trade_unit ${SIGNED}`;
const TOKEN_AUCTION = `dexid address amount mrc010id auction_start_price token auction_bidding_unit auction_buynow_price auction_start_date auction_end_date ${PLATFORM} ${SIGNED}`;
const TOKEN_TAKEN = "taker dexid payment token signature =0 amount mrc010id tkey";
const TOKEN_SHARE = "dexid payee payment token signature =0 amount mrc010id tkey";
const TOKEN_TRADE = "dexid creator other payments mrc010id";
const shareOfTokens: Meaning = {
  about: "dexid",
  money: ["in", "payment", "token"],
  goods: ["in", "amount", "mrc010id"],
};
const lotBack: Meaning = { about: "dexid", goods: ["in", "amount", "mrc010id"] };
const TOKEN_ENDS = "mrc010buy mrc010acceptreqsell mrc010bid mrc010auctionfinish";

/** Source: tokens §9 to §12. */
export const TOKEN_MARKET_RECORDS = {
  mrc010sell: [
    form({
      by: "mrc010sell",
      filed: { M: "address" },
      kind: "offers",
      parameters: OFFER,
      about: "dexid",
      money: ["asks", "price", "token"],
      goods: ["out", "amount", "mrc010id"],
    }),
  ],
  mrc010reqsell: [
    form({
      by: "mrc010reqsell",
      filed: { M: "address" },
      kind: "offers",
      parameters: OFFER,
      about: "dexid",
      money: ["offers", "price", "token"],
      goods: ["wants", "amount", "mrc010id"],
    }),
  ],
  mrc010unsell: [
    form({
      by: "mrc010unsell",
      filed: { M: "creator" },
      kind: "offers",
      parameters: `dexid creator amount mrc010id price token ${SIGNED}`,
      ...lotBack,
    }),
  ],
  mrc010unreqsell: [
    form({
      by: "mrc010unreqsell",
      filed: { M: "creator" },
      kind: "offers",
      parameters: `dexid creator amount mrc010id refund token ${SIGNED}`,
      about: "dexid",
      money: ["in", "refund", "token"],
    }),
  ],
  transfer_mrc010buy: [
    form({
      by: "mrc010buy",
      filed: { M: "taker" },
      kind: "trades",
      parameters: TOKEN_TAKEN,
      about: "dexid",
      money: ["out", "payment", "token"],
      goods: ["in", "amount", "mrc010id"],
    }),
  ],
  transfer_mrc010sell: [
    form({
      by: "mrc010acceptreqsell",
      filed: { M: "taker" },
      kind: "trades",
      parameters: TOKEN_TAKEN,
      about: "dexid",
      money: ["in", "payment", "token"],
      goods: ["out", "amount", "mrc010id"],
    }),
  ],
  mrc010auction: [
    form({
      by: "mrc010auction",
      filed: { M: "address" },
      kind: "auctions",
      parameters: TOKEN_AUCTION,
      about: "dexid",
      money: ["starts", "auction_start_price", "token"],
      goods: ["out", "amount", "mrc010id"],
    }),
  ],
  mrc010unauction: [
    form({
      by: "mrc010unauction",
      filed: { M: "seller" },
      kind: "auctions",
      parameters: `dexid seller amount mrc010id auction_start_price token ${SIGNED}`,
      ...lotBack,
    }),
  ],
  transfer_mrc010bid: [
    form({
      by: "mrc010bid",
      filed: { M: "bidder" },
      kind: "bids",
      parameters: "bidder dexid bid token signature =0 amount mrc010id tkey",
      about: "dexid",
      money: ["out", "bid", "token"],
      goods: ["in", "amount", "mrc010id"],
    }),
  ],
  receive_mrc010item: [
    form({
      by: "mrc010auctionfinish",
      filed: { M: "winner" },
      kind: "auctions",
      parameters: "dexid winner =0 token = =0 amount mrc010id =",
      about: "dexid",
      goods: ["in", "amount", "mrc010id"],
    }),
  ],
  mrc010auctionfailure: [
    form({
      by: "mrc010auctionfinish",
      filed: { M: "seller" },
      kind: "auctions",
      parameters: "dexid seller amount mrc010id",
      ...lotBack,
    }),
  ],
  receive_mrc010sell: [
    form({
      by: TOKEN_ENDS,
      filed: { A: "payee" },
      kind: "trades",
      parameters: TOKEN_SHARE,
      ...shareOfTokens,
    }),
  ],
  receive_mrc010buy: [
    form({
      by: TOKEN_ENDS,
      filed: { A: "payee" },
      kind: "trades",
      parameters: TOKEN_SHARE,
      ...shareOfTokens,
    }),
  ],
  receive_mrc010fee: [
    form({
      by: TOKEN_ENDS,
      filed: { A: "payee" },
      kind: "trades",
      parameters: TOKEN_SHARE,
      ...shareOfTokens,
    }),
  ],
  receive_mrc010refund: [
    form({
      by: TOKEN_ENDS,
      filed: { A: "payee" },
      kind: "bids",
      parameters: TOKEN_SHARE,
      ...shareOfTokens,
    }),
  ],
  receive_mrc010auction: [
    form({
      by: TOKEN_ENDS,
      filed: { A: "payee" },
      kind: "auctions",
      parameters: TOKEN_SHARE,
      ...shareOfTokens,
    }),
  ],
  mrc010_sell: [ofListing("mrc010sell", OFFER)],
  mrc010_reqsell: [ofListing("mrc010reqsell", OFFER)],
  mrc010_unsell: [ofListing("mrc010unsell", `dexid creator amount mrc010id price token ${SIGNED}`)],
  mrc010_unreqsell: [
    ofListing("mrc010unreqsell", `dexid creator amount mrc010id refund token ${SIGNED}`),
  ],
  mrc010_auction: [ofListing("mrc010auction", TOKEN_AUCTION)],
  mrc010_unauction: [
    ofListing(
      "mrc010unauction",
      `dexid seller amount mrc010id auction_start_price token ${SIGNED}`,
    ),
  ],
  mrc010_auctionfailure: [ofListing("mrc010auctionfinish", "dexid seller amount mrc010id")],
  mrc010_buy: [ofListing("mrc010buy", TOKEN_TRADE)],
  mrc010_acceptreqsell: [ofListing("mrc010acceptreqsell", TOKEN_TRADE)],
  mrc010_auctionbid: [ofListing("mrc010bid", TOKEN_TRADE)],
  mrc010_auctionbuynow: [ofListing("mrc010bid", TOKEN_TRADE)],
  mrc010_auctionwinning: [ofListing("mrc010auctionfinish", TOKEN_TRADE)],
} as const;
