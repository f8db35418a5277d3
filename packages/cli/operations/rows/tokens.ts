import {
  mrc010Acceptreqsell,
  mrc010Auction,
  mrc010Auctionfinish,
  mrc010Bid,
  mrc010Buy,
  mrc010Reqsell,
  mrc010Sell,
  mrc010Unauction,
  mrc010Unreqsell,
  mrc010Unsell,
  token,
  tokenAddTarget,
  tokenBurn,
  tokenCandles,
  tokenCreate,
  tokenHolders,
  tokenImageRead,
  tokenIncrease,
  tokenListing,
  tokenListings,
  tokenRemoveTarget,
  tokenSave,
  tokenSetBase,
  tokens,
  tokenTrades,
  tokenUpdate,
  totalSupply,
} from "@moneta/protocol";
import * as views from "../../views/record-views.ts";
import { newToken, ofListing } from "../amount-of.ts";
import type { Row } from "../row.ts";
import { PAGE_URL, SMALLEST_UNITS } from "../shared-parts.ts";
import * as trades from "../trade.ts";

const tokenOffer = {
  args: ["mrc010id", "amount", "price"],
  defaults: { token: "0" },
  isPricedPerToken: true,
  prints: ["mrc010dexid"],
  details:
    "The price is that of one whole token. The market has prices of 1, 10, ... up to 100000000 smallest units; the finest of them for which the price is exact is taken, and a price that is exact for none is refused.",
} as const;

/** Tokens (MRC010) and their market. */
export const TOKENS: readonly Row[] = [
  {
    words: "token save",
    description: tokenSave,
    about:
      "Saves a draft of a token, from which moneta token create makes the token within the hour. A later draft of the same owner and name replaces it.",
    args: ["symbol", "name"],
    flagNames: { ...PAGE_URL, token: "token-id" },
    amounts: { totalsupply: newToken, reservedamount: newToken },
    answers: "temporary key",
    next: "The draft is saved. Create the token from it within the hour: moneta token create",
    details: `${SMALLEST_UNITS} Other amounts are in the decimals that --decimal gives the token.`,
  },
  {
    words: "token create",
    description: tokenCreate,
    about: "Creates a token from the newest draft that the acting address has saved.",
    prints: ["token"],
    details: "A draft is saved with moneta token save.",
  },
  {
    words: "token burn",
    description: tokenBurn,
    args: ["token", "amount"],
  },
  {
    words: "token increase",
    description: tokenIncrease,
    args: ["token", "amount"],
  },
  { words: "token update", description: tokenUpdate, args: ["token"], flagNames: PAGE_URL },
  { words: "token setbase", description: tokenSetBase, args: ["token", "baseToken"] },
  { words: "token addtarget", description: tokenAddTarget, args: ["token", "targetToken"] },
  { words: "token removetarget", description: tokenRemoveTarget, args: ["token", "targetToken"] },
  { words: "token show", description: token, args: ["token"], view: views.TOKEN },
  { words: "token list", description: tokens, view: views.TOKENS },
  { words: "token holders", description: tokenHolders, args: ["token"], view: views.TOKEN_HOLDERS },
  { words: "token supply", description: totalSupply, args: ["token"] },
  { words: "token image", description: tokenImageRead, args: ["token"] },
  {
    words: "token market",
    otherWords: ["token dex"],
    description: tokenListings,
    view: views.TOKEN_LISTINGS,
  },
  { words: "token listing", description: tokenListing, args: ["dexid"], view: views.TOKEN_LISTING },
  {
    words: "token trades",
    description: tokenTrades,
    args: ["token"],
    view: views.TOKEN_TRADES,
  },
  {
    words: "token candles",
    description: tokenCandles,
    args: ["token"],
    view: views.TOKEN_CANDLES,
  },
  {
    words: "token sell",
    trade: { doing: "selling", done: "on sale:", terms: trades.tokenOfferTerms("sell") },
    description: mrc010Sell,
    ...tokenOffer,
  },
  { words: "token unsell", trade: {}, description: mrc010Unsell, args: ["dexid"] },
  {
    words: "token buy",
    trade: { doing: "buying", terms: trades.tokenTakeTerms },
    description: mrc010Buy,
    args: ["dexid", "amount"],
    amounts: { amount: ofListing("mrc010") },
  },
  {
    words: "token reqsell",
    trade: { doing: "asking for", done: "asked for:", terms: trades.tokenOfferTerms("buy") },
    description: mrc010Reqsell,
    ...tokenOffer,
  },
  { words: "token unreqsell", trade: {}, description: mrc010Unreqsell, args: ["dexid"] },
  {
    words: "token acceptreqsell",
    trade: { doing: "selling", terms: trades.tokenTakeTerms },
    description: mrc010Acceptreqsell,
    args: ["dexid", "amount"],
    amounts: { amount: ofListing("mrc010") },
  },
  {
    words: "token auction",
    trade: { doing: "auctioning", done: "on auction:", terms: trades.tokenAuctionTerms },
    description: mrc010Auction,
    prints: ["mrc010dexid"],
    args: ["mrc010id", "amount", "auction_start_price"],
    defaults: { token: "0" },
  },
  { words: "token unauction", trade: {}, description: mrc010Unauction, args: ["dexid"] },
  {
    words: "token bid",
    trade: { doing: "bidding", terms: trades.tokenBidTerms },
    description: mrc010Bid,
    args: ["dexid", "amount"],
    amounts: { amount: ofListing("sell_token") },
  },
  { words: "token finish", trade: {}, description: mrc010Auctionfinish, args: ["dexid"] },
];
