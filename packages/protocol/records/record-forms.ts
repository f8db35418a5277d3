import type { RecordType } from "./record-type.ts";

/** Parameters of records, by name. A record has them by position. Source: chain §9. */
export const RECORD_PARAMETERS = {
  actor: "address that acted",
  addinfo: "memo of the address",
  address: "address that acted, or that was created",
  allowtoken: "id of the one token that items are traded for; 0 allows every token",
  amount: "units of a token, or of an item where no token is named",
  auction_bidding_unit: "step between bids",
  auction_buynow_price: "price that ends the auction at once; 0 if there is none",
  auction_end_date: "when the auction ends",
  auction_start_date: "when the auction begins",
  auction_start_price: "lowest bid",
  algorithm: "what the key decrypts the data by",
  base: "id of the token that is paid with, the base of a pair",
  bid: "amount of the bid",
  bidder: "address that bid",
  buyer: "address that bought",
  category: "category",
  copyright_registrar: "where the copyright is registered",
  copyright_registration_country: "country of that registration",
  copyright_registration_number: "number of that registration",
  creator: "address that created the item or the listing",
  creatorcommission: "percentage of each sale that the creator receives",
  cost: "amount of the base that a trade cost",
  data: "data",
  decimal: "decimals for display",
  description: "description",
  doneqtt: "units of the target that were traded",
  dexid: "id of the listing",
  expiredate: "from when on it may be melted",
  from: "address that paid",
  fromAddr: "address that passed it on, or the from side of an exchange",
  fromAmount: "amount that the from side gives",
  fromFeeamount: "fee that the from side pays; none if 0 or empty",
  fromFeesendto: "address that receives the from side's fee",
  fromFeetoken: "id of the token of the from side's fee",
  fromMemo: "memo of the from side",
  fromSign: "signature of the from side",
  fromTag: "tag of the from side",
  fromToken: "id of the token that the from side gives",
  groupid: "group",
  height: "first block of the rules",
  image: "image",
  imageurl: "URL of the image",
  info: "information",
  information: "information",
  initial_reserve: "reserve of the item",
  initial_token: "id of the token of that reserve",
  initialreserve: "JSON object of reserves for each unit, by token",
  item: "id of the item",
  item_image_url: "URL of the item's image",
  item_url: "URL of the item",
  itemdata: "JSON array of the items, as it was sent",
  itemimageurl: "URL of images of items",
  items: "id of the item, or JSON array of ids",
  itemurl: "URL of items",
  keyhash: "hash of the key with all that it is bound to",
  melt_fee: "percentage of the reserve that the project's owner receives at melting",
  memo: "memo",
  min_trade_unit: "smallest amount that is traded, which the price is for",
  minqtt: "units of the target that were wanted at least",
  mrc010id: "id of the token that is traded",
  mrc400id: "id of the project",
  name: "name",
  note: "note",
  opendate: "when it may be opened, Unix seconds",
  openingkey: "the key that opened it",
  order: "id of the order",
  other: "the other party: who bought, sold or bid",
  owner: "owner",
  payee: "address that received",
  payer: "address that paid",
  payment: "amount of money that was paid or received",
  payments: "JSON array of all that moved",
  platform_address: "address of the platform",
  platform_commission: "percentage that the platform receives",
  platform_name: "name of the platform",
  platform_url: "URL of the platform",
  price: "price that is asked or offered",
  publickey: "public key",
  qtt: "units of the target",
  receiver: "address that received",
  refund: "amount that came back",
  requester: "address that came to a waiting order, or wanted to trade",
  referencekey: "the owner's name for it",
  reserve: "JSON array of reserved amounts",
  reservedamount: "amount that the owner may not move",
  seal: "id of the sealed text",
  sell_fee: "percentage of a sale that the project's owner receives",
  seller: "address that sells",
  shareholder: "JSON object of percentages by address",
  signature: "signature of the request",
  side: "SELL or BUY, what the record's address does with the target",
  socialmedia: "JSON object of URLs by name",
  symbol: "symbol",
  tags: "tags",
  taker: "address that took a part of the listing",
  target: "id of the token that is traded, the target of a pair",
  tier: "JSON array of tiers",
  time: "when, by the ledger's time",
  tkey: "temporary key of the request",
  to: "address that was paid",
  toAddr: "address that it was passed on to, or the to side of an exchange",
  toAmount: "amount that the to side gives",
  toFeeamount: "fee that the to side pays; none if 0 or empty",
  toFeesendto: "address that receives the to side's fee",
  toFeetoken: "id of the token of the to side's fee",
  toMemo: "memo of the to side",
  toSign: "signature of the to side",
  toTag: "tag of the to side",
  toToken: "id of the token that the to side gives",
  token:
    "id of the token that the amount, price or payment is of; in tokenSave a text without meaning",
  trade: "id of the trade",
  totalsupply: "units issued",
  transferable: "whether it may be passed on",
  transferlist: "JSON array of payees and amounts, as it was sent",
  type: "kind of token",
  unlockdate: "when the amount may be moved",
  url: "URL",
  version: "version of the rules",
  winner: "address that won the auction",
} as const;

