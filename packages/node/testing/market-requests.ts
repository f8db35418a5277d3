import { createHash } from "node:crypto";
import type { KeyHolder, Params, Signing, TestNode } from "./test-node.ts";

const CREATION = "address|amount|mrc010id|price|token";
const PLATFORM = "platform_name|platform_url|platform_address|platform_commission|tkey";
const AUCTION_TERMS =
  "auction_start_price|token|auction_bidding_unit|auction_buynow_price|auction_start_date|auction_end_date";

/** A signed operation of the market: its name, the parameter in its path, and the string of its short signature. */
interface MarketOperation {
  readonly name: string;
  readonly inPath: "mrc010id" | "dexid";
  readonly signed: string;
}

/** The signed operations of the market by the word in their path. Source: tokens §9 to §12, conventions §4.5. */
export const MARKET_OPERATIONS = {
  sell: { name: "mrc010sell", inPath: "mrc010id", signed: `${CREATION}|${PLATFORM}` },
  reqsell: { name: "mrc010reqsell", inPath: "mrc010id", signed: `${CREATION}|${PLATFORM}` },
  unsell: { name: "mrc010unsell", inPath: "dexid", signed: "dexid|tkey" },
  unreqsell: { name: "mrc010unreqsell", inPath: "dexid", signed: "dexid|tkey" },
  buy: { name: "mrc010buy", inPath: "dexid", signed: "dexid|address|amount|tkey" },
  acceptreqsell: {
    name: "mrc010acceptreqsell",
    inPath: "dexid",
    signed: "dexid|address|amount|tkey",
  },
  auction: {
    name: "mrc010auction",
    inPath: "mrc010id",
    signed: `address|amount|mrc010id|${AUCTION_TERMS}|${PLATFORM}`,
  },
  unauction: { name: "mrc010unauction", inPath: "dexid", signed: "dexid|tkey" },
  bid: { name: "mrc010bid", inPath: "dexid", signed: "dexid|address|amount|tkey" },
} as const satisfies Readonly<Record<string, MarketOperation>>;

export type MarketWord = keyof typeof MARKET_OPERATIONS;

export const MARKET_WORDS = Object.keys(MARKET_OPERATIONS) as readonly MarketWord[];

export interface MarketSigning extends Signing {
  /** How it is signed: `short` unless told. */
  readonly signed?: "short" | "full";
}

export type MarketRequest = Readonly<Record<string, string>> & {
  readonly tkey: string;
  readonly signature: string;
};

/** A request of one who signs it, with its `address` and a fresh temporary key unless `params` has others. */
export async function marketRequest(
  node: TestNode,
  word: MarketWord,
  by: KeyHolder,
  params: Params,
  { signed = "short", ...signing }: MarketSigning = {},
): Promise<MarketRequest> {
  const { name, signed: text } = MARKET_OPERATIONS[word];
  const fields = text.split("|");
  const all = {
    ...(fields.includes("address") ? { address: by.address } : {}),
    ...params,
    tkey: params["tkey"] ?? (await node.key(by)),
  };
  return signed === "full"
    ? node.fullySigned(name, all, signing.by ?? by, signing)
    : node.shortlySigned(by, fields, all, signing);
}

/** Where a request goes, and what goes into its body. */
export function addressed(
  word: MarketWord,
  request: Params,
): { readonly path: string; readonly body: Params } {
  const { inPath } = MARKET_OPERATIONS[word];
  const { [inPath]: id = "", ...body } = request;
  return { path: `/token/${word}/${encodeURIComponent(id)}`, body };
}

/** The id of the listing that an address creates with a temporary key. Source: tokens §8. */
export function dexidOf(address: string, tkey: string): string {
  const hash = createHash("sha256").update(`DEX010|${address}|${tkey}`).digest("hex");
  return `DEX010_${hash.slice(0, 33)}`;
}

/** A listing in which nothing applies: texts are `""`, numbers 0, also those that are written as text. Source: tokens §8, listing record. */
export const BLANK_LISTING = {
  dexid: "",
  mrc010: "",
  side: "",
  state: "",
  seller: "",
  buyer: "",
  amount: "",
  remain_amount: "",
  min_trade_unit: "",
  platform_name: "",
  platform_url: "",
  platform_address: "",
  platform_commission: "0",
  regdate: 0,
  sell_date: 0,
  cancel_date: 0,
  sell_price: "",
  sell_token: "",
  buy_price: "",
  buy_token: "",
  buy_price_total: "",
  auction_bid_count: 0,
  auction_start_date: 0,
  auction_end_date: 0,
  auction_settle_date: 0,
  auction_bidding_unit: "0",
  auction_start_price: "0",
  auction_buynow_price: "0",
  auction_current_price: "",
  auction_current_bidder: "",
  job_type: "",
};

export type Listing = Readonly<typeof BLANK_LISTING>;

/** One movement of the payments text: type, from, to, how many of which token, and whether it is what is paid or what is traded. */
export type Movement = readonly [
  type: string,
  from: string,
  to: string,
  number: string,
  token: string,
  of: "paid" | "traded",
];

/** Source: tokens §8, payments text. */
export function paymentsText(...movements: readonly Movement[]): string {
  return JSON.stringify(
    movements.map(([type, from_addr, to_addr, number, token, of]) => ({
      from_addr,
      to_addr,
      amount: of === "paid" ? number : "",
      token: of === "paid" ? token : "",
      trade_amount: of === "traded" ? number : "",
      trade_id: of === "traded" ? token : "",
      type,
    })),
  );
}
