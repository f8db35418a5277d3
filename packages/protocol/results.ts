import type { Json } from "./canonical-json.ts";
import { ALICE, BOB, GOLD, LISTING, MARKET, NOW, TOMORROW, TRANSACTION } from "./examples.ts";
import type { Result } from "./operation.ts";
import type { Schema } from "./parameters.ts";

/** What most writes are answered with. Source: accounts §10. */
export const transactionIdResult: Result = {
  kind: "json",
  about: "the id of the transaction",
  schema: {
    type: "object",
    required: ["transaction_id"],
    properties: { transaction_id: { type: "string", pattern: "^[0-9a-f]{64}$" } },
  },
  example: { transaction_id: TRANSACTION },
};

const transactionIds = {
  transaction_id: { type: "string", pattern: "^[0-9a-f]{64}$" },
  txid: { type: "string", description: "the same, as older clients read it" },
} as const;

/** What market operations are answered with: the contract's name and the public one for the same id. Source: tokens §1.6. */
export const marketResult: Result = {
  kind: "json",
  about: "the id of the transaction, twice",
  schema: { type: "object", required: ["transaction_id", "txid"], properties: transactionIds },
  example: { transaction_id: TRANSACTION, txid: TRANSACTION },
};

/** What new listings of tokens are answered with. Source: tokens §9. */
export const listedResult: Result = {
  kind: "json",
  about: "the id of the transaction, twice, and that of the listing",
  schema: {
    type: "object",
    required: ["transaction_id", "txid", "mrc010dexid"],
    properties: {
      ...transactionIds,
      mrc010dexid: { type: "string", pattern: "^DEX010_[0-9a-f]{33}$" },
    },
  },
  example: { transaction_id: TRANSACTION, txid: TRANSACTION, mrc010dexid: LISTING },
};

/** What is answered where the contract says "no content". Source: tokens §1.5. */
export const tokenResult: Result = {
  kind: "nothing",
  about: "nothing; the headers name the transaction, and the token as Location",
};

/** What new items are answered with. Source: mrc401 §7. */
export const itemsResult: Result = {
  kind: "json",
  about: "the id of the transaction, twice, and those of the items in their order",
  schema: {
    type: "object",
    required: ["transaction_id", "txid", "mrc401ids"],
    properties: { ...transactionIds, mrc401ids: { type: "array", items: { type: "string" } } },
  },
};

const integerText: Schema = { type: "string", pattern: "^(0|[1-9][0-9]*)$" };
const text: Schema = { type: "string" };
const time: Schema = { type: "integer", description: "Unix seconds" };

function record(properties: { readonly [name: string]: Schema }): Schema {
  return { type: "object", required: Object.keys(properties), properties };
}

/** A token as it is shown. Source: tokens §2. */
export const tokenSchema: Schema = record({
  id: integerText,
  token: { type: "integer", description: "the id as a number" },
  owner: { type: "string", description: "address of the creator; empty if there is none" },
  symbol: text,
  name: text,
  category: text,
  decimal: { type: "integer", minimum: 0, maximum: 18 },
  createdate: time,
  totalsupply: { ...integerText, description: "everything ever issued" },
  burnningamount: { ...integerText, description: "everything burned so far" },
  circulation_supply: {
    ...integerText,
    description: "issued, not burned, and not held by the owner",
  },
  remainamount: { ...integerText, description: "what the owner holds" },
  reservedamount: integerText,
  reserve: {
    type: "array",
    items: record({ address: text, value: integerText, unlockdate: time }),
  },
  tier: { type: "array", items: { type: "object" } },
  url: text,
  information: text,
  image: text,
  type: { type: "string", enum: ["010", "100", "101"] },
  status: text,
  basetoken: { type: "integer" },
  targettoken: { type: "object" },
  logger: { type: "object" },
});

export const tokenExample: Json = {
  id: GOLD,
  token: 7,
  owner: ALICE,
  symbol: "GLD",
  name: "Gold",
  category: "metal",
  decimal: 2,
  createdate: NOW,
  totalsupply: "100000",
  burnningamount: "500",
  circulation_supply: "40000",
  remainamount: "59500",
  reservedamount: "0",
  reserve: [{ address: BOB, value: "40000", unlockdate: 0 }],
  tier: [],
  url: "https://gold.example/",
  information: "Gold in a vault",
  image: "https://gold.example/bar.png",
  type: "010",
  status: "",
  basetoken: 0,
  targettoken: {},
  logger: {},
};

