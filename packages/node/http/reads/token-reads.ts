import {
  type LedgerReader,
  TOKEN,
  TOKEN_LISTING,
  type TokenEntry,
  type TokenTrade,
  tokenTrade,
} from "@moneta/ledger";
import {
  type Address,
  type Amount,
  type Cursor,
  decimalText,
  Refused,
  refuse,
  TOKEN_HOLDERS,
  TOKEN_LISTINGS,
  TOKEN_TRADES,
  TOKENS,
  type TokenId,
  type TransactionRecord,
} from "@moneta/protocol";
import { type Answer, json, listPage, PAGE, plain } from "../responses/answer.ts";
import { listListings, refuseUnpriced } from "./listing-page.ts";

/** Source: tokens §2. */
export function showToken(
  { token }: { token: TokenId },
  { state }: LedgerReader,
): Answer | Refused {
  const entry = knownToken(state, token);
  if (entry instanceof Refused) {
    return entry;
  }
  return json({ ...(TOKEN.json(entry) as object), ...circulation(state, entry) });
}

/** Source: chain §10. */
export function listTokens(
  values: {
    owner: Address | undefined;
    symbol: string;
    limit: number | undefined;
    cursor: Cursor<number> | undefined;
  },
  { state, tokens }: LedgerReader,
): Answer {
  const { owner, symbol } = values;
  const ownerNumber = owner && state.address(owner)?.number;
  if (owner !== undefined && ownerNumber === undefined) {
    return listPage([], { list: TOKENS, values }, undefined);
  }
  const { items, cursor } = tokens.list({
    ownerNumber,
    symbol: symbol === "" ? undefined : symbol,
    before: values.cursor?.last,
    limit: values.limit ?? PAGE,
  });
  const shown = items.map((item) => {
    const totalSupply = BigInt(item.totalsupply);
    const burned = BigInt(item.burnningamount);
    return JSON.stringify({ ...item, ...circulation(state, { ...item, totalSupply, burned }) });
  });
  return listPage(shown, { list: TOKENS, values }, cursor);
}

/** Source: tokens §2. */
export function listTokenHolders(
  values: { token: TokenId; limit: number | undefined; cursor: Cursor<number> | undefined },
  { state, tokens }: LedgerReader,
): Answer | Refused {
  const { token } = values;
  const entry = knownToken(state, token);
  if (entry instanceof Refused) {
    return entry;
  }
  const { items, cursor } = tokens.holders({
    token,
    before: values.cursor?.last,
    limit: values.limit ?? PAGE,
    at: state.time,
  });
  const shown = items.map(({ address, free, locked }) =>
    JSON.stringify({ address, balance: String(free), locked: String(locked) }),
  );
  return listPage(shown, { list: TOKEN_HOLDERS, values }, cursor);
}

/** The holders of a token and their shares. Source: tokens §2. */
function circulation(
  state: LedgerReader["state"],
  token: {
    readonly id: TokenId;
    readonly owner: Address | "";
    readonly totalSupply: bigint;
    readonly burned: bigint;
  },
): { readonly circulation_supply: string; readonly remainamount: string } {
  const held = token.owner === "" ? 0n : state.held(token.owner, token.id);
  return {
    circulation_supply: String(token.totalSupply - token.burned - held),
    remainamount: String(held),
  };
}

/** Source: tokens §2. */
export function showTotalSupply(
  { token }: { token: TokenId },
  { state }: LedgerReader,
): Answer | Refused {
  const entry = knownToken(state, token);
  return entry instanceof Refused
    ? entry
    : plain(decimalText((entry.totalSupply - entry.burned) as Amount, entry.decimal));
}

/** Keeps a browser that opens the image from running scripts in it. */
const NOTHING_RUNS = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/**
 * Does not fetch images outside the ledger: a node makes no requests for strangers. Source: tokens §2.
 */
