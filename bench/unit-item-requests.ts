// Requests about multi-unit items that stand alone.
import { derivedId } from "@moneta/ledger";
import { type Payer, post, put, signedParameters } from "./wire.ts";

export interface UnitDraft {
  readonly units: number;
  /** What every unit has of the native coin. */
  readonly reserve: number;
  /** Has a part of what the units are sold for, beside the creator. */
  readonly shareholder: string;
}

/**
 * How many units are on sale at which price each, and the platform that gets a part of what is
 * paid.
 */
export interface UnitOffer {
  readonly item: string;
  readonly amount: number;
  readonly price: number;
  readonly platform: string;
}

export async function createUnits(
  creator: Payer,
  temporaryKey: string,
  { units, reserve, shareholder }: UnitDraft,
): Promise<Buffer> {
  const signed = {
    creator: creator.address,
    name: "Bench",
    creatorcommission: "2.5",
    totalsupply: `${units}`,
    decimal: "0",
    url: "https://bench.example/",
    imageurl: "https://bench.example/item.png",
    shareholder: JSON.stringify({ [shareholder]: "1" }),
    initialreserve: JSON.stringify({ 0: `${reserve}` }),
    expiredate: "0",
    data: "{}",
    information: "",
    socialmedia: "",
    copyright_registration_country: "",
    copyright_registrar: "",
    copyright_registration_number: "",
    tkey: temporaryKey,
  };
  return post(`/mrc402?${await signedParameters(creator.key, signed)}`);
}

/** The id of the item that a creator makes with a temporary key. Source: mrc402 §2.1. */
export function unitItemId({ address }: Payer, temporaryKey: string): string {
  return derivedId("MRC402", address, temporaryKey);
}

export async function sellUnits(
  seller: Payer,
  temporaryKey: string,
  { item, amount, price, platform }: UnitOffer,
): Promise<Buffer> {
  const signed = {
    address: seller.address,
    amount: `${amount}`,
    mrc402id: item,
    price: `${price}`,
    token: "0",
    platform_name: "Bench",
    platform_url: "https://bench.example/",
    platform_address: platform,
    platform_commission: "2.5",
    tkey: temporaryKey,
  };
  return post(`/mrc402/sell/${item}?${await signedParameters(seller.key, signed)}`);
}

/** The id of the listing that a seller makes with a temporary key. Source: mrc402 §2.1. */
export function unitListingId({ address }: Payer, temporaryKey: string): string {
  return derivedId("DEX402", address, temporaryKey, "0");
}

export async function buyUnits(
  { address, key }: Payer,
  temporaryKey: string,
  listing: string,
  amount: number,
): Promise<Buffer> {
  const signed = { id: listing, address, amount: `${amount}`, tkey: temporaryKey };
  return post(`/mrc402/buy/${listing}?${await signedParameters(key, signed)}`);
}

export async function transferUnits(
  from: Payer,
  temporaryKey: string,
  item: string,
  to: { readonly address: string; readonly amount: number },
): Promise<Buffer> {
  const signed = {
    fromAddr: from.address,
    toAddr: to.address,
    amount: `${to.amount}`,
    mrc402id: item,
    tkey: temporaryKey,
  };
  return post(`/mrc402/transfer/${item}?${await signedParameters(from.key, signed)}`);
}

export async function meltUnits(
  { address, key }: Payer,
  temporaryKey: string,
  item: string,
  amount: number,
): Promise<Buffer> {
  const signed = { mrc402id: item, address, amount: `${amount}`, tkey: temporaryKey };
  return post(`/mrc402/melt/${item}?${await signedParameters(key, signed)}`);
}

export async function mintUnits(
  { address, key }: Payer,
  temporaryKey: string,
  item: string,
  amount: number,
): Promise<Buffer> {
  const signed = { mrc402id: item, amount: `${amount}`, memo: "", tkey: temporaryKey };
  return put(`/mrc402/mint/${item}?${await signedParameters(key, signed, { address })}`);
}
