import { ALICE, BOB, GOLD, LISTING } from "../../description/examples.ts";
import { type Result, read } from "../../description/operation.ts";
import { optional } from "../../description/parameter.ts";
import { cursor, cursorText, pageLimit } from "../../description/parameters/cursor.ts";
import { address, recordId, tokenId } from "../../description/parameters/ids.ts";
import { text } from "../../description/parameters/texts.ts";
import { optionalWord, wordOrFirst } from "../../description/parameters/words.ts";
import {
  listedTokenExample,
  listedTokenSchema,
  listSchema,
  tokenExample,
  tokenHolderSchema,
  tokenListingExample,
  tokenListingSchema,
  tokenSchema,
} from "../../description/results.ts";

/** Shows a token. Source: tokens §2. */
export const token = read({
  name: "token",
  title: "Get a token",
  route: "GET /token/{token}",
  about: "Shows a token: what it is, and how much of it there is.",
  parameters: { token: tokenId() },
  example: { token: GOLD },
  refusals: ["4001"],
  cache: "revalidate",
  result: { kind: "json", about: "the token", schema: tokenSchema, example: tokenExample },
});

/** Serves the image of a token. Source: docs/decisions.md. */
export const tokenImageRead = read({
  name: "tokenImage",
  title: "Get the image of a token",
  route: "GET /token/{token}/image",
  about: "The image of a token that was given as a data URL, as a file of its own type.",
  parameters: { token: tokenId() },
  example: { token: GOLD },
  refusals: ["4001", "6011"],
  cache: "revalidate",
  result: {
    kind: "file",
    about: "the image",
    contentType: "image/*",
    example: '<svg xmlns="http://www.w3.org/2000/svg"/>',
  },
});

/** Says how much of a token exists, in whole tokens. Source: tokens §2. */
export const totalSupply = read({
  name: "totalsupply",
  title: "Get the supply of a token",
  route: "GET /totalsupply/{token}",
  about: "How much of a token exists, in whole tokens: exact decimal text, for price sites.",
  parameters: { token: tokenId() },
  example: { token: GOLD },
  refusals: ["4001"],
  cache: "revalidate",
  result: { kind: "text", about: "issued minus burned, in whole tokens", example: "995" },
});

/** Shows a listing of tokens. Source: tokens §8. */
export const tokenListing = read({
  name: "tokenListing",
  title: "Get a listing of tokens",
  route: "GET /token/dex/{dexid}",
  about: "Shows a listing of tokens: an offer, a request or an auction.",
  parameters: { dexid: recordId("a listing of tokens") },
  example: { dexid: LISTING },
  refusals: ["6004"],
  cache: "revalidate",
  result: {
    kind: "json",
    about: "the listing",
    schema: tokenListingSchema,
    example: tokenListingExample,
  },
});

/** The list of listings of tokens, for their cursors. */
export const TOKEN_LISTINGS = "dex010";

const tokenListingsFilters = {
  token: GOLD,
  paytoken: "0",
  side: "sell",
  state: "open",
  address: ALICE,
};

const listResult: Result = {
  kind: "json",
  about: "the newest listings first, and where the list goes on",
  schema: listSchema(tokenListingSchema),
  example: {
    items: [tokenListingExample],
    cursor: cursorText(TOKEN_LISTINGS, 40, tokenListingsFilters),
  },
};

/** Lists listings of tokens. Source: tokens §8. */
export const tokenListings = read({
  name: "tokenListings",
  title: "List the token market",
  route: "GET /token/dex",
  about: "Lists offers, requests and auctions of tokens, newest first.",
  parameters: {
    token: optional(tokenId()),
    paytoken: optional(tokenId()),
    side: optionalWord("sell", "buy", "auction"),
    state: wordOrFirst("open", "sold", "cancelled", "failed", "all"),
    address: optional(address()),
    limit: pageLimit(),
    cursor: cursor(TOKEN_LISTINGS),
  },
  example: {
    ...tokenListingsFilters,
    limit: "1",
    cursor: cursorText(TOKEN_LISTINGS, 41, tokenListingsFilters),
  },
  cache: "revalidate",
  result: listResult,
});

/** The list of tokens, for their cursors. */
export const TOKENS = "tokens";

const tokensFilters = { owner: ALICE, symbol: "GLD" };

/** Lists tokens. Source: chain §10. */
export const tokens = read({
  name: "tokens",
  title: "List tokens",
  route: "GET /tokens",
  about: "Lists tokens, the newest first, without their images and other long texts.",
  parameters: {
    owner: optional(address()),
    symbol: optional(text({ max: 32, withoutBar: true }), ""),
    limit: pageLimit(),
    cursor: cursor(TOKENS),
  },
  example: { ...tokensFilters, limit: "1", cursor: cursorText(TOKENS, 41, tokensFilters) },
  cache: "revalidate",
  result: {
    kind: "json",
    about: "tokens",
    schema: listSchema(listedTokenSchema),
    example: { items: [listedTokenExample], cursor: cursorText(TOKENS, 40, tokensFilters) },
  },
});

/** The list of who holds a token, for their cursors. */
export const TOKEN_HOLDERS = "holders";

const tokenHoldersFilters = { token: "0" };

/** Lists who holds a token. Source: docs/decisions.md. */
export const tokenHolders = read({
  name: "tokenHolders",
  title: "List the holders of a token",
  route: "GET /token/holders/{token}",
  about: "Lists who has a balance of a token, the newest address first.",
  parameters: {
    token: tokenId(),
    limit: pageLimit(),
    cursor: cursor(TOKEN_HOLDERS),
  },
  example: {
    ...tokenHoldersFilters,
    limit: "1",
    cursor: cursorText(TOKEN_HOLDERS, 41, tokenHoldersFilters),
  },
  refusals: ["4001"],
  cache: "revalidate",
  result: {
    kind: "json",
    about: "balances by address",
    schema: listSchema(tokenHolderSchema),
    example: {
      items: [{ address: BOB, balance: "39950", locked: "50" }],
      cursor: cursorText(TOKEN_HOLDERS, 40, tokenHoldersFilters),
    },
  },
});
