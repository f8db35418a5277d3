import { ALICE, BOB, GOLD, LISTING, NOW, TRANSACTION } from "../../description/examples.ts";
import type { JsonRecord } from "../../description/json/json-objects.ts";
import {
  address,
  addressOrNone,
  amount,
  amountOrNone,
  byName,
  integer,
  listed,
  listOf,
  type Members,
  noted,
  oneOf,
  record,
  recordType,
  type SchemaOf,
  shown,
  text,
  time,
  tokenId,
  tokenIdOrNone,
  tokenListingId,
  transactionId,
} from "../../description/shown.ts";
import { datedAuctionMembers, platformMembers, saleWindowMembers } from "../shown-trade.ts";

const object: SchemaOf<JsonRecord> = { type: "object" };
const decimals: SchemaOf<number> = { type: "integer", minimum: 0, maximum: 18 };

const ICON = "https://gold.example/bar.png";

const members = {
  id: [tokenId, GOLD],
  token: [noted(integer, "the id as a number"), 7],
  owner: [noted(addressOrNone, "address of the creator; empty if there is none"), ALICE],
  symbol: [text, "GLD"],
  name: [text, "Gold"],
  category: [text, "metal"],
  decimal: [decimals, 2],
  createdate: [time, NOW],
  totalsupply: [noted(amount, "everything ever issued"), "100000"],
  burnningamount: [noted(amount, "everything burned so far"), "500"],
  circulation_supply: [noted(amount, "issued, not burned, and not held by the owner"), "40000"],
  remainamount: [noted(amount, "what the owner holds"), "59500"],
  reservedamount: [amount, "0"],
  reserve: [
    listOf(record("TokenReserve", { address, value: amount, unlockdate: time })),
    [{ address: BOB, value: "40000", unlockdate: 0 }],
  ],
  tier: [listOf(object), []],
  url: [text, "https://gold.example/"],
  information: [text, "Gold in a vault"],
  image: [text, ICON],
  type: [oneOf("010", "100", "101"), "010"],
  status: [text, ""],
  basetoken: [noted(integer, "id of the one token that it is traded for by orders"), 0],
  targettoken: [byName(time, "what is traded for it by orders: since when, by id"), {}],
  logger: [object, {}],
} satisfies Members;

export const shownToken = shown("Token", members);

/** Source: tokens §2. */
const marketMembers = {
  holders: [noted(integer, "how many addresses have a balance of it"), 2],
  day_trades: [noted(integer, "trades in this hour of ledger time and the 23 before it"), 1],
  day_volume: [noted(amount, "what was traded of it in these hours"), "100"],
  price: [noted(amountOrNone, "last price: for `price_of` units; empty if never traded"), "30"],
  price_of: [noted(amountOrNone, "units that `price` is for"), "100"],
  price_token: [noted(tokenIdOrNone, "id of the token of the price"), "0"],
  price_date: [noted(time, "when it was last traded; 0 if never"), NOW],
} satisfies Members;

export const listedToken = listed(
  "ListedToken",
  {
    ...members,
    ...marketMembers,
    image: [
      noted(
        text,
        "if the long texts together have more than 4,096 bytes, the path of its data URL, `/token/{token}/image`, up to 163,840 of them, else empty",
      ),
      ICON,
    ],
  },
  "information",
  "reserve",
  "targettoken",
  "tier",
);

export const shownTokenHolder = shown("TokenHolder", {
  address: [text, BOB],
  balance: [noted(amount, "what may be moved now"), "39950"],
  locked: [noted(amount, "what may be moved later"), "50"],
});

/** Inapplicable members are empty or 0. Source: tokens §8. */
export const shownTokenListing = shown("TokenListing", {
  dexid: [tokenListingId, LISTING],
  mrc010: [noted(tokenId, "id of the token that is listed"), GOLD],
  side: [oneOf("sell", "buy", "auction"), "sell"],
  state: [oneOf("open", "sold", "cancelled", "failed"), "open"],
  seller: [addressOrNone, ALICE],
  buyer: [addressOrNone, BOB],
  amount: [amount, "1000"],
  remain_amount: [amount, "900"],
  min_trade_unit: [amount, "10"],
  ...platformMembers,
  regdate: [time, NOW],
  sell_date: [time, 0],
  cancel_date: [time, 0],
  sell_price: [amountOrNone, "3"],
  sell_token: [tokenIdOrNone, "0"],
  ...saleWindowMembers,
  buy_price: [amountOrNone, ""],
  buy_token: [tokenIdOrNone, ""],
  buy_price_total: [noted(amountOrNone, "what is held for a request"), ""],
  ...datedAuctionMembers,
  job_type: [noted(recordType, "type of the listing's newest record"), "mrc010_buy"],
});

/** Source: tokens §8. */
export const shownTokenTrade = shown("TokenTrade", {
  transaction_id: [transactionId, TRANSACTION],
  timestamp: [time, NOW],
  dexid: [tokenListingId, LISTING],
  side: [noted(oneOf("sell", "buy", "auction"), "what the listing is"), "sell"],
  seller: [text, ALICE],
  buyer: [text, BOB],
  amount: [amount, "100"],
  payment: [noted(amount, "for the amount; a request pays its commission on top"), "30"],
  token: [noted(tokenId, "id of the token of the payment"), "0"],
});

const priceOfWhole: SchemaOf<string> = noted(
  text,
  "decimal text: whole tokens of the payment for a whole token, to 20 significant digits",
);

/** Source: tokens §2. */
export const shownCandle = shown("TokenCandle", {
  time: [noted(time, "when the step begins"), NOW - (NOW % 3600)],
  open: [priceOfWhole, "0.3"],
  high: [priceOfWhole, "0.32"],
  low: [priceOfWhole, "0.29"],
  close: [priceOfWhole, "0.31"],
  volume: [noted(amount, "what was traded of the token"), "500"],
  trades: [integer, 4],
});
