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
import {
  datedAuctionMembers,
  LISTING_SIDE,
  LISTING_STATE,
  platformMembers,
  saleWindowMembers,
} from "../shown-trade.ts";

const object: SchemaOf<JsonRecord> = { type: "object" };
const decimals: SchemaOf<number> = { type: "integer", minimum: 0, maximum: 18 };

const ICON = "https://gold.example/bar.png";

const members = {
  id: [tokenId, GOLD],
  token: [noted(integer, "id of the token as a number"), 7],
  owner: [noted(addressOrNone, "address of the owner, who created it; empty for none"), ALICE],
  symbol: [text, "GLD"],
  name: [text, "Gold"],
  category: [text, "metal"],
  decimal: [decimals, 2],
  createdate: [time, NOW],
  totalsupply: [noted(amount, "units ever issued"), "100000"],
  burnningamount: [noted(amount, "units burned so far"), "500"],
  circulation_supply: [
    noted(amount, "units issued, not burned and not held by the owner"),
    "40000",
  ],
  remainamount: [noted(amount, "units that the owner holds"), "59500"],
  reservedamount: [amount, "0"],
  reserve: [
    noted(
      listOf(
        record("TokenReserve", {
          address: noted(address, "address that received it"),
          value: noted(amount, "amount that it received"),
          unlockdate: time,
        }),
      ),
      "amounts that addresses received at the creation, locked or not",
    ),
    [{ address: BOB, value: "40000", unlockdate: 0 }],
  ],
  tier: [listOf(object), []],
  url: [text, "https://gold.example/"],
  information: [text, "Gold in a vault"],
  image: [text, ICON],
  type: [oneOf("010", "100", "101"), "010"],
  status: [noted(text, "always empty"), ""],
  basetoken: [noted(integer, "id of the one token that it is traded for by orders"), 0],
  targettoken: [
    byName(time, "tokens that are traded for it by orders: by id, when each was added"),
    {},
  ],
  logger: [object, {}],
} satisfies Members;

export const shownToken = shown("Token", members);

/** Source: tokens §2. */
const marketMembers = {
  holders: [noted(integer, "how many addresses have a balance of it"), 2],
  day_trades: [
    noted(integer, "how many trades there were in this hour of ledger time and the 23 before it"),
    1,
  ],
  day_volume: [noted(amount, "how much of it was traded in these hours"), "100"],
  price: [
    noted(amountOrNone, "last price, for `price_of` units; empty if it was never traded"),
    "30",
  ],
  price_of: [noted(amountOrNone, "units that `price` is for"), "100"],
  price_token: [noted(tokenIdOrNone, "id of the token of the price"), "0"],
  price_date: [noted(time, "when it was traded last; 0 for never"), NOW],
} satisfies Members;

export const listedToken = listed(
  "ListedToken",
  {
    ...members,
    ...marketMembers,
    image: [
      noted(
        text,
        "picture: URL, data URL, or the path of a large data URL; empty beyond 163,840 bytes",
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
  balance: [noted(amount, "units that can be moved now"), "39950"],
  locked: [noted(amount, "units that are locked"), "50"],
});

/** Inapplicable members are empty or 0. Source: tokens §8. */
export const shownTokenListing = shown("TokenListing", {
  dexid: [tokenListingId, LISTING],
  mrc010: [noted(tokenId, "id of the token that is listed"), GOLD],
  side: [noted(oneOf("sell", "buy", "auction"), LISTING_SIDE), "sell"],
  state: [noted(oneOf("open", "sold", "cancelled", "failed"), LISTING_STATE), "open"],
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
  buy_price_total: [noted(amountOrNone, "amount that the request holds"), ""],
  ...datedAuctionMembers,
  job_type: [noted(recordType, "type of the listing's newest record"), "mrc010_buy"],
});

/** Source: tokens §8. */
export const shownTokenTrade = shown("TokenTrade", {
  transaction_id: [transactionId, TRANSACTION],
  timestamp: [time, NOW],
  dexid: [tokenListingId, LISTING],
  side: [noted(oneOf("sell", "buy", "auction"), "kind of the listing"), "sell"],
  seller: [text, ALICE],
  buyer: [text, BOB],
  amount: [amount, "100"],
  payment: [
    noted(amount, "price paid for the amount; the payer of a request adds the commission"),
    "30",
  ],
  token: [noted(tokenId, "id of the token that was paid"), "0"],
});

function priceOfStep(which: string): SchemaOf<string> {
  return noted(text, `${which} price: whole tokens paid for a whole token, decimal text`);
}

/** Source: tokens §2. */
export const shownCandle = shown("TokenCandle", {
  time: [noted(time, "when the step begins"), NOW - (NOW % 3600)],
  open: [priceOfStep("first"), "0.3"],
  high: [priceOfStep("highest"), "0.32"],
  low: [priceOfStep("lowest"), "0.29"],
  close: [priceOfStep("last"), "0.31"],
  volume: [noted(amount, "how much of the token was traded"), "500"],
  trades: [integer, 4],
});