export type RecordParameter = keyof typeof RECORD_PARAMETERS;

/** What an amount means to the record's address: `in` and `out` have moved, others are terms. */
export type AmountRole = "in" | "out" | "asks" | "starts" | "offers" | "wants" | "issues";

/** An amount and the token that it is of. */
type Money = readonly [AmountRole, amount: RecordParameter, token: RecordParameter];
/** What is traded: an amount and its token, or a number of units of the record's item. */
type Goods = readonly [AmountRole, amount: RecordParameter, token?: RecordParameter];

interface Meaning {
  readonly money?: Money;
  readonly goods?: Goods;
  /** Addresses that take part, one of which is the other party of the one that reads the record. */
  readonly parties?: readonly RecordParameter[];
  /** The item, listing or project that the record is about. */
  readonly about?: RecordParameter;
  /**
   * Of a JSON array about which the record is: what each entry asks, by the names of its members.
   */
  readonly each?: readonly [AmountRole, amount: string, token: string];
}

/**
 * Under what a record is filed: M is the record of the transaction, A that of another address, I
 * that of an item or project, L that of a listing. The value is the parameter that names it, or a
 * description where none does. Source: chain §1.2, §9.
 */
export interface Filed {
  readonly M?: string;
  readonly A?: string;
  readonly I?: string;
  readonly L?: string;
}

/** One form of a type's records. The number of parameters distinguishes forms of one type. */
export interface RecordForm extends Meaning {
  /** What happened, in words that follow "the address ..." or, of I and L, "the item ...". */
  readonly says: string;
  readonly filed: Filed;
  /** By their places. `=` and a text is a place that always holds this text. */
  readonly parameters: readonly string[];
  /** Behind them, all or none. */
  readonly optional: readonly string[];
}

function form(
  says: string,
  filed: Filed,
  parameters: string,
  meaning: Meaning & { readonly optional?: string } = {},
): RecordForm {
  const { optional = "", ...others } = meaning;
  return {
    says,
    filed,
    parameters: parameters.split(" "),
    optional: optional === "" ? [] : optional.split(" "),
    ...others,
  };
}

const PLATFORM = "platform_name platform_url platform_address platform_commission";
const COPYRIGHT =
  "copyright_registration_country copyright_registrar copyright_registration_number";
const SIGNED = "signature tkey";

