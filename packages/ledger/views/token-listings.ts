import type { Json, TokenId } from "@moneta/protocol";
import type { Database } from "../database.ts";
import { TOKEN_LISTING, type TokenListing } from "../state/token-listing-entry.ts";
import { EndingAuctions, type EndingPage, type EndPlace } from "./ending-auctions.ts";
import { NewestFirst, type Page } from "./newest-first.ts";

const SIDES: readonly TokenListing["side"][] = ["sell", "buy", "auction"];
const STATES: readonly TokenListing["state"][] = ["open", "sold", "cancelled", "failed"];

/** Lists listings of tokens. Source: tokens §8. */
export class TokenListingView {
  readonly #pages: NewestFirst;
  readonly #ending: EndingAuctions;

  constructor(database: Database) {
    this.#pages = new NewestFirst(database);
    this.#ending = new EndingAuctions(database);
  }

  /** A page of open auctions that pass all the filters that are given, those that end first. */
  ending(filters: {
    readonly token: TokenId | undefined;
    readonly payToken: TokenId | undefined;
    readonly creatorNumber: number | undefined;
    readonly after: EndPlace | undefined;
    readonly limit: number;
  }): EndingPage {
    const { token, payToken, creatorNumber, after, limit } = filters;
    return this.#ending.page({
      table: TOKEN_LISTING.table,
      columns: {
        token: token && Number(token),
        pay_token: payToken && Number(payToken),
        creator: creatorNumber,
      },
      show: shownListing,
      after,
      limit,
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
