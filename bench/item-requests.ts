// Requests about projects and their items.
import { createHash } from "node:crypto";
import { fullySignedParameters, type Payer, post, signedParameters } from "./wire.ts";

/** Items as elements of `itemdata`. */
type ItemData = readonly Readonly<Record<string, string>>[];

/** Answered with the project's id. */
export async function createProject(owner: Payer, temporaryKey: string): Promise<Buffer> {
  const signed = {
    owner: owner.address,
    name: "Bench",
    url: "https://bench.example/",
    imageurl: "https://bench.example/project.png",
    category: "game",
    itemurl: "https://bench.example/item/{id}",
    itemimageurl: "https://bench.example/image/{id}",
    partner: "",
    data: "{}",
    tkey: temporaryKey,
  };
  const description = "Items of a game";
  return post("/mrc400", `${await signedParameters(owner.key, signed, { description })}`);
}

export async function createItems(
  creator: Payer,
  temporaryKey: string,
  project: string,
  items: ItemData,
): Promise<Buffer> {
  const signed = { mrc400id: project, itemdata: JSON.stringify(items), tkey: temporaryKey };
  const others = { creator: creator.address };
  return post(`/mrc401/${project}`, `${await signedParameters(creator.key, signed, others)}`);
}

export async function listItems(
  side: "sell" | "auction",
  seller: Payer,
  temporaryKey: string,
  items: ItemData,
): Promise<Buffer> {
  const signed = {
    seller: seller.address,
    itemdata: JSON.stringify(items),
    tkey: temporaryKey,
  };
  return post(`/mrc401/${side}`, `${await signedParameters(seller.key, signed)}`);
}

export async function buyItem(buyer: Payer, temporaryKey: string, item: string): Promise<Buffer> {
  const signed = { mrc401id: item, tkey: temporaryKey };
  const others = { buyer: buyer.address };
  return post(`/mrc401/buy/${item}?${await signedParameters(buyer.key, signed, others)}`);
}

export async function bidForItem(
  bidder: Payer,
  temporaryKey: string,
  item: string,
  amount: number,
): Promise<Buffer> {
  const signed = { mrc401id: item, amount: `${amount}`, token: "0", tkey: temporaryKey };
  const others = { buyer: bidder.address };
  return post(`/mrc401/bid/${item}?${await signedParameters(bidder.key, signed, others)}`);
}

interface Offered {
  /** An item, or a project of which any item will do. */
  readonly id: string;
  readonly price: number;
  /** Unix seconds. */
  readonly end: number;
}

export async function makeOffer(
  buyer: Payer,
  temporaryKey: string,
  { id, price, end }: Offered,
  ledgerId: string,
): Promise<Buffer> {
  const terms = { id, price: `${price}`, token: "0", end: `${end}`, tkey: temporaryKey };
  const given = { buyer: buyer.address, ...terms };
  return post(
    "/mrc401/offer",
    `${await fullySignedParameters(buyer.key, "mrc401offer", given, ledgerId)}`,
  );
}

export async function acceptOffer(
  seller: Payer,
  temporaryKey: string,
  offerid: string,
  ledgerId: string,
): Promise<Buffer> {
  const given = { offerid, seller: seller.address, tkey: temporaryKey };
  return post(
    `/mrc401/acceptoffer/${offerid}`,
    `${await fullySignedParameters(seller.key, "mrc401acceptoffer", given, ledgerId)}`,
  );
}

/** The id of an offer for items. Source: offers §1. */
export function offerId({ address }: Payer, temporaryKey: string): string {
  const text = ["OFF401", address, temporaryKey].join("|");
  return `OFF401_${createHash("sha256").update(text).digest("hex").slice(0, 33)}`;
}