export async function showTokenImage(
  { token }: { token: TokenId },
  { state }: LedgerReader,
): Promise<Answer | Refused> {
  const entry = knownToken(state, token);
  if (entry instanceof Refused) {
    return entry;
  }
  const { image: url } = entry.texts.read();
  const noImage = (reason: string): Refused => refuse({ code: "6011", token, reason });
  if (!/^data:/i.test(url)) {
    return noImage(url === "" ? "it has none" : `it is at ${url}`);
  }
  try {
    // Node's own parser of data URLs, RFC 2397 as browsers read it.
    const image = await fetch(url);
    const contentType = image.headers.get("content-type") ?? "";
    return contentType.startsWith("image/")
      ? {
          contentType,
          body: Buffer.from(await image.arrayBuffer()),
          headers: { "Content-Security-Policy": NOTHING_RUNS },
        }
      : noImage(`what it was given is of type ${contentType}`);
  } catch {
    return noImage("what it was given is no data URL that can be read");
  }
}

/** Source: tokens §8. */
export function showTokenListing(
  { dexid }: { dexid: string },
  { state }: LedgerReader,
): Answer | Refused {
  const listing = state.find(TOKEN_LISTING, dexid);
  return listing === undefined
    ? refuse({ code: "6004", what: "a listing", parameter: "dexid", given: dexid })
    : json(TOKEN_LISTING.json(listing));
}

/** Source: tokens §8. */
export function listTokenListings(
  values: {
    token: TokenId | undefined;
    paytoken: TokenId | undefined;
    side: "sell" | "buy" | "auction" | "";
    state: "open" | "sold" | "cancelled" | "failed" | "all";
    address: Address | undefined;
    limit: number | undefined;
    bidder: Address | undefined;
    order: "new" | "end" | "price";
    cursor: Cursor<string> | undefined;
  },
  { state, tokenListings }: LedgerReader,
): Answer | Refused {
  const { address, bidder, token, paytoken } = values;
  const unpriced = refuseUnpriced(values.order, { token, paytoken });
  if (unpriced !== undefined) {
    return unpriced;
  }
  const creatorNumber = address && state.address(address)?.number;
  const bidderNumber = bidder && state.address(bidder)?.number;
  const isUnknown =
    (address !== undefined && creatorNumber === undefined) ||
    (bidder !== undefined && bidderNumber === undefined);
  if (isUnknown) {
    return listPage([], { list: TOKEN_LISTINGS, values }, undefined);
  }
  const filters = {
    token,
    payToken: paytoken,
    creatorNumber,
    limit: values.limit ?? PAGE,
  };
  return listListings({ list: TOKEN_LISTINGS, values }, bidderNumber, {
    open: (wanted) => tokenListings.open({ ...filters, wanted }),
    newest: (those) => tokenListings.list({ ...filters, ...those }),
  });
}

/** Source: tokens §8. */
export function listTokenTrades(
  values: {
    token: TokenId;
    paytoken: TokenId | undefined;
    since: number | undefined;
    until: number | undefined;
    limit: number | undefined;
    cursor: Cursor<number> | undefined;
  },
  reader: LedgerReader,
): Answer | Refused {
  const { token, paytoken, since, until, limit = PAGE, cursor } = values;
  const entry = knownToken(reader.state, token);
  if (entry instanceof Refused) {
    return entry;
  }
  const { from, before } = reader.numbersBetween(since, until);
  const filter = {
    payToken: paytoken === undefined ? undefined : Number(paytoken),
    from,
    before: Math.min(before, cursor?.last ?? before),
  };
  const found = reader.tokenTrades.page(Number(token), filter, limit + 1);
  const shown = found.slice(0, limit).map((number) => tradeText(reader, number));
  const last = found.length > limit ? found[limit - 1] : undefined;
  return listPage(shown, { list: TOKEN_TRADES, values }, last);
}

function tradeText(reader: LedgerReader, transaction: number): string {
  const { id, block, record } = reader.transactionNumbered(transaction);
  const { payToken, ...trade } = tokenTrade(JSON.parse(record) as TransactionRecord) as TokenTrade;
  const { timestamp } = block.header;
  return JSON.stringify({ transaction_id: id, timestamp, ...trade, token: payToken });
}

function knownToken(state: LedgerReader["state"], token: TokenId): TokenEntry | Refused {
  return state.token(token) ?? refuse({ code: "4001", parameter: "token", token });
}
