import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Address,
  type Amount,
  addressAround,
  canonicalJson,
  type Json,
  type Rate,
  RECORD_TYPES,
  type TokenId,
} from "@moneta/protocol";
import fc from "fast-check";
import { TOKEN_LISTING, type TokenListing } from "./token-listing-entry.ts";

const amounts = fc.oneof(fc.bigInt(0n, 999n), fc.bigInt(0n, 10n ** 40n)) as fc.Arbitrary<Amount>;
const dates = fc.oneof(fc.constant(0), fc.integer({ min: 1_700_000_000, max: 2 ** 40 }));
const addresses: fc.Arbitrary<Address> = fc
  .stringMatching(/^[0-9A-Za-z]{30}$/)
  .map((middle) => addressAround(middle));
const nobodyOr = fc.oneof(fc.constant("" as const), addresses);
const tokens = fc.bigInt(0n, 10n ** 15n).map((id) => String(id) as TokenId);
const PLAIN = { noNullPrototype: true } as const;
const texts = fc.string({ unit: "grapheme" });

const terms = {
  id: fc.stringMatching(/^DEX010_[0-9a-f]{33}$/),
  state: fc.constantFrom("open", "sold", "cancelled", "failed"),
  creator: addresses,
  taker: nobodyOr,
  token: tokens,
  payToken: tokens,
  amount: amounts,
  remaining: amounts,
  unit: fc.nat(8).map((zeros) => (10n ** BigInt(zeros)) as Amount),
  platform: fc.record(
    {
      name: texts,
      url: texts,
      address: nobodyOr,
      commission: fc.bigInt(0n, 1000n).map((hundredths) => (hundredths * 100n) as Rate),
    },
    PLAIN,
  ),
  listDate: dates,
  sellDate: dates,
  cancelDate: dates,
  recordType: fc.constantFrom(...RECORD_TYPES),
  order: fc.nat(),
} as const;

const listings: fc.Arbitrary<TokenListing> = fc.oneof(
  fc.record({ ...terms, side: fc.constant("sell" as const), price: amounts }, PLAIN),
  fc.record(
    { ...terms, side: fc.constant("buy" as const), price: amounts, escrow: amounts },
    PLAIN,
  ),
  fc.record(
    {
      ...terms,
      side: fc.constant("auction" as const),
      auction: fc.record(
        {
          startPrice: amounts,
          bidUnit: amounts,
          buyNowPrice: amounts,
          startDate: dates,
          endDate: dates,
          settleDate: dates,
          bidCount: fc.nat(),
          bid: fc.option(fc.record({ bidder: addresses, amount: amounts }, PLAIN), {
            nil: undefined,
          }),
        },
        PLAIN,
      ),
    },
    PLAIN,
  ),
);

const shown = (listing: TokenListing): string => canonicalJson(TOKEN_LISTING.json(listing));

test("what is stored of a listing is all of it", () =>
  fc.assert(
    fc.property(listings, (listing) => {
      const stored = TOKEN_LISTING.stored?.(listing) ?? null;
      const restored = TOKEN_LISTING.restore(JSON.parse(JSON.stringify(stored)) as Json);
      assert.deepEqual(restored, listing);
      assert.equal(shown(restored), shown(listing));
    }),
    { numRuns: 300 },
  ));

/** Every field of tokens §8, "listing record". */
const FIELDS = [
  ...["amount", "auction_bid_count", "auction_bidding_unit", "auction_buynow_price"],
  ...["auction_current_bidder", "auction_current_price", "auction_end_date"],
  ...["auction_settle_date", "auction_start_date", "auction_start_price", "buy_price"],
  ...["buy_price_total", "buy_token", "buyer", "cancel_date", "dexid", "job_type"],
  ...["min_trade_unit", "mrc010", "platform_address", "platform_commission", "platform_name"],
  ...["platform_url", "regdate", "remain_amount", "sell_date", "sell_price", "sell_token"],
  ...["seller", "side", "state"],
];

test("tokens §8: every field is always there, in the order of RFC 8785, and numbers are those that the table calls so", () =>
  fc.assert(
    fc.property(listings, (listing) => {
      const json = TOKEN_LISTING.json(listing) as Record<string, unknown>;
      assert.deepEqual(Object.keys(json), FIELDS);
      const numbers = FIELDS.filter((name) => typeof json[name] === "number");
      assert.deepEqual(
        numbers,
        FIELDS.filter((name) => /_count$|date$/.test(name)),
      );
    }),
  ));

const [seller, buyer] = [addressAround("S".repeat(30)), addressAround("B".repeat(30))];

function listing(sided: object): Record<string, unknown> {
  const common = {
    id: `DEX010_${"0".repeat(33)}`,
    state: "open",
    token: "7",
    payToken: "3",
    amount: 50n,
    remaining: 40n,
    unit: 10n,
    platform: { name: "", url: "", address: "", commission: 57000n },
    listDate: 1,
    sellDate: 0,
    cancelDate: 0,
    recordType: "mrc010_buy",
    order: 1,
  };
  return TOKEN_LISTING.json({ ...common, ...sided } as TokenListing) as Record<string, unknown>;
}

for (const { side, json, shown } of [
  {
    side: "sell",
    json: listing({ side: "sell", creator: seller, taker: buyer, price: 2n }),
    shown: {
      ...{ seller, buyer, sell_price: "2", sell_token: "3", buy_price: "", buy_token: "" },
      ...{ buy_price_total: "", auction_start_date: 0, auction_current_price: "" },
    },
  },
  {
    side: "buy",
    json: listing({ side: "buy", creator: buyer, taker: seller, price: 2n, escrow: 9n }),
    shown: {
      ...{ seller, buyer, buy_price: "2", buy_token: "3", buy_price_total: "9" },
      ...{ sell_price: "", sell_token: "", auction_end_date: 0 },
    },
  },
  {
    side: "auction without a bid",
    json: listing({
      side: "auction",
      creator: seller,
      taker: "",
      auction: {
        ...{ startPrice: 5n, bidUnit: 1n, buyNowPrice: 0n, startDate: 2, endDate: 3 },
        ...{ settleDate: 0, bidCount: 0, bid: undefined },
      },
    }),
    shown: {
      ...{ seller, buyer: "", sell_price: "", sell_token: "3", buy_token: "" },
      ...{ auction_start_price: "5", auction_buynow_price: "0", auction_bid_count: 0 },
      ...{ auction_current_bidder: "", auction_current_price: "", auction_end_date: 3 },
    },
  },
  {
    side: "auction with a bid",
    json: listing({
      side: "auction",
      creator: seller,
      taker: "",
      auction: {
        ...{ startPrice: 5n, bidUnit: 1n, buyNowPrice: 9n, startDate: 2, endDate: 3 },
        ...{ settleDate: 0, bidCount: 2, bid: { bidder: buyer, amount: 6n } },
      },
    }),
    shown: {
      ...{ buyer: "", auction_current_bidder: buyer, auction_current_price: "6" },
      ...{ auction_bid_count: 2, platform_commission: "5.7", min_trade_unit: "10" },
    },
  },
]) {
  test(`tokens §8: how a listing is shown: ${side}`, () => {
    const names = Object.keys(shown);
    assert.deepEqual(Object.fromEntries(names.map((name) => [name, json[name]])), shown);
  });
}
