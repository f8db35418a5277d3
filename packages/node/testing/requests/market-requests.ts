import { createHash } from "node:crypto";
import type { TokenListingShown } from "../../../ledger/testing/shown/token-listing-shown.ts";
import type { KeyHolder, Params, Signing, TestNode } from "../test-node.ts";

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

export interface MarketSigning extends Signing {
  /** How it is signed: `short` by default. */
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

export type Listing = TokenListingShown;
