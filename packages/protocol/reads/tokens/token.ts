import { ALICE, BOB, GOLD, LISTING, NOW, TOMORROW } from "../../description/examples.ts";
import { type Refused, refuse } from "../../description/faults.ts";
import { read } from "../../description/operation.ts";
import { meaning, optional } from "../../description/parameter.ts";
import { address, recordId, tokenId } from "../../description/parameters/ids.ts";
import { since, until } from "../../description/parameters/integers.ts";
import { text } from "../../description/parameters/texts.ts";
import { optionalWord, orderOf, wordOrFirst } from "../../description/parameters/words.ts";
import { listOf } from "../../description/shown.ts";
import { asOf } from "../as-of.ts";
import { DAY_HOURS, TOTAL_STEPS } from "../chain/totals.ts";
import { listRead, placeListRead } from "../list-read.ts";
import {
  listedToken,
  shownCandle,
  shownToken,
  shownTokenHolder,
  shownTokenListing,
  shownTokenTrade,
} from "./shown-tokens.ts";

const ofToken = { parameters: { token: tokenId() }, example: { token: GOLD } } as const;

/** Source: tokens §2. */
export const token = asOf(
  read({
    name: "token",
    title: "Get a token",
    route: "GET /token/{token}",
    about: "Shows a token: what it is, and how much of it there is.",
    ...ofToken,
    refusals: ["4001"],
    result: { kind: "json", about: "the token", ...shownToken },
  }),
);

/** Source: tokens §2. */
export const tokenImageRead = read({
  name: "tokenImage",
  title: "Get the image of a token",
  route: "GET /token/{token}/image",
  about: "The image of a token that was given as a data URL, as a file of its own type.",
  ...ofToken,
  refusals: ["4001", "6011"],
  result: {
    kind: "file",
    about: "the image",
    contentType: "image/*",
    example: '<svg xmlns="http://www.w3.org/2000/svg"/>',
  },
});

/** Source: tokens §2. */
export const totalSupply = asOf(
  read({
    name: "totalsupply",
    title: "Get the supply of a token",
    route: "GET /totalsupply/{token}",
    about: "How much of a token exists, in whole tokens: exact decimal text, for price sites.",
    ...ofToken,
    refusals: ["4001"],
    result: { kind: "text", about: "issued minus burned, in whole tokens", example: "995" },
  }),
);

/** Source: tokens §8. */
export const tokenListing = asOf(
  read({
    name: "tokenListing",
    title: "Get a listing of tokens",
    route: "GET /token/dex/{dexid}",
    about: "Shows a listing of tokens: an offer, a request or an auction.",
    parameters: { dexid: recordId("a listing of tokens") },
    example: { dexid: LISTING },
    refusals: ["6004"],
    result: { kind: "json", about: "the listing", ...shownTokenListing },
  }),
);

/** Source: tokens §8. */
export const tokenListings = placeListRead({
  name: "tokenListings",
  title: "List the token market",
  route: "GET /token/dex",
  about:
    "Lists offers, requests and auctions of tokens, newest first, by the end of auctions, or by the price of one unit of offers, which needs `token` and `paytoken`. A bidder is one with the highest bid in an open auction.",
  list: "dex010",
  filters: {
    token: optional(tokenId()),
    paytoken: optional(tokenId()),
    side: meaning("filter: kind of listing", optionalWord("sell", "buy", "auction")),
    state: wordOrFirst("open", "sold", "cancelled", "failed", "all"),
    address: optional(address()),
    bidder: optional(address()),
    order: orderOf("new", "end", "price"),
  },
  filtersExample: {
    token: GOLD,
    paytoken: "0",
    side: "sell",
    state: "open",
    address: ALICE,
    order: "new",
  },
  otherExamples: {
    bids: { bidder: BOB, order: "end" },
    cheapest: { token: GOLD, paytoken: "0", order: "price" },
  },
  refusals: ["1000"],
  entries: "the newest listings first, and the cursor of the next page",
  shown: shownTokenListing,
});

/** Source: chain §10. */
export const tokens = listRead({
  name: "tokens",
  title: "List tokens",
  route: "GET /tokens",
  about:
    "Lists tokens, the newest first, without their long texts: with the image where it is small.",
  list: "tokens",
  filters: {
    owner: optional(address()),
    symbol: optional(text({ max: 32, withoutBar: true }), ""),
  },
  filtersExample: { owner: ALICE, symbol: "GLD" },
  entries: "tokens",
  shown: listedToken,
});

/** Source: tokens §2. */
export const tokenHolders = asOf(
  placeListRead({
    name: "tokenHolders",
    title: "List the holders of a token",
    route: "GET /token/holders/{token}",
    about:
      "Lists the addresses that have a balance of a token, the newest address first, or by balance and locked amount together, the largest first.",
    list: "holders",
    filters: { token: tokenId(), order: orderOf("new", "balance") },
    filtersExample: { token: "0", order: "new" },
    otherExamples: { largest: { token: "0", order: "balance" } },
    refusals: ["4001"],
    check: refuseRankedPast,
    entries: "balances by address",
    shown: shownTokenHolder,
  }),
);

function refuseRankedPast({
  order,
  height,
  at,
}: {
  readonly order: "new" | "balance";
  readonly height?: number;
  readonly at?: number;
}): Refused | undefined {
  return order === "new" || (height ?? at) === undefined
    ? undefined
    : refuse({ code: "1005", parameter: height === undefined ? "at" : "height", other: "order" });
}

/** Source: tokens §8. */
export const tokenTrades = listRead({
  name: "tokenTrades",
  title: "List the trades of a token",
  route: "GET /token/trades/{token}",
  about:
    "Lists what was traded of a token on its market, newest first: bought from offers, sold to requests, won in auctions.",
  list: "trades",
  isOfBlocks: true,
  filters: { token: tokenId(), paytoken: optional(tokenId()), since, until },
  filtersExample: { token: GOLD, paytoken: "0", since: String(NOW), until: String(TOMORROW) },
  refusals: ["4001"],
  entries: "trades",
  shown: shownTokenTrade,
  after: 1001,
  next: 1000,
});

export const CANDLE_STEPS = { ...TOTAL_STEPS, day: DAY_HOURS * TOTAL_STEPS.hour } as const;

export type CandleStep = keyof typeof CANDLE_STEPS;

/** Source: tokens §2. */
export const CANDLES_MAX = 200;

/** Source: tokens §2. */
export const tokenCandles = read({
  name: "tokenCandles",
  title: "Get the price history of a token",
  route: "GET /token/candles/{token}",
  about: `Prices and volume of a token by the minute, hour or UTC day of ledger time, the oldest first: trades with listings and orders for one other token, by default the coin. Steps that begin from \`since\` to \`until\`, at most ${CANDLES_MAX}; those without trades are left out.`,
  parameters: {
    token: tokenId(),
    paytoken: optional(tokenId()),
    step: wordOrFirst("hour", "minute", "day"),
    since,
    until,
  },
  example: {
    ...{ token: GOLD, paytoken: "0", step: "hour" },
    ...{ since: String(NOW), until: String(TOMORROW) },
  },
  refusals: ["4001"],
  result: {
    kind: "json",
    about: "the steps that have trades, the oldest first",
    schema: { title: "TokenCandles", ...listOf(shownCandle.schema) },
    example: [shownCandle.example],
  },
});