const TRANSFER = "from to amount token signature unlockdate tags memo";
const SUPPLY = "token amount signature";
const OFFER = `dexid address amount mrc010id price token ${PLATFORM} min_trade_unit ${SIGNED}`;
const TOKEN_AUCTION = `dexid address amount mrc010id auction_start_price token auction_bidding_unit auction_buynow_price auction_start_date auction_end_date ${PLATFORM} ${SIGNED}`;
const TOKEN_TAKEN = "taker dexid payment token signature =0 amount mrc010id tkey";
const TOKEN_SHARE = "dexid payee payment token signature =0 amount mrc010id tkey";
const TOKEN_TRADE = "dexid creator other payments mrc010id";
const PROJECT = `mrc400id owner name url imageurl allowtoken category description itemurl itemimageurl data ${SIGNED}`;
const ITEM_LIST = `itemdata seller ${SIGNED}`;
const UNIT_ITEM = `item creator name creatorcommission totalsupply decimal url imageurl shareholder initialreserve expiredate data information socialmedia ${COPYRIGHT} ${SIGNED}`;
const UNIT_EXTRAS = `allowtoken category description itemurl itemimageurl ${PLATFORM}`;
const UNIT_UPDATE = `item creator url data information socialmedia ${COPYRIGHT} ${SIGNED}`;
const UNIT_OFFER = `dexid seller amount item price token ${PLATFORM} ${SIGNED}`;
const UNIT_AUCTION = `dexid seller amount item auction_start_price token auction_bidding_unit auction_buynow_price auction_start_date auction_end_date ${PLATFORM} ${SIGNED}`;
const UNIT_CANCEL = `dexid seller amount item price token ${SIGNED}`;
const UNIT_LIST = `itemdata actor ${SIGNED}`;
const UNIT_SHARE = "dexid payee payment token signature =0 = item tkey";

const SIDES = ["from", "to"]
  .flatMap((side) =>
    ["Addr", "Amount", "Token", "Feesendto", "Feeamount", "Feetoken", "Tag", "Memo", "Sign"].map(
      (name) => `${side}${name}`,
    ),
  )
  .join(" ");

const LISTING = { about: "dexid" } as const;
const ITEM = { about: "item" } as const;
const PARTIES = { parties: ["from", "to"] } as const;

const shareOfTokens: Meaning = {
  about: "dexid",
  money: ["in", "payment", "token"],
  goods: ["in", "amount", "mrc010id"],
};
const lotBack: Meaning = { about: "dexid", goods: ["in", "amount", "mrc010id"] };
const paidForItem: Meaning = { about: "item", money: ["out", "payment", "token"] };
const itemShare = (payer: RecordParameter, payee: RecordParameter): Meaning => ({
  about: "item",
  parties: [payer, payee],
  money: ["in", "payment", "token"],
});
const shareOfItem: Meaning = { about: "item", money: ["in", "payment", "token"] };
const unitsBack: Meaning = { about: "item", goods: ["in", "amount"] };
const offered: Meaning = { about: "itemdata", each: ["asks", "price", "token"] };
const auctioned: Meaning = { about: "itemdata", each: ["starts", "start", "token"] };
const listed: Meaning = { about: "itemdata" };

