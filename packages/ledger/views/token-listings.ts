import type { Json, TokenId } from "@moneta/protocol";
import type { Database } from "../database.ts";
import { TOKEN_LISTING, type TokenListing } from "../state/token-listing-entry.ts";
import { NewestFirst, type Page } from "./newest-first.ts";
import { type ListingPage, OpenListings, type WantedListings } from "./open-listings.ts";

const SIDES: readonly TokenListing["side"][] = ["sell", "buy", "auction"];
const STATES: readonly TokenListing["state"][] = ["open", "sold", "cancelled", "failed"];

/** Lists listings of tokens. Source: tokens §8. */
export class TokenListingView {
  readonly #pages: NewestFirst;
  readonly #open: OpenListings;

  constructor(database: Database) {
    this.#pages = new NewestFirst(database);
    this.#open = new OpenListings(database);
  }

  /** A page of open auctions, or by price of offers, that pass all the filters that are given. */
  open(filters: {
    readonly token: TokenId | undefined;
    readonly payToken: TokenId | undefined;
    readonly creatorNumber: number | undefined;
    readonly wanted: WantedListings;
  }): ListingPage {
    const { token, payToken, creatorNumber, wanted } = filters;
    return this.#open.page({
      table: TOKEN_LISTING.table,
      priced: ["token", "pay_token"],
      columns: {
        token: token && Number(token),
        pay_token: payToken && Number(payToken),
        creator: creatorNumber,
      },
      show: shownListing,
      wanted,
    });
  }

  /** A page of those that pass all the filters that are given. */
  list(filters: {
    readonly token: TokenId | undefined;
    readonly payToken: TokenId | undefined;
    readonly side: TokenListing["side"] | undefined;
    readonly state: TokenListing["state"] | undefined;
    readonly creatorNumber: number | undefined;
    readonly before: number | undefined;
    readonly limit: number;
  }): Page {
    const { token, payToken, side, state, creatorNumber, before, limit } = filters;
    const wanted = {
      table: TOKEN_LISTING.table,
      columns: {
        ...(token === undefined ? {} : { token: [Number(token)] }),
        ...(payToken === undefined ? {} : { pay_token: [Number(payToken)] }),
        ...(creatorNumber === undefined ? {} : { creator: [creatorNumber] }),
        side: side === undefined ? SIDES : [side],
        state: state === undefined ? STATES : [state],
      },
      before,
      limit,
    };
    return this.#pages.pageShown(wanted, shownListing);
  }
}

function shownListing(text: string): string {
  return JSON.stringify(TOKEN_LISTING.json(TOKEN_LISTING.restore(JSON.parse(text) as Json)));
}
