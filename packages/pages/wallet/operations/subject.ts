import {
  type CallOptions,
  type Holding,
  type Item,
  type ItemOffer,
  isItemId,
  type Moneta,
  type Order,
  type OrderBook,
  type Project,
  type Token,
  type TokenListing,
  type UnitItem,
  type UnitListing,
  type UnitOffer,
} from "@moneta/sdk";
import { readItem } from "../../explorer/item/read-item.ts";
import { pairOf } from "../../explorer/order/pair.ts";
import { readBook } from "../../explorer/order/read-book.ts";
import { isUnitItem } from "../../parts/pictures/item-urls.ts";

export interface Subjects {
  readonly nothing: { readonly kind: "nothing" };
  readonly token: { readonly kind: "token"; readonly token: Token };
  readonly project: { readonly kind: "project"; readonly project: Project };
  readonly item: { readonly kind: "item"; readonly item: Item; readonly project: Project };
  readonly units: {
    readonly kind: "units";
    readonly item: UnitItem;
    readonly project: Project | undefined;
    /** Of the acting address. */
    readonly holding: Omit<Holding, "mrc402">;
  };
  readonly tokenListing: { readonly kind: "tokenListing"; readonly listing: TokenListing };
  readonly unitListing: {
    readonly kind: "unitListing";
    readonly listing: UnitListing;
    readonly item: UnitItem;
    readonly project: Project | undefined;
  };
  readonly itemOffer: {
    readonly kind: "itemOffer";
    readonly offer: ItemOffer;
    /** To be sold; for a project or group undefined until one is chosen. */
    readonly item: Item | undefined;
    readonly project: Project;
  };
  readonly unitOffer: {
    readonly kind: "unitOffer";
    readonly offer: UnitOffer;
    readonly item: UnitItem;
    readonly project: Project | undefined;
    readonly holding: Omit<Holding, "mrc402">;
  };
  readonly pair: { readonly kind: "pair"; readonly book: OrderBook };
  readonly order: { readonly kind: "order"; readonly order: Order; readonly book: OrderBook };
}

export type SubjectKind = keyof Subjects;
export type Subject = Subjects[SubjectKind];

export type SubjectPlace =
  | "new"
  | "token"
  | "project"
  | "item"
  | "listing"
  | "offer"
  | "pair"
  | "order";

export type WithPolicy =
  | Pick<Project, "policy">
  | Pick<Item | UnitItem, "policy" | "face_price" | "face_token">;

const NO_UNITS = { balance: 0n, saleamount: 0n, auctionamount: 0n };

/** For `address`. Throws the node's problem if it does not exist. */
export async function readSubject(
  moneta: Moneta,
  {
    place,
    id,
    address,
    item,
  }: {
    readonly place: SubjectPlace;
    readonly id: string;
    readonly address: string | undefined;
    readonly item?: string | undefined;
  },
  options: CallOptions,
): Promise<Subject> {
  switch (place) {
    case "new":
      return { kind: "nothing" };
    case "token":
      return { kind: "token", token: await moneta.token({ token: id }, options) };
    case "project":
      return { kind: "project", project: await moneta.mrc400({ mrc400id: id }, options) };
    case "listing":
      return id.startsWith("DEX402_")
        ? await readUnitListing(moneta, id, options)
        : { kind: "tokenListing", listing: await moneta.tokenListing({ dexid: id }, options) };
    case "offer":
      return id.startsWith("OFF402_")
        ? await readUnitOffer(moneta, { id, address }, options)
        : await readItemOffer(moneta, { id, item }, options);
    case "pair":
      return { kind: "pair", book: await readBook(moneta, pairOf(id), options) };
    case "order": {
      const order = await moneta.order({ mrc040id: id }, options);
      return { kind: "order", order, book: await readBook(moneta, order, options) };
    }
    case "item":
      return await readItemSubject(moneta, { id, address }, options);
  }
}

async function readItemSubject(
  moneta: Moneta,
  { id, address }: { readonly id: string; readonly address: string | undefined },
  options: CallOptions,
): Promise<Subject> {
  const item = await readItem(moneta, id, options);
  return isUnitItem(item)
    ? await unitsOf(moneta, { item, address }, options)
    : { kind: "item", item, project: await moneta.mrc400({ mrc400id: item.mrc400 }, options) };
}

async function unitsOf(
  moneta: Moneta,
  { item, address }: { readonly item: UnitItem; readonly address: string | undefined },
  options: CallOptions,
): Promise<Subjects["units"]> {
  const [project, holdings] = await Promise.all([
    projectOf(moneta, item, options),
    address === undefined
      ? undefined
      : moneta.mrc402Holdings({ address, mrc402id: item.id, limit: 1 }, options),
  ]);
  return { kind: "units", item, project, holding: holdings?.items[0] ?? NO_UNITS };
}

async function readUnitListing(
  moneta: Moneta,
  dexid: string,
  options: CallOptions,
): Promise<Subject> {
  const listing = await moneta.mrc402Listing({ dexid }, options);
  const item = await moneta.mrc402({ mrc402id: listing.mrc402 }, options);
  return { kind: "unitListing", listing, item, project: await projectOf(moneta, item, options) };
}

async function readItemOffer(
  moneta: Moneta,
  { id, item: chosen }: { readonly id: string; readonly item: string | undefined },
  options: CallOptions,
): Promise<Subject> {
  const offer = await moneta.mrc401Offer({ offerid: id }, options);
  const isForItem = isItemId(offer.id);
  const mrc401id = isForItem ? offer.id : chosen;
  const [item, project] = await Promise.all([
    mrc401id === undefined ? undefined : moneta.mrc401({ mrc401id }, options),
    moneta.mrc400({ mrc400id: isForItem ? offer.id.slice(0, -41) : offer.id }, options),
  ]);
  return { kind: "itemOffer", offer, item, project };
}

async function readUnitOffer(
  moneta: Moneta,
  { id, address }: { readonly id: string; readonly address: string | undefined },
  options: CallOptions,
): Promise<Subject> {
  const offer = await moneta.mrc402Offer({ offerid: id }, options);
  const item = await moneta.mrc402({ mrc402id: offer.id }, options);
  const units = await unitsOf(moneta, { item, address }, options);
  return { ...units, kind: "unitOffer", offer };
}

async function projectOf(
  moneta: Moneta,
  { mrc400 }: UnitItem,
  options: CallOptions,
): Promise<Project | undefined> {
  return mrc400 === "" ? undefined : await moneta.mrc400({ mrc400id: mrc400 }, options);
}

/** Tokens that it is about or that are locked in it. */
export function tokensOf(subject: Subject): readonly string[] {
  switch (subject.kind) {
    case "nothing":
    case "project":
      return [];
    case "token":
      return [subject.token.id];
    case "item":
      return subject.item.initial_reserve > 0n ? [subject.item.initial_token] : [];
    case "units":
    case "unitListing":
      return Object.keys(subject.item.initialreserve);
    case "tokenListing":
      return [subject.listing.mrc010];
    case "itemOffer":
    case "unitOffer":
      return [subject.offer.token];
    case "pair":
    case "order":
      return [subject.book.targettoken, subject.book.basetoken];
  }
}
