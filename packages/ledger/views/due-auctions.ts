import type { Database, Statement } from "../database.ts";
import { type DocumentKind, indexName } from "../state/entries.ts";
import { ITEM } from "../state/item-entry.ts";
import { KEY_SET } from "../state/key-set-entry.ts";
import { ITEM_OFFER, UNIT_OFFER } from "../state/offer-entry.ts";
import { TOKEN_LISTING } from "../state/token-listing-entry.ts";
import { UNIT_LISTING } from "../state/units/unit-listing-entry.ts";

export interface DueAuction {
  readonly kind:
    | "token listing"
    | "item"
    | "unit listing"
    | "item offer"
    | "unit offer"
    | "recovery";
  readonly id: string;
}

export class DueAuctionView {
  readonly #statements: readonly (readonly [DueAuction["kind"], Statement])[];

  constructor(database: Database) {
    const ofEnds = <V>({ table, prefix }: DocumentKind<V>, end: string): Statement =>
      database.prepare(
        `SELECT substr(key, ${prefix.length + 1}) AS id FROM ${table.name} INDEXED BY ${indexName(table, [end])} WHERE ${end} <= ? ORDER BY ${end} LIMIT ?`,
      );
    this.#statements = [
      ["token listing", ofEnds(TOKEN_LISTING, "auction_end")],
      ["item", ofEnds(ITEM, "auction_end")],
      ["unit listing", ofEnds(UNIT_LISTING, "auction_end")],
      ["item offer", ofEnds(ITEM_OFFER, "offer_end")],
      ["unit offer", ofEnds(UNIT_OFFER, "offer_end")],
      ["recovery", ofEnds(KEY_SET, "due")],
    ];
  }

  /** Of each kind, those over for longest first, at ledger time `at`. */
  list(at: number, limit: number): readonly DueAuction[] {
    return this.#statements.flatMap(([kind, statement]) =>
      statement.all(at, limit).map((row) => ({ kind, id: row["id"] as string })),
    );
  }
}
