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
};

/** What is answered where the contract says "no content". Source: tokens §1.5. */
export const tokenResult: Result = {
  kind: "nothing",
  about: "nothing; the headers name the transaction, and the token as Location",
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
