import { RECORD_TYPES } from "../records/record-type.ts";
import type { Json } from "../text/canonical-json.ts";
import {
  ALICE,
  ARROW,
  BOB,
  GOLD,
  LISTING,
  MARKET,
  NOW,
  POTION,
  PRINT,
  PROJECT,
  SHIELD,
  SWORD,
  TOMORROW,
  TRANSACTION,
  UNIT_LISTING,
} from "./examples.ts";
import type { Result } from "./operation.ts";
import type { Schema } from "./parameter.ts";

/** What most writes are answered with. Source: accounts §10. */
export const transactionIdResult: Result = {
  kind: "json",
  about: "the id of the transaction",
  schema: {
    title: "Written",
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
  schema: {
    title: "MarketWritten",
    type: "object",
    required: ["transaction_id", "txid"],
    properties: transactionIds,
  },
  example: { transaction_id: TRANSACTION, txid: TRANSACTION },
};

/** What new listings of tokens are answered with. Source: tokens §9. */
export const listedResult: Result = {
  kind: "json",
  about: "the id of the transaction, twice, and that of the listing",
  schema: {
    title: "TokensListed",
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
  ids: { list: "itemdata", each: "mrc401ids" },
  schema: {
    title: "ItemsCreated",
    type: "object",
    required: ["transaction_id", "txid", "mrc401ids"],
    properties: { ...transactionIds, mrc401ids: { type: "array", items: { type: "string" } } },
  },
  example: { transaction_id: TRANSACTION, txid: TRANSACTION, mrc401ids: [SWORD, SHIELD] },
};

/** What new multi-unit items are answered with: one alone, or those of a project and their listings. Source: mrc402 §4, §5. */
export const unitItemsResult: Result = {
  kind: "json",
  about: "the id of the transaction, twice, and those of the items and of their listings",
  ids: { list: "itemdata", each: "mrc402ids", one: "mrc402id" },
  schema: {
    title: "UnitItemsCreated",
    type: "object",
    required: ["transaction_id", "txid"],
    properties: {
      ...transactionIds,
      mrc402id: { type: "string", description: "of an item standing alone" },
      mrc402ids: { type: "array", items: { type: "string" }, description: "of items of a project" },
      mrc402dexids: { type: "array", items: { type: "string" }, description: "of their offers" },
    },
  },
  example: { transaction_id: TRANSACTION, txid: TRANSACTION, mrc402id: PRINT },
  otherExamples: {
    itemdata: {
      transaction_id: TRANSACTION,
      txid: TRANSACTION,
      mrc402ids: [ARROW, POTION],
      mrc402dexids: [UNIT_LISTING],
    },
  },
};

/** What new listings of units are answered with. Source: mrc402 §11. */
export const unitListingsResult: Result = {
  kind: "json",
  about: "the id of the transaction, twice, and that of the listing, or with itemdata of all",
  ids: { list: "itemdata", each: "mrc402dexids", one: "mrc402dexid" },
  schema: {
    title: "UnitsListed",
    type: "object",
    required: ["transaction_id", "txid"],
    properties: {
      ...transactionIds,
      mrc402dexid: { type: "string", pattern: "^DEX402_[0-9a-f]{33}$" },
      mrc402dexids: { type: "array", items: { type: "string" } },
    },
  },
  example: { transaction_id: TRANSACTION, txid: TRANSACTION, mrc402dexid: UNIT_LISTING },
  otherExamples: {
    itemdata: { transaction_id: TRANSACTION, txid: TRANSACTION, mrc402dexids: [UNIT_LISTING] },
  },
};

const tokenIdText: Schema = {
  type: "string",
  pattern: "^(0|[1-9][0-9]*)$",
  format: "token-id",
};
const amount: Schema = { type: "string", pattern: "^(0|[1-9][0-9]*)$", format: "amount" };
/** Empty where it does not apply. */
const amountOrNone: Schema = { type: "string", pattern: "^(|0|[1-9][0-9]*)$", format: "amount" };
const tokenIdOrNone: Schema = {
  type: "string",
  pattern: "^(|0|[1-9][0-9]*)$",
  format: "token-id",
};
const text: Schema = { type: "string" };
const time: Schema = { type: "integer", format: "unix-time", description: "Unix seconds" };

/** A record that has a name of its own in types made of it. */
function named(title: string, properties: { readonly [name: string]: Schema }): Schema {
  return { title, ...record(properties) };
}

function record(properties: { readonly [name: string]: Schema }): Schema {
  return { type: "object", required: Object.keys(properties), properties };
}

/** The schema of a record that lacks some members. */
function without(schema: Schema, names: readonly string[], title: string): Schema {
  const properties = schema["properties"] as { readonly [name: string]: Schema };
  const left = Object.entries(properties).filter(([name]) => !names.includes(name));
  return named(title, Object.fromEntries(left));
}

/** An example without some of its members. */
function exampleWithout(
  example: { readonly [name: string]: Json },
  names: readonly string[],
): Json {
  return Object.fromEntries(Object.entries(example).filter(([name]) => !names.includes(name)));
}

/** Type of a record. Clients of today have to live with those of later versions of the rules. Source: chain §9. */
export const recordTypeSchema: Schema = {
  title: "RecordType",
  description: "type of the record; a later version may have others",
  anyOf: [{ type: "string", enum: RECORD_TYPES }, { type: "string" }],
};

/** What a record says of what was done. Source: chain §3. */
export const recordProperties: { readonly [name: string]: Schema } = {
  type: recordTypeSchema,
  address: { type: "string", description: "whom it concerns; empty if no address" },
  token: { type: "integer" },
  parameters: {
    type: "array",
    items: { type: "string" },
    description: "texts in an order that depends on the type",
  },
  values: {
    type: "object",
    description:
      "what came of it: balances; of an item or listing all of it when it is made, then the members that have changed",
  },
};

/** What a transaction did to somebody or something else. Source: chain §3. */
export const effectSchema: Schema = {
  title: "Effect",
  type: "object",
  required: Object.keys(recordProperties),
  properties: {
    ...recordProperties,
    item: { type: "string", description: "the project, item or listing, if it is about one" },
  },
};

/** A transaction, or one record of it, with its place in the ledger. Source: chain §3. */
export const transactionProperties: { readonly [name: string]: Schema } = {
  id: { type: "string" },
  db_sn: { type: "string", description: "number of its block" },
  db_id: { type: "string", description: "id of its block" },
  timestamp: time,
  ...recordProperties,
  validationCode: { type: "string", description: "always 0" },
};

/** One record of a transaction. Source: chain §10. */
export const transactionRecordSchema: Schema = named("TransactionRecord", transactionProperties);

/** A transaction with all that it did. Source: chain §3. */
export const transactionSchema: Schema = named("Transaction", {
  ...transactionProperties,
  effects: { type: "array", items: effectSchema },
});

/** A token as it is shown. Source: tokens §2. */
export const tokenSchema: Schema = named("Token", {
  id: tokenIdText,
  token: { type: "integer", description: "the id as a number" },
  owner: { type: "string", description: "address of the creator; empty if there is none" },
  symbol: text,
  name: text,
  category: text,
  decimal: { type: "integer", minimum: 0, maximum: 18 },
  createdate: time,
  totalsupply: { ...amount, description: "everything ever issued" },
  burnningamount: { ...amount, description: "everything burned so far" },
  circulation_supply: {
    ...amount,
    description: "issued, not burned, and not held by the owner",
  },
  remainamount: { ...amount, description: "what the owner holds" },
  reservedamount: amount,
  reserve: {
    type: "array",
    items: named("TokenReserve", { address: text, value: amount, unlockdate: time }),
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

export const tokenExample: { readonly [name: string]: Json } = {
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

/** What a list of tokens leaves out, because it may be long. Source: chain §10. */
const UNLISTED_OF_TOKENS = ["image", "information", "reserve", "tier"];

/** A token as a list shows it. Source: chain §10. */
export const listedTokenSchema: Schema = without(tokenSchema, UNLISTED_OF_TOKENS, "ListedToken");

export const listedTokenExample: Json = exampleWithout(tokenExample, UNLISTED_OF_TOKENS);

/** Who has a balance of a token. */
export const tokenHolderSchema: Schema = named("TokenHolder", {
  address: text,
  balance: { ...amount, description: "what may be moved now" },
  locked: { ...amount, description: "what may be moved later" },
});

/** A listing of tokens as it is shown: texts are empty and numbers 0 where they do not apply. Source: tokens §8. */
export const tokenListingSchema: Schema = named("TokenListing", {
  dexid: { type: "string", pattern: "^DEX010_[0-9a-f]{33}$" },
  mrc010: { ...tokenIdText, description: "id of the token that is listed" },
  side: { type: "string", enum: ["sell", "buy", "auction"] },
  state: { type: "string", enum: ["open", "sold", "cancelled", "failed"] },
  seller: text,
  buyer: text,
  amount: amount,
  remain_amount: amount,
  min_trade_unit: amount,
  platform_name: text,
  platform_url: text,
  platform_address: text,
  platform_commission: { type: "string", description: "a percentage" },
  regdate: time,
  sell_date: time,
  cancel_date: time,
  sell_price: amountOrNone,
  sell_token: tokenIdOrNone,
  buy_price: amountOrNone,
  buy_token: tokenIdOrNone,
  buy_price_total: { ...amountOrNone, description: "what is held for a request" },
  auction_bid_count: { type: "integer" },
  auction_start_date: time,
  auction_end_date: time,
  auction_settle_date: time,
  auction_bidding_unit: amount,
  auction_start_price: amount,
  auction_buynow_price: amount,
  auction_current_price: amountOrNone,
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
  job_type: "mrc010_buy",
};

/** A project as it is shown. Source: mrc401 §5. */
export const projectSchema: Schema = named("Project", {
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
  socialmedia: { type: "object", additionalProperties: text, description: "URLs by name" },
  partner: {
    type: "object",
    additionalProperties: { type: "string", enum: ["partner", "seller", "creator"] },
    description: "roles by address",
  },
  createdate: time,
});

export const projectRecordExample: { readonly [name: string]: Json } = {
  id: PROJECT,
  owner: ALICE,
  name: "Meta-RPG",
  url: "https://rpg.example/",
  image_url: "https://rpg.example/logo.png",
  allow_token: 0,
  category: "game",
  description: "Items of a game",
  data: "season 1",
  item_url: "https://rpg.example/item/{id}",
  item_image_url: "https://rpg.example/image/{id}",
  socialmedia: { chat: "https://chat.example/rpg" },
  partner: { [MARKET]: "seller" },
  createdate: NOW,
};

/** What a list of projects leaves out, because it may be long. Source: chain §10. */
const UNLISTED_OF_PROJECTS = ["data", "description", "socialmedia", "partner"];

/** A project as a list shows it. Source: chain §10. */
export const listedProjectSchema: Schema = without(
  projectSchema,
  UNLISTED_OF_PROJECTS,
  "ListedProject",
);

export const listedProjectExample: Json = exampleWithout(
  projectRecordExample,
  UNLISTED_OF_PROJECTS,
);

const rateText: Schema = { type: "string", description: "a percentage" };

/** An item as it is shown. Source: mrc401 §6. */
export const itemSchema: Schema = named("Item", {
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
  initial_reserve: amount,
  initial_token: tokenIdText,
  meltint_fee: rateText,
  melting_fee: rateText,
  melting_date: { ...time, description: "when it was melted" },
  expiredate: { ...time, description: "from when on it may be melted" },
  transferable: { type: "string", enum: ["Permanent", "Bound", "Temporary"] },
  sell_date: time,
  sell_fee: rateText,
  sell_price: amount,
  sell_token: tokenIdText,
  listing_fee: rateText,
  auction_date: time,
  auction_end: time,
  auction_token: tokenIdText,
  auction_bidding_unit: amount,
  auction_start_price: amount,
  auction_buynow_price: amount,
  auction_current_price: amount,
  auction_current_bidder: text,
  last_trade_date: time,
  last_trade_amount: amount,
  last_trade_token: tokenIdText,
  last_trade_type: text,
});

/** An item that is on sale. */
export const itemRecordExample: Json = {
  id: SWORD,
  mrc400: PROJECT,
  owner: "",
  holder: ALICE,
  creator: ALICE,
  item_url: "https://rpg.example/sword/1",
  item_image_url: "https://rpg.example/sword/1.png",
  groupid: "swords",
  createdate: NOW,
  initial_reserve: "5",
  initial_token: "0",
  meltint_fee: "2",
  melting_fee: "2",
  melting_date: 0,
  expiredate: 0,
  transferable: "Permanent",
  sell_date: NOW,
  sell_fee: "1.5",
  sell_price: "30",
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
};

const copyright = {
  copyright_registration_country: text,
  copyright_registrar: text,
  copyright_registration_number: text,
} as const;

const platform = {
  platform_name: text,
  platform_url: text,
  platform_address: text,
  platform_commission: rateText,
} as const;

/** A multi-unit item as it is shown. Source: mrc402 §3. */
export const unitItemSchema: Schema = named("UnitItem", {
  id: text,
  mrc400: { type: "string", description: "its project; empty if it stands alone" },
  owner: {
    type: "string",
    description: "the sole holder; empty if there are several; MELTED or BURNED",
  },
  creator: text,
  name: text,
  category: text,
  description: text,
  url: text,
  image_url: text,
  data: text,
  item_url: text,
  item_image_url: text,
  groupid: text,
  information: text,
  socialmedia: { type: "object", additionalProperties: text, description: "URLs by name" },
  shareholder: {
    type: "object",
    additionalProperties: text,
    description: "rates by address, in the order given",
  },
  allow_token: tokenIdText,
  createdate: time,
  totalsupply: { ...amount, description: "created and minted, less burned" },
  meltedamount: amount,
  burnedamount: amount,
  decimal: { type: "integer" },
  holders: { type: "integer" },
  initialreserve: {
    type: "object",
    additionalProperties: amount,
    description: "per unit, by token",
  },
  reserve: {
    type: "object",
    additionalProperties: amount,
    description: "in reserve now, by token",
  },
  initial_reserve: amount,
  initial_token: tokenIdText,
  creatorcommission: rateText,
  sell_fee: rateText,
  meltint_fee: rateText,
  expiredate: time,
  melting_date: time,
  transferable: { type: "string", enum: ["Permanent", "Bound", "Temporary"] },
  ...copyright,
  ...platform,
  sell_count: { type: "integer" },
  auction_count: { type: "integer" },
  sell_date: time,
  sell_price: amount,
  sell_token: tokenIdText,
  sell_dexid: text,
  auction_date: time,
  auction_end: time,
  auction_token: tokenIdText,
  auction_bidding_unit: amount,
  auction_start_price: amount,
  auction_buynow_price: amount,
  auction_current_price: amount,
  auction_current_bidder: text,
  auction_dexid: text,
  last_trade_date: time,
  last_trade_amount: amount,
  last_trade_token: tokenIdText,
  last_trade_type: text,
});

/** A new item that stands alone. */
export const unitItemRecordExample = {
  id: PRINT,
  mrc400: "",
  owner: ALICE,
  creator: ALICE,
  name: "Sunset",
  category: "art",
  description: "Prints of a painting",
  url: "https://prints.example/sunset",
  image_url: "https://prints.example/sunset.png",
  data: "edition of 20",
  item_url: "https://prints.example/item/{id}",
  item_image_url: "https://prints.example/image/{id}",
  groupid: "",
  information: "A sunset, printed on paper",
  socialmedia: { chat: "https://chat.example/prints" },
  shareholder: { [BOB]: "2" },
  allow_token: "0",
  createdate: NOW,
  totalsupply: "20",
  meltedamount: "0",
  burnedamount: "0",
  decimal: 0,
  holders: 1,
  initialreserve: { "0": "1" },
  reserve: { "0": "20" },
  initial_reserve: "1",
  initial_token: "0",
  creatorcommission: "1.5",
  sell_fee: "0",
  meltint_fee: "0",
  expiredate: 0,
  melting_date: 0,
  transferable: "Permanent",
  copyright_registration_country: "KR",
  copyright_registrar: "Copyright Commission",
  copyright_registration_number: "C-2026-000001",
  platform_name: "Gold market",
  platform_url: "https://market.example/",
  platform_address: MARKET,
  platform_commission: "2.5",
  sell_count: 0,
  auction_count: 0,
  sell_date: 0,
  sell_price: "0",
  sell_token: "0",
  sell_dexid: "",
  auction_date: 0,
  auction_end: 0,
  auction_token: "0",
  auction_bidding_unit: "0",
  auction_start_price: "0",
  auction_buynow_price: "0",
  auction_current_price: "0",
  auction_current_bidder: "",
  auction_dexid: "",
  last_trade_date: 0,
  last_trade_amount: "0",
  last_trade_token: "0",
  last_trade_type: "",
} satisfies Json;

/** A listing of units as it is shown. Source: mrc402 §3. */
export const unitListingSchema: Schema = named("UnitListing", {
  dexid: { type: "string", pattern: "^DEX402_[0-9a-f]{33}$" },
  mrc402: text,
  side: { type: "string", enum: ["sell", "auction"] },
  state: { type: "string", enum: ["open", "sold", "cancelled", "failed"] },
  seller: text,
  agent: text,
  buyer: text,
  amount: amount,
  remain_amount: amount,
  sell_price: amount,
  sell_token: tokenIdText,
  sell_fee: rateText,
  ...platform,
  regdate: time,
  sell_date: time,
  cancel_date: time,
  auction_start_date: time,
  auction_end_date: time,
  auction_settle_date: time,
  auction_bid_count: { type: "integer" },
  auction_bidding_unit: amount,
  auction_start_price: amount,
  auction_buynow_price: amount,
  auction_current_price: amountOrNone,
  auction_current_bidder: text,
  job_type: text,
});

/** An offer from which nobody has bought yet. */
export const unitListingRecordExample = {
  dexid: UNIT_LISTING,
  mrc402: PRINT,
  side: "sell",
  state: "open",
  seller: ALICE,
  agent: "",
  buyer: "",
  amount: "5",
  remain_amount: "5",
  sell_price: "30",
  sell_token: "0",
  sell_fee: "0",
  platform_name: "Gold market",
  platform_url: "https://market.example/",
  platform_address: MARKET,
  platform_commission: "2.5",
  regdate: NOW,
  sell_date: 0,
  cancel_date: 0,
  auction_start_date: 0,
  auction_end_date: 0,
  auction_settle_date: 0,
  auction_bid_count: 0,
  auction_bidding_unit: "0",
  auction_start_price: "0",
  auction_buynow_price: "0",
  auction_current_price: "",
  auction_current_bidder: "",
  job_type: "mrc402_sell",
} satisfies Json;

const units = { balance: amount, saleamount: amount, auctionamount: amount } as const;

/** How many units an address has of an item. Source: mrc402 §2.2, §3. */
export const holdingSchema: Schema = named("Holding", { mrc402: text, ...units });

/** Who has how many units of an item. Source: mrc402 §2.2, §3. */
export const unitHolderSchema: Schema = named("UnitHolder", { address: text, ...units });

/** What an address has of an item. Source: chain §10. */
export const ownedItemSchema: Schema = {
  title: "OwnedItem",
  type: "object",
  required: ["kind", "id", "mrc400"],
  properties: {
    kind: { type: "string", enum: ["mrc401", "mrc402"] },
    id: text,
    mrc400: { type: "string", description: "id of the project; empty if the item stands alone" },
    balance: { ...amount, description: "of MRC402: free units" },
    saleamount: { ...amount, description: "of MRC402: units on sale" },
    auctionamount: { ...amount, description: "of MRC402: units on auction" },
  },
};

export const holdingExample = { balance: "12", saleamount: "5", auctionamount: "0" } as const;

/** A page of a list. Source: chain §10. */
export function listSchema(items: Schema): Schema {
  return {
    title: `${items["title"]}Page`,
    type: "object",
    required: ["items"],
    properties: {
      items: { type: "array", items },
      cursor: { type: "string", description: "absent when there is no more" },
    },
  };
}

/** An address's balances. Source: accounts §9. */
export const balanceEntriesSchema: Schema = {
  title: "BalanceEntries",
  type: "array",
  items: {
    title: "BalanceEntry",
    type: "object",
    required: ["token", "balance", "unlockdate"],
    properties: {
      token: { ...tokenIdText, description: "id of the token; 0 is the native coin" },
      balance: { ...amount, description: "in the token's smallest unit" },
      unlockdate: {
        ...time,
        description: "when it may be moved, Unix seconds; 0 is at once",
      },
    },
  },
};

export const balanceEntriesExample: Json = [
  { token: "0", balance: "700", unlockdate: 0 },
  { token: GOLD, balance: "50", unlockdate: TOMORROW },
];