/** What records of each type say, and to whom. Source: chain §9. */
export const RECORD_FORMS: Readonly<Record<RecordType, readonly RecordForm[]>> = {
  "Chaincode Install or Update": [
    form(
      "began the ledger, or announced new rules",
      { M: "the operator, in block 0 of nobody" },
      "version height note",
    ),
  ],
  DataMigration: [form("had stored data take a new form", { M: "nobody" }, "version note")],

  NewWallet: [form("was created", { M: "address" }, "address publickey addinfo")],
  transfer: [
    form("paid", { M: "from" }, TRANSFER, {
      money: ["out", "amount", "token"],
      ...PARTIES,
    }),
  ],
  receive: [
    form("was paid", { A: "to" }, TRANSFER, {
      money: ["in", "amount", "token"],
      ...PARTIES,
    }),
  ],
  multi_transfer: [form("paid several", { M: "from" }, `from transferlist token ${SIGNED}`)],
  tokenSave: [
    form(
      "saved the draft of a token",
      { M: "owner" },
      `owner symbol token name url totalsupply decimal category reservedamount reserve tier type image ${SIGNED}`,
    ),
  ],
  tokenRegister: [
    form(
      "created a token",
      { M: "owner" },
      `token owner symbol name url totalsupply decimal category reserve ${SIGNED}`,
      { money: ["issues", "totalsupply", "token"] },
    ),
  ],
  token_reserve: [
    form("received a part of a new token", { A: "receiver" }, "owner receiver amount token", {
      money: ["in", "amount", "token"],
      parties: ["owner", "receiver"],
    }),
  ],
  tokenBurning: [
    form("burned units of a token", { M: "the token's owner" }, SUPPLY, {
      money: ["out", "amount", "token"],
      optional: "memo",
    }),
  ],
  ownerBurning: [
    form("burned units of its token", { A: "the token's owner" }, SUPPLY, {
      money: ["out", "amount", "token"],
      optional: "memo",
    }),
  ],
  tokenIncrease: [
    form("issued units of a token", { M: "the token's owner" }, SUPPLY, {
      money: ["in", "amount", "token"],
      optional: "memo",
    }),
  ],
  ownerIncrease: [
    form("issued units of its token", { A: "the token's owner" }, SUPPLY, {
      money: ["in", "amount", "token"],
      optional: "memo",
    }),
  ],
  tokenUpdate: [
    form(
      "changed the texts of a token",
      { M: "the token's owner" },
      "token url info image signature",
    ),
  ],
  mrc010sell: [
    form("offered tokens for sale", { M: "address" }, OFFER, {
      about: "dexid",
      money: ["asks", "price", "token"],
      goods: ["out", "amount", "mrc010id"],
    }),
  ],
  mrc010reqsell: [
    form("asked for tokens", { M: "address" }, OFFER, {
      about: "dexid",
      money: ["offers", "price", "token"],
      goods: ["wants", "amount", "mrc010id"],
    }),
  ],
  mrc010unsell: [
    form(
      "took tokens off sale",
      { M: "creator" },
      `dexid creator amount mrc010id price token ${SIGNED}`,
      lotBack,
    ),
  ],
  mrc010unreqsell: [
    form(
      "withdrew a request for tokens",
      { M: "creator" },
      `dexid creator amount mrc010id refund token ${SIGNED}`,
      { about: "dexid", money: ["in", "refund", "token"] },
    ),
  ],
  transfer_mrc010buy: [
    form("bought tokens", { M: "taker" }, TOKEN_TAKEN, {
      about: "dexid",
      money: ["out", "payment", "token"],
      goods: ["in", "amount", "mrc010id"],
    }),
  ],
  transfer_mrc010sell: [
    form("sold tokens to who asked for them", { M: "taker" }, TOKEN_TAKEN, {
      about: "dexid",
      money: ["in", "payment", "token"],
      goods: ["out", "amount", "mrc010id"],
    }),
  ],
  mrc010auction: [
    form("put tokens up for auction", { M: "address" }, TOKEN_AUCTION, {
      about: "dexid",
      money: ["starts", "auction_start_price", "token"],
      goods: ["out", "amount", "mrc010id"],
    }),
  ],
  mrc010unauction: [
    form(
      "took tokens off auction",
      { M: "seller" },
      `dexid seller amount mrc010id auction_start_price token ${SIGNED}`,
      lotBack,
    ),
  ],
  transfer_mrc010bid: [
    form(
      "bid for tokens",
      { M: "bidder" },
      "bidder dexid bid token signature =0 amount mrc010id tkey",
      {
        about: "dexid",
        money: ["out", "bid", "token"],
        goods: ["in", "amount", "mrc010id"],
      },
    ),
  ],
  receive_mrc010item: [
    form(
      "won an auction of tokens",
      { M: "winner" },
      "dexid winner =0 token = =0 amount mrc010id =",
      { about: "dexid", goods: ["in", "amount", "mrc010id"] },
    ),
  ],
  mrc010auctionfailure: [
    form(
      "auctioned tokens, and nobody bid",
      { M: "seller" },
      "dexid seller amount mrc010id",
      lotBack,
    ),
  ],
  receive_mrc010sell: [form("sold tokens", { A: "payee" }, TOKEN_SHARE, shareOfTokens)],
  receive_mrc010buy: [
    form("received the tokens asked for", { A: "payee" }, TOKEN_SHARE, shareOfTokens),
  ],
  receive_mrc010fee: [form("received a commission", { A: "payee" }, TOKEN_SHARE, shareOfTokens)],
  receive_mrc010refund: [
    form("was outbid and refunded", { A: "payee" }, TOKEN_SHARE, shareOfTokens),
  ],
  receive_mrc010auction: [form("auctioned tokens", { A: "payee" }, TOKEN_SHARE, shareOfTokens)],
  mrc010_sell: [form("was offered", { L: "dexid" }, OFFER, LISTING)],
  mrc010_reqsell: [form("was asked for", { L: "dexid" }, OFFER, LISTING)],
  mrc010_unsell: [
    form(
      "was withdrawn",
      { L: "dexid" },
      `dexid creator amount mrc010id price token ${SIGNED}`,
      LISTING,
    ),
  ],
  mrc010_unreqsell: [
    form(
      "was withdrawn",
      { L: "dexid" },
      `dexid creator amount mrc010id refund token ${SIGNED}`,
      LISTING,
    ),
  ],
  mrc010_auction: [form("was put up for auction", { L: "dexid" }, TOKEN_AUCTION, LISTING)],
  mrc010_unauction: [
    form(
      "was withdrawn",
      { L: "dexid" },
      `dexid seller amount mrc010id auction_start_price token ${SIGNED}`,
      LISTING,
    ),
  ],
  mrc010_auctionfailure: [
    form("ended without a bid", { L: "dexid" }, "dexid seller amount mrc010id", LISTING),
  ],
  mrc010_buy: [form("was bought from", { L: "dexid" }, TOKEN_TRADE, LISTING)],
  mrc010_acceptreqsell: [form("was served", { L: "dexid" }, TOKEN_TRADE, LISTING)],
  mrc010_auctionbid: [form("got a bid", { L: "dexid" }, TOKEN_TRADE, LISTING)],
  mrc010_auctionbuynow: [form("was bought at once", { L: "dexid" }, TOKEN_TRADE, LISTING)],
  mrc010_auctionwinning: [form("was won", { L: "dexid" }, TOKEN_TRADE, LISTING)],

  mrc400create: [form("created a project", { M: "owner" }, PROJECT, { about: "mrc400id" })],
  mrc400update: [form("changed a project", { M: "owner" }, PROJECT, { about: "mrc400id" })],
  mrc400_create: [form("was created", { I: "mrc400id" }, PROJECT, { about: "mrc400id" })],
  mrc400_update: [form("was changed", { I: "mrc400id" }, PROJECT, { about: "mrc400id" })],
  mrc401create: [
    form("created items", { M: "actor" }, `mrc400id actor itemdata ${SIGNED}`, {
      about: "mrc400id",
    }),
  ],
  mrc401update: [
    form("changed items", { M: "actor" }, `mrc400id actor itemdata ${SIGNED}`, {
      about: "mrc400id",
    }),
  ],
  mrc401_create: [
    form("was created", { I: "item" }, `item actor initial_reserve initial_token ${SIGNED}`, ITEM),
  ],
  mrc401_update: [
    form("was changed", { I: "item" }, `item actor initial_reserve initial_token ${SIGNED}`, ITEM),
  ],
  mrc401transfer: [
    form("passed items on", { M: "fromAddr" }, `items fromAddr toAddr ${SIGNED}`, {
      about: "items",
      parties: ["fromAddr", "toAddr"],
    }),
  ],
  mrc401_transfer: [form("was passed on", { I: "item" }, `item fromAddr toAddr ${SIGNED}`, ITEM)],
  receive_mrc401: [
    form("received an item", { A: "toAddr" }, `item fromAddr toAddr ${SIGNED}`, {
      about: "item",
      parties: ["fromAddr", "toAddr"],
    }),
  ],
  mrc401sell: [form("put items on sale", { M: "seller" }, ITEM_LIST, offered)],
  mrc401unsell: [form("took items off sale", { M: "seller" }, ITEM_LIST, listed)],
  mrc401auction: [form("put items up for auction", { M: "seller" }, ITEM_LIST, auctioned)],
  mrc401unauction: [form("took items off auction", { M: "seller" }, ITEM_LIST, listed)],
  mrc401_sell: [form("was put on sale", { I: "item" }, `item seller price token ${SIGNED}`, ITEM)],
  mrc401_unsell: [form("was taken off sale", { I: "item" }, `item seller ${SIGNED}`, ITEM)],
  mrc401_unauction: [form("was taken off auction", { I: "item" }, `item seller ${SIGNED}`, ITEM)],
  mrc401_auction: [
    form(
      "was put up for auction",
      { I: "item" },
      `item seller auction_start_price token auction_buynow_price auction_bidding_unit ${SIGNED}`,
      ITEM,
    ),
  ],
  transfer_mrc401buy: [
    form(
      "bought an item",
      { M: "buyer" },
      "buyer item payment token signature =0 = item tkey",
      paidForItem,
    ),
  ],
  transfer_mrc401bid: [
    form("bid for an item", { M: "bidder" }, "bidder item bid token signature =0 = item tkey", {
      about: "item",
      money: ["out", "bid", "token"],
    }),
  ],
  mrc401_buy: [form("was sold", { I: "item" }, `item seller buyer payments ${SIGNED}`, ITEM)],
  mrc401_auctionbid: [form("got a bid", { I: "item" }, `item bidder payments ${SIGNED}`, ITEM)],
  mrc401_melt: [
    form("melted an item", { M: "owner", I: "item" }, `item owner payments ${SIGNED}`, ITEM),
  ],
  mrc401_auctionwinning: [
    form("won an item", { M: "winner", I: "item" }, `item winner payments ${SIGNED}`, ITEM),
  ],
  mrc401_auctionbuynow: [
    form("was bought at once", { I: "item" }, `item winner payments ${SIGNED}`, ITEM),
  ],
  mrc401_auctionfailure: [
    form(
      "auctioned an item, and nobody bid",
      { M: "seller", I: "item" },
      "item seller = payments = =",
      ITEM,
    ),
  ],
  receive_mrc401sell: [
    form(
      "sold an item",
      { A: "seller" },
      "buyer seller payment token signature =0 = item tkey",
      itemShare("buyer", "seller"),
    ),
  ],
  receive_mrc401auction: [
    form(
      "auctioned an item",
      { A: "seller" },
      "buyer seller payment token signature =0 = item tkey",
      itemShare("buyer", "seller"),
    ),
  ],
  receive_mrc401fee: [
    form(
      "received the fee of a sale, as the project's owner",
      { A: "owner" },
      "payer owner payment token signature =0 = item tkey",
      itemShare("payer", "owner"),
    ),
  ],
  receive_mrc401refund: [
    form(
      "was outbid and refunded",
      { A: "bidder" },
      "item bidder payment token signature =0 = item tkey",
      shareOfItem,
    ),
  ],
  receive_melt: [
    form(
      "received the reserve of a melted item",
      { A: "payee" },
      "item payee payment token signature =0 = item tkey",
      shareOfItem,
    ),
  ],
  receive_meltfee: [
    form(
      "received the fee of a melting, as the project's owner",
      { A: "payee" },
      "item payee payment token signature =0 = item tkey",
      shareOfItem,
    ),
  ],

  mrc402create: [
    form("created an item of many units", { M: "creator" }, UNIT_ITEM, {
      about: "item",
      optional: UNIT_EXTRAS,
    }),
    form(
      "created items of many units in a project",
      { M: "actor" },
      `mrc400id actor itemdata ${SIGNED}`,
      { about: "mrc400id" },
    ),
  ],
  mrc402_create: [
    form("was created", { I: "item" }, UNIT_ITEM, {
      about: "item",
      optional: UNIT_EXTRAS,
    }),
  ],
  mrc402update: [
    form("changed an item", { M: "creator" }, UNIT_UPDATE, ITEM),
    form("changed items of a project", { M: "actor" }, `mrc400id actor itemdata ${SIGNED}`, {
      about: "mrc400id",
    }),
  ],
  mrc402_update: [
    form("was changed", { I: "item" }, UNIT_UPDATE, ITEM),
    form(
      "was changed as an item of a project",
      { I: "item" },
      `item actor item_url item_image_url groupid sell_fee melt_fee transferable ${SIGNED}`,
      ITEM,
    ),
  ],
  mrc402mint: [
    form("issued units", { M: "creator" }, `item creator amount memo ${SIGNED}`, {
      about: "item",
      goods: ["in", "amount"],
    }),
  ],
  mrc402burn: [
    form("burned units", { M: "creator" }, `item creator amount memo ${SIGNED}`, {
      about: "item",
      goods: ["out", "amount"],
    }),
  ],
  mrc402_mint: [
    form("was issued more of", { I: "item" }, `item creator amount memo ${SIGNED}`, ITEM),
  ],
  mrc402_burn: [
    form("was burned in part", { I: "item" }, `item creator amount memo ${SIGNED}`, ITEM),
  ],
  mrc402melt: [
    form("melted units", { M: "actor" }, `item actor amount ${SIGNED}`, {
      about: "item",
      goods: ["out", "amount"],
    }),
  ],
  mrc402_melt: [form("was melted in part", { I: "item" }, `item actor amount ${SIGNED}`, ITEM)],
  transfer_mrc402: [
    form("passed units on", { M: "from" }, `from to amount item tags memo ${SIGNED}`, {
      about: "item",
      ...PARTIES,
      goods: ["out", "amount"],
    }),
  ],
  receive_mrc402: [
    form("received units", { A: "to" }, `from to amount item tags memo ${SIGNED}`, {
      about: "item",
      ...PARTIES,
      goods: ["in", "amount"],
    }),
  ],
  mrc402sell: [
    form("put units on sale", { M: "the actor" }, UNIT_OFFER, {
      about: "item",
      money: ["asks", "price", "token"],
      goods: ["out", "amount"],
    }),
    form("put units of several items on sale", { M: "actor" }, UNIT_LIST, offered),
  ],
  mrc402_sell: [form("was put on sale", { L: "dexid" }, UNIT_OFFER, LISTING)],
  mrc402auction: [
    form("put units up for auction", { M: "the actor" }, UNIT_AUCTION, {
      about: "item",
      money: ["starts", "auction_start_price", "token"],
      goods: ["out", "amount"],
    }),
    form("put units of several items up for auction", { M: "actor" }, UNIT_LIST, auctioned),
  ],
  mrc402_auction: [form("was put up for auction", { L: "dexid" }, UNIT_AUCTION, LISTING)],
  mrc402unsell: [
    form("took units off sale", { M: "the actor" }, UNIT_CANCEL, unitsBack),
    form("took several listings off sale", { M: "actor" }, UNIT_LIST, listed),
  ],
  mrc402unauction: [
    form("took units off auction", { M: "the actor" }, UNIT_CANCEL, unitsBack),
    form("took several listings off auction", { M: "actor" }, UNIT_LIST, listed),
  ],
  mrc402_unsell: [form("was withdrawn", { L: "dexid" }, UNIT_CANCEL, LISTING)],
  mrc402_unauction: [form("was withdrawn", { L: "dexid" }, UNIT_CANCEL, LISTING)],
  transfer_mrc402buy: [
    form(
      "bought units",
      { M: "buyer" },
      "buyer dexid payment token signature =0 amount item tkey",
      { about: "item", money: ["out", "payment", "token"], goods: ["in", "amount"] },
    ),
  ],
  transfer_mrc402bid: [
    form("bid for units", { M: "bidder" }, "bidder dexid bid token signature =0 amount item tkey", {
      about: "item",
      money: ["out", "bid", "token"],
      goods: ["in", "amount"],
    }),
  ],
  receive_mrc402item: [
    form("won an auction of units", { M: "winner" }, "dexid winner =0 token = =0 amount item =", {
      about: "item",
      goods: ["in", "amount"],
    }),
  ],
  receive_mrc402fee: [
    form("received a fee or commission", { A: "payee" }, UNIT_SHARE, shareOfItem),
  ],
  receive_mrc402sell: [form("sold units", { A: "payee" }, UNIT_SHARE, shareOfItem)],
  receive_mrc402auction: [form("auctioned units", { A: "payee" }, UNIT_SHARE, shareOfItem)],
  receive_mrc402refund: [form("was outbid and refunded", { A: "payee" }, UNIT_SHARE, shareOfItem)],
  mrc402_buy: [
    form("was bought from", { L: "dexid" }, "dexid seller buyer payments item", LISTING),
  ],
  mrc402_auctionbuynow: [
    form("was bought at once", { L: "dexid" }, "dexid seller buyer payments item", LISTING),
  ],
  mrc402_auctionwinning: [
    form("was won", { L: "dexid" }, "dexid seller buyer payments item", LISTING),
  ],
  mrc402_auctionbid: [
    form("got a bid", { L: "dexid" }, `dexid seller bidder payments ${SIGNED}`, LISTING),
  ],
  mrc402auctionfailure: [
    form("auctioned units, and nobody bid", { M: "seller" }, "dexid seller amount item", {
      about: "item",
      goods: ["in", "amount"],
    }),
  ],
  mrc402_auctionfailure: [
    form("ended without a bid", { L: "dexid" }, "dexid seller amount item", LISTING),
  ],
  SetBase: [
    form(
      "set the token that a token is traded for",
      { M: "the owner of the target" },
      "base target",
    ),
  ],
  tokenAddTarget: [
    form(
      "admitted a token as one that is traded for its own",
      { M: "the owner of the base" },
      `base target ${SIGNED}`,
    ),
  ],
  tokenRemoveTarget: [
    form(
      "took a token out of those that are traded for its own",
      { M: "the owner of the base" },
      `base target ${SIGNED}`,
    ),
  ],
  exchange: [
    form("exchanged tokens", { M: "fromAddr", A: "fromAddr" }, SIDES, {
      money: ["out", "fromAmount", "fromToken"],
      goods: ["in", "toAmount", "toToken"],
      parties: ["fromAddr", "toAddr"],
    }),
  ],
  exchangePair: [
    form("exchanged tokens, as the to side", { A: "toAddr" }, SIDES, {
      money: ["out", "toAmount", "toToken"],
      goods: ["in", "fromAmount", "fromToken"],
      parties: ["fromAddr", "toAddr"],
    }),
  ],
  exchangeFee: [
    form("received a fee of an exchange", { A: "fromFeesendto" }, SIDES, {
      money: ["in", "fromFeeamount", "fromFeetoken"],
      parties: ["fromAddr", "fromFeesendto"],
    }),
  ],
  exchangeFeePair: [
    form("received a fee of an exchange, of the to side", { A: "toFeesendto" }, SIDES, {
      money: ["in", "toFeeamount", "toFeetoken"],
      parties: ["toAddr", "toFeesendto"],
    }),
  ],
  stodexRegister: [
    form(
      "registered an order",
      { M: "owner", L: "order" },
      `owner side base target price qtt order ${SIGNED}`,
      { about: "order" },
    ),
  ],
  stodexUnRegister: [
    form("cancelled an order", { M: "owner", L: "order" }, `owner order ${SIGNED} refund token`, {
      about: "order",
      money: ["in", "refund", "token"],
    }),
  ],
  stodexRequest: [
    form(
      "traded with orders at once",
      { M: "requester" },
      `requester side base target price qtt minqtt doneqtt cost ${SIGNED}`,
    ),
  ],
  stodexExchange: [
    form(
      "traded with an order",
      { M: "requester", L: "order" },
      `requester qtt order trade ${SIGNED}`,
      { about: "order" },
    ),
  ],
  stodexExchangePending: [
    form(
      "had an order traded",
      { A: "owner" },
      "owner requester side base target price qtt time order trade cost",
      { about: "order", parties: ["owner", "requester"] },
    ),
  ],
  stodexExchangeRequest: [
    form(
      "traded with the order of another",
      { A: "requester" },
      "owner requester side base target price qtt time order trade cost",
      { about: "order", parties: ["owner", "requester"] },
    ),
  ],
  MRC020: [
    form(
      "sealed a text",
      { M: "owner", L: "seal" },
      `seal owner algorithm data keyhash opendate referencekey ${SIGNED}`,
      { about: "seal" },
    ),
  ],
  MRC020Open: [
    form("had a sealed text opened", { M: "owner", L: "seal" }, "seal owner openingkey", {
      about: "seal",
    }),
  ],
};

/** The form of a record with so many parameters; undefined if this version knows none. */
export function recordForm(type: string, parameterCount: number): RecordForm | undefined {
  const forms = Object.hasOwn(RECORD_FORMS, type) ? RECORD_FORMS[type as RecordType] : [];
  return forms.find(
    ({ parameters, optional }) =>
      parameterCount === parameters.length ||
      (optional.length > 0 && parameterCount === parameters.length + optional.length),
  );
}
