import type { Database, Statement } from "../database.ts";
import { type DocumentKind, indexName } from "../state/entries.ts";
import { ITEM } from "../state/item-entry.ts";
import { TOKEN_LISTING } from "../state/token-listing-entry.ts";
import { UNIT_LISTING } from "../state/unit-listing-entry.ts";

/** An auction that is over and not closed yet. */
export interface DueAuction {
  readonly kind: "token listing" | "item" | "unit listing";
  readonly id: string;
}

/** Finds auctions that are over. */
export class DueAuctionView {
  readonly #ofTokens: Statement;
  readonly #ofItems: Statement;
  readonly #ofUnits: Statement;

  constructor(database: Database) {
    const prepare = <V>({ table, prefix }: DocumentKind<V>): Statement =>
      database.prepare(
        `SELECT substr(key, ${prefix.length + 1}) AS id FROM ${table.name} INDEXED BY ${indexName(table, ["auction_end"])} WHERE auction_end BETWEEN 1 AND ? ORDER BY auction_end LIMIT ?`,
      );
    this.#ofTokens = prepare(TOKEN_LISTING);
    this.#ofItems = prepare(ITEM);
    this.#ofUnits = prepare(UNIT_LISTING);
  }

  /**
   * Up to `limit` of each kind, those that have been over for longest first, at ledger time `at`.
   */
  list(at: number, limit: number): readonly DueAuction[] {
    const rows = (statement: Statement, kind: DueAuction["kind"]): DueAuction[] =>
      statement.all(at, limit).map((row) => ({ kind, id: row["id"] as string }));
    return [
      ...rows(this.#ofTokens, "token listing"),
      ...rows(this.#ofItems, "item"),
      ...rows(this.#ofUnits, "unit listing"),
    ];
  }
}
