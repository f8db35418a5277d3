import { sha256 } from "../../sha256.ts";
import type { Params } from "../admitted.ts";
import type { Element } from "./creations.ts";

// Terms of units in tests of rules and of HTTP. Source: mrc402 §18.

export const UNIT_ROLES = ["c", "a", "b", "d", "o", "partner", "seller", "maker"] as const;

export type UnitRole = (typeof UNIT_ROLES)[number];

/** Item form names an item, quantity form an amount or a listing. Source: mrc402 §1.3. */
export type Form = "item" | "quantity";

export const FORMS: readonly Form[] = ["item", "quantity"];

/** 10 units at 30 coins each. Source: mrc402 §18 row 27. */
export const SALE = { amount: "10", price: "30", token: "0" } as const;

/** 5 units from 100 coins on. Source: market §3. */
export const LOT = {
  amount: "5",
  auction_start_price: "100",
  token: "0",
  auction_bidding_unit: "5",
  auction_buynow_price: "500",
} as const;

/** Lengths of auctions in seconds. Source: mrc402 §14. */
export const [UNIT_AUCTION_MIN, UNIT_AUCTION_MAX, DAY] = [3600, 1_814_400, 86_400] as const;

/** Well-formed ids of nothing. */
export const NO_UNIT_ITEM = `MRC402_${"0".repeat(33)}`;
export const NO_UNIT_LISTING = `DEX402_${"0".repeat(33)}`;

/** Every optional field of a creation, with a value. Source: mrc402 §4. */
export const PRESENT: Readonly<Record<string, string>> = {
  totalsupply: "5",
  decimal: "0",
  creatorcommission: "2.5",
  shareholder: "{}",
  initialreserve: "{}",
  expiredate: "1",
  information: "a|b",
  socialmedia: "{}",
  copyright_registration_country: "CH",
  copyright_registrar: "IGE",
  copyright_registration_number: "1",
  allowtoken: "7",
  category: "art",
  description: "d",
  itemurl: "https://a.example/1",
  itemimageurl: "https://a.example/2",
  platform_name: "Shop",
  platform_url: "https://shop.example/",
  platform_address: "",
  platform_commission: "1",
};

/** Names of an auction's terms in an element of `itemdata`. Source: mrc402 §14. */
const IN_ELEMENT: { readonly [name: string]: string } = {
  auction_start_price: "start",
  auction_bidding_unit: "bidding",
  auction_buynow_price: "buynow",
  auction_end_date: "end",
};

/** Parameters that list units in one of the forms, as `SALE` or `LOT` unless changed. */
export function listingParams(
  word: "sell" | "auction",
  form: Form,
  id: string,
  change: Element = {},
): Params {
  const terms: Element = { ...(word === "sell" ? SALE : LOT), ...change };
  if (form === "quantity") {
    return { id, ...(terms as Params) };
  }
  const element = Object.entries(terms).map(([name, term]) => [IN_ELEMENT[name] ?? name, term]);
  return { itemdata: [{ id, ...Object.fromEntries(element) }] };
}

/** The id of a standalone item. Source: mrc402 §2.1. */
export function aloneIdOf(creator: string, tkey: string): string {
  return `MRC402_${sha256.hex(`MRC402|${creator}|${tkey}`).slice(0, 33)}`;
}

/** Number of the nth item that a request creates without one. Source: mrc402 §5. */
export function unitNumberOf(project: string, tkey: string, n: number): string {
  return sha256.hex(`MRC402|${project}|${tkey}|${n}`).slice(0, 40);
}

/** The id of the nth listing of a request. Source: mrc402 §2.1. */
export function unitListingIdOf(actor: string, tkey: string, n = 0): string {
  return `DEX402_${sha256.hex(`DEX402|${actor}|${tkey}|${n}`).slice(0, 33)}`;
}

/** Initial units of some of the cast. */
export type Given = Partial<Readonly<Record<UnitRole, number>>>;
