import type { Json, TokenId } from "@moneta/protocol";
import type { Database } from "../database.ts";
import { HOLDING } from "../state/holding-entry.ts";
import { type Condition, ITEM, type Item } from "../state/item-entry.ts";
import { projectInId } from "../state/item-ids.ts";
import { PROJECT } from "../state/project-entry.ts";
import { ItemsNewestFirst } from "./items-newest-first.ts";
import { NewestFirst, type Page, type Place, pageOf, shown } from "./newest-first.ts";
import { type ListingPage, OpenListings, type WantedListings } from "./open-listings.ts";

/** Which conditions an item may be in that passes a filter. Source: chain §10. */
const CONDITIONS_OF = {
  sale: ["on sale"],
  auction: ["on auction"],
  idle: ["idle"],
  melted: ["melted"],
  open: ["idle", "on sale", "on auction"],
  all: ["idle", "on sale", "on auction", "melted"],
} as const satisfies Record<string, readonly Condition["is"][]>;

/** What an address has of an item: all of one with a single unit, or so many units. */
export type OwnedItem =
  | { readonly kind: "mrc401"; readonly id: string; readonly mrc400: string }
  | ({ readonly kind: "mrc402"; readonly id: string; readonly mrc400: string } & {
      readonly [U in "balance" | "saleamount" | "auctionamount"]: string;
    });

/** Lists projects, their items, and the items of an address. Source: chain §10. */
export class ItemView {
  readonly #pages: NewestFirst;
  readonly #itemPages: ItemsNewestFirst;
  readonly #open: OpenListings;

  constructor(database: Database) {
    this.#pages = new NewestFirst(database);
    this.#itemPages = new ItemsNewestFirst(database);
    this.#open = new OpenListings(database);
  }

  /** A page of projects, as the texts that a list shows. */
  projects(filters: {
    readonly ownerNumber: number | undefined;
    readonly category: string | undefined;
    readonly before: number | undefined;
    readonly limit: number;
  }): Page {
    const { ownerNumber, category, before, limit } = filters;
    return this.#pages.page({
      table: PROJECT.table,
      columns: {
        ...(ownerNumber === undefined ? {} : { owner: [ownerNumber] }),
        ...(category === undefined ? {} : { category: [category] }),
      },
      text: "listed",
      before,
      limit,
    });
  }

  /** A page of what `show` makes of items. Where it yields, it may go on in a later turn. */
  *items(filters: {
    readonly show: (item: Item) => string;
    /** `order` of a project. */
    readonly project: number | undefined;
    readonly holderNumber: number | undefined;
    readonly group: string | undefined;
    readonly state: keyof typeof CONDITIONS_OF;
    readonly askedToken: TokenId | undefined;
    readonly before: number | undefined;
    readonly limit: number;
  }): Generator<undefined, Page> {
    const { show, project, holderNumber, group, askedToken, before, limit } = filters;
    const places = yield* this.#itemPages.places({
      project,
      holder: holderNumber,
      groupid: group,
      conditions: CONDITIONS_OF[filters.state],
      askedToken: askedToken === undefined ? undefined : Number(askedToken),
      text: "value",
      before,
      limit: limit + 1,
    });
    const showText = (text: string): string => show(ITEM.restore(JSON.parse(text) as Json));
    return pageOf(shown(places, showText), limit);
  }

  /** A page of what `show` makes of items on auction, or by price of those on sale. */
  open(filters: {
    readonly show: (item: Item) => string;
    /** `order` of a project. */
    readonly project: number | undefined;
    readonly holderNumber: number | undefined;
    readonly group: string | undefined;
    readonly askedToken: TokenId | undefined;
    readonly wanted: WantedListings;
  }): ListingPage {
    const { show, project, holderNumber, group, askedToken, wanted } = filters;
    return this.#open.page({
      table: ITEM.table,
      priced: ["asked_token"],
      columns: {
        project,
        holder: holderNumber,
        groupid: group,
        asked_token: askedToken && Number(askedToken),
      },
      show: (text) => show(ITEM.restore(JSON.parse(text) as Json)),
      wanted,
    });
  }

  /**
   * A page of what `show` makes of the items that an address has, of those with a single unit and
   * of those with many, in one order. Where it yields, it may go on in a later turn.
   */
  *ofAddress({
    show,
    kind,
    limit,
    ...filters
  }: {
    readonly show: (item: OwnedItem) => string;
    readonly holderNumber: number;
    readonly kind: OwnedItem["kind"] | undefined;
    /** `order` of a project. */
    readonly project: number | undefined;
    readonly before: number | undefined;
    readonly limit: number;
  }): Generator<undefined, Page> {
    const wanted = { ...filters, limit: limit + 1 };
    const single = kind === "mrc402" ? [] : yield* this.#singleItems(wanted);
    const units = kind === "mrc401" ? [] : this.#units(wanted);
    const places = [
      ...single.map((place) => ({ ...place, ownedIn: singleItem })),
      ...units.map((place) => ({ ...place, ownedIn: unitsOfItem })),
    ].sort((a, b) => b.order - a.order);
    function* shownPlaces(): Generator<Place> {
      for (const { order, text, ownedIn } of places) {
        yield { order, text: show(ownedIn(text)) };
      }
    }
    return pageOf(shownPlaces(), limit);
  }

  *#singleItems({
    holderNumber,
    project,
    before,
    limit,
  }: OfAddress): Generator<undefined, readonly Place[]> {
    const places = yield* this.#itemPages.places({
      project,
      holder: holderNumber,
      conditions: CONDITIONS_OF.open,
      askedToken: undefined,
      text: "key",
      before,
      limit,
    });
    return [...places];
  }

  #units({ holderNumber, project, before, limit }: OfAddress): Place[] {
    const places = this.#pages.places({
      table: HOLDING.table,
      columns: {
        holder: [holderNumber],
        ...(project === undefined ? {} : { project: [project] }),
      },
      order: "item_order",
      before,
      limit,
    });
    return [...places];
  }
}

interface OfAddress {
  readonly holderNumber: number;
  readonly project: number | undefined;
  readonly before: number | undefined;
  readonly limit: number;
}

function singleItem(key: string): OwnedItem {
  const id = key.slice(ITEM.prefix.length);
  return { kind: "mrc401", id, mrc400: projectInId(id) };
}

function unitsOfItem(text: string): OwnedItem {
  const holding = HOLDING.restore(JSON.parse(text) as Json);
  const { item: id, balance, onSale, onAuction } = holding;
  return {
    kind: "mrc402",
    id,
    mrc400: projectInId(id),
    balance: String(balance),
    saleamount: String(onSale),
    auctionamount: String(onAuction),
  };
}
