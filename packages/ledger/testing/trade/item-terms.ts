import type { Address } from "@moneta/protocol";

// Terms of items in tests of rules and of HTTP. Source: mrc401 §18.

/** Well-formed addresses that do not exist. Source: mrc401 §2.1. */
export const [NOBODY, NOBODY_ELSE] = [
  "MTAlice00000000000000000000000005dc33c90",
  "MTBob0000000000000000000000000005f59bcba",
] as [Address, Address];

/** Well-formed ids that no project and no item has. */
export const NO_PROJECT = `MRC400_${"0".repeat(33)}`;
export const NO_ITEM = `${NO_PROJECT}_${"0".repeat(40)}`;

/** The shortest and the longest auction, unless block 0 sets others. Source: market §3.1. */
export const [AUCTION_MIN, AUCTION_MAX] = [3600, 1_814_400] as const;

/** The auction of mrc401 §18 row 68. */
export const AUCTION = { start: "100", token: "0", bidding: "5", buynow: "502" };

/**
 * An item created without terms, without the members that differ: id, mrc400, holder, creator,
 * createdate. Source: mrc401 §6.
 */
export const PLAIN_ITEM = {
  id: "",
  mrc400: "",
  owner: "",
  holder: "",
  creator: "",
  item_url: "",
  item_image_url: "",
  groupid: "",
  createdate: 0,
  initial_reserve: "0",
  initial_token: "0",
  meltint_fee: "0",
  melting_fee: "0",
  melting_date: 0,
  expiredate: 0,
  transferable: "Permanent",
  sell_date: 0,
  sell_fee: "0",
  sell_price: "0",
  sell_token: "0",
  listing_fee: "0",
  auction_date: 0,
  auction_end: 0,
  auction_token: "0",
  auction_bidding_unit: "0",
  auction_start_price: "0",
  auction_buynow_price: "0",
  auction_current_price: "0",
  auction_current_bidder: "",
  last_trade_date: 0,
  last_trade_amount: "0",
  last_trade_token: "0",
  last_trade_type: "",
  attributes: {},
  metadatahash: "",
  frozen: 0,
  policy: {},
  sell_start: 0,
  sell_end: 0,
  auction_extend: 0,
  auction_latest_end: 0,
  policy_number: 0,
  face_price: "0",
  face_token: "0",
  held_since: 0,
};

export type ItemShown = Readonly<typeof PLAIN_ITEM>;

/** Fields of an item that is neither on sale nor on auction. Source: mrc401 §2.3, §6. */
export const UNLISTED = Object.fromEntries(
  Object.entries(PLAIN_ITEM).filter(([name]) => /^(sell_(?!fee)|auction_|listing_)/.test(name)),
) as Partial<ItemShown>;

/** The nth of many numbers of items in a project. */
export function numberOf(n: number): string {
  return String(n).padStart(40, "0");
}
