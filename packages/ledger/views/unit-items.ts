import type { Address, Json, TokenId } from "@moneta/protocol";
import { type Database, Statements } from "../database.ts";
import { type HeldItem, HOLDING, type Holding } from "../state/holding-entry.ts";
import { storedTexts } from "../state/tables.ts";
import { UNIT_ITEM, type UnitItem } from "../state/unit-item-entry.ts";
import { UNIT_LISTING, type UnitListing } from "../state/unit-listing-entry.ts";
import { NewestFirst, type Page } from "./newest-first.ts";
import { type ListingPage, OpenListings, type WantedListings } from "./open-listings.ts";

const SIDES: readonly UnitListing["side"][] = ["sell", "auction"];
const STATES: readonly UnitListing["state"][] = ["open", "sold", "cancelled", "failed"];

/** Lists multi-unit items, their listings, and who has units of them. Source: mrc402 §3. */
export class UnitItemView {
  readonly #pages: NewestFirst;
  readonly #open: OpenListings;
  readonly #statements: Statements;

  constructor(database: Database) {
    this.#pages = new NewestFirst(database);
    this.#open = new OpenListings(database);
    this.#statements = new Statements(database);
  }

  /** A page of what `show` makes of items. */
  items(filters: {
    readonly show: (item: UnitItem) => string;
    /** `order` of a project. */
    readonly project: number | undefined;
    readonly creatorNumber: number | undefined;
    readonly before: number | undefined;
    readonly limit: number;
  }): Page {
    const { show, project, creatorNumber, before, limit } = filters;
    return this.#pages.pageShown(
      {
        table: UNIT_ITEM.table,
        columns: {
          ...(project === undefined ? {} : { project: [project] }),
          ...(creatorNumber === undefined ? {} : { creator: [creatorNumber] }),
        },
        before,
        limit,
      },
      (text) => {
        const json = JSON.parse(text) as { readonly id: string };
        const key = `${UNIT_ITEM.prefix}${json.id}`;
        const readTexts = () => storedTexts(this.#statements, UNIT_ITEM, key);
        return show(UNIT_ITEM.restore(json, readTexts));
      },
    );
  }

  /** A page of what `show` makes of listings. */
  listings(filters: {
    readonly show: (listing: UnitListing) => string;
    readonly item: HeldItem | undefined;
    /** `order` of a project. */
    readonly project: number | undefined;
    readonly side: UnitListing["side"] | undefined;
    readonly state: UnitListing["state"] | undefined;
    readonly sellerNumber: number | undefined;
    readonly payToken: TokenId | undefined;
    readonly before: number | undefined;
    readonly limit: number;
  }): Page {
    const { show, item, project, side, state, sellerNumber, payToken, before, limit } = filters;
    if (item !== undefined && project !== undefined && item.projectOrder !== project) {
      return { items: [], cursor: undefined };
    }
    return this.#pages.pageShown(
      {
        table: UNIT_LISTING.table,
        columns: {
          ...(item === undefined ? {} : { item: [item.order] }),
          ...(project === undefined || item !== undefined ? {} : { project: [project] }),
          ...(sellerNumber === undefined ? {} : { seller: [sellerNumber] }),
          ...(payToken === undefined ? {} : { pay_token: [Number(payToken)] }),
          side: side === undefined ? SIDES : [side],
          state: state === undefined ? STATES : [state],
        },
        before,
        limit,
      },
      (text) => show(UNIT_LISTING.restore(JSON.parse(text) as Json)),
    );
  }

  /** A page of what `show` makes of open auctions, or by price of offers. */
  open(filters: {
    readonly show: (listing: UnitListing) => string;
    readonly item: HeldItem | undefined;
    /** `order` of a project. */
    readonly project: number | undefined;
    readonly sellerNumber: number | undefined;
    readonly payToken: TokenId | undefined;
    readonly wanted: WantedListings;
  }): ListingPage {
    const { show, item, project, sellerNumber, payToken, wanted } = filters;
    return this.#open.page({
      table: UNIT_LISTING.table,
      priced: ["pay_token"],
      columns: {
        item: item?.order,
        project,
        seller: sellerNumber,
        pay_token: payToken && Number(payToken),
      },
      show: (text) => show(UNIT_LISTING.restore(JSON.parse(text) as Json)),
      wanted,
    });
  }

  /**
   * Up to `limit` holdings of an address, by item, those behind `after`; of one item if that is
   * given.
   */
  holdingsOf(
    address: Address,
    options: {
      readonly item: string | undefined;
      readonly after: string | undefined;
      readonly limit: number;
    },
  ): readonly Holding[] {
    const { item, after = "", limit } = options;
    const table = HOLDING.table.name;
    const rows =
      item === undefined
        ? this.#statements
            .prepare(
              `SELECT value FROM ${table} WHERE address = ? AND item > ? ORDER BY item LIMIT ?`,
            )
            .all(address, after, limit)
        : this.#statements
            .prepare(`SELECT value FROM ${table} WHERE key = ? AND item > ?`)
            .all(`${HOLDING.prefix}${address}/${item}`, after);
    return rows.map((row) => HOLDING.restore(JSON.parse(row["value"] as string) as Json));
  }

  /** Up to `limit` holdings of an item, by address, those behind `after`. */
  holdersOf(item: string, after: string | undefined, limit: number): readonly Holding[] {
    return this.#statements
      .prepare(
        `SELECT value FROM ${HOLDING.table.name} WHERE item = ? AND address > ? ORDER BY address LIMIT ?`,
      )
      .all(item, after ?? "", limit)
      .map((row) => HOLDING.restore(JSON.parse(row["value"] as string) as Json));
  }
}