/** A listing of tokens as it is shown: texts are empty and numbers 0 where they do not apply. Source: tokens §8. */
export const tokenListingSchema: Schema = record({
  dexid: { type: "string", pattern: "^DEX010_[0-9a-f]{33}$" },
  mrc010: { ...integerText, description: "id of the token that is listed" },
  side: { type: "string", enum: ["sell", "buy", "auction"] },
  state: { type: "string", enum: ["open", "sold", "cancelled", "failed"] },
  seller: text,
  buyer: text,
  amount: integerText,
  remain_amount: integerText,
  min_trade_unit: integerText,
  platform_name: text,
  platform_url: text,
  platform_address: text,
  platform_commission: { type: "string", description: "a percentage" },
  regdate: time,
  sell_date: time,
  cancel_date: time,
  sell_price: text,
  sell_token: text,
  buy_price: text,
  buy_token: text,
  buy_price_total: { type: "string", description: "what is held for a request" },
  auction_bid_count: { type: "integer" },
  auction_start_date: time,
  auction_end_date: time,
  auction_settle_date: time,
  auction_bidding_unit: integerText,
  auction_start_price: integerText,
  auction_buynow_price: integerText,
  auction_current_price: text,
  auction_current_bidder: text,
  job_type: { type: "string", description: "type of the listing's newest record" },
});

/** An offer of which a part has been sold. */
export const tokenListingExample: Json = {
  dexid: LISTING,
  mrc010: GOLD,
  side: "sell",
  state: "open",
  seller: ALICE,
  buyer: BOB,
  amount: "1000",
  remain_amount: "900",
  min_trade_unit: "10",
  platform_name: "Gold market",
  platform_url: "https://market.example/",
  platform_address: MARKET,
  platform_commission: "2.5",
  regdate: NOW,
  sell_date: 0,
  cancel_date: 0,
  sell_price: "3",
  sell_token: "0",
  buy_price: "",
  buy_token: "",
  buy_price_total: "0",
  auction_bid_count: 0,
  auction_start_date: 0,
  auction_end_date: 0,
  auction_settle_date: 0,
  auction_bidding_unit: "0",
  auction_start_price: "0",
  auction_buynow_price: "0",
  auction_current_price: "",
  auction_current_bidder: "",
  job_type: "mrc010_buy",
};

/** A project as it is shown. Source: mrc401 §5. */
export const projectSchema: Schema = record({
  id: { type: "string", pattern: "^MRC400_[0-9a-f]{33}$" },
  owner: text,
  name: text,
  url: text,
  image_url: text,
  allow_token: {
    type: "integer",
    description: "the one token, beside 0, that its items are traded for; 0 allows every token",
  },
  category: text,
  description: text,
  data: text,
  item_url: text,
  item_image_url: text,
  socialmedia: { type: "object", description: "URLs by name" },
  partner: { type: "object", description: "roles by address: partner, seller or creator" },
  createdate: time,
});

const rateText: Schema = { type: "string", description: "a percentage" };

/** An item as it is shown. Source: mrc401 §6. */
export const itemSchema: Schema = record({
  id: text,
  mrc400: text,
  owner: {
    type: "string",
    description: "empty while nobody but the project's owner has had it; MELTED",
  },
  holder: { type: "string", description: "whose it is; empty once it is melted" },
  creator: text,
  item_url: text,
  item_image_url: text,
  groupid: text,
  createdate: time,
  initial_reserve: integerText,
  initial_token: integerText,
  meltint_fee: rateText,
  melting_fee: rateText,
  melting_date: { ...time, description: "when it was melted" },
  expiredate: { ...time, description: "from when on it may be melted" },
  transferable: { type: "string", enum: ["Permanent", "Bound", "Temporary"] },
  sell_date: time,
  sell_fee: rateText,
  sell_price: integerText,
  sell_token: integerText,
  listing_fee: rateText,
  auction_date: time,
  auction_end: time,
  auction_token: integerText,
  auction_bidding_unit: integerText,
  auction_start_price: integerText,
  auction_buynow_price: integerText,
  auction_current_price: integerText,
  auction_current_bidder: text,
  last_trade_date: time,
  last_trade_amount: integerText,
  last_trade_token: integerText,
  last_trade_type: text,
});

/** An address's balances. Source: accounts §9. */
export const balanceEntriesSchema: Schema = {
  type: "array",
  items: {
    type: "object",
    required: ["token", "balance", "unlockdate"],
    properties: {
      token: { type: "string", description: "id of the token; 0 is the native coin" },
      balance: { type: "string", description: "amount in the token's smallest unit" },
      unlockdate: {
        type: "integer",
        description: "when it may be moved, Unix seconds; 0 is at once",
      },
    },
  },
};

export const balanceEntriesExample: Json = [
  { token: "0", balance: "700", unlockdate: 0 },
  { token: GOLD, balance: "50", unlockdate: TOMORROW },
];
