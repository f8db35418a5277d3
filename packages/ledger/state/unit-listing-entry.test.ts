import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Address,
  type Amount,
  addressAround,
  canonicalJson,
  type Rate,
  RECORD_TYPES,
  type TokenId,
} from "@moneta/protocol";
import fc from "fast-check";
import { priceText } from "./price-text.ts";
import { UNIT_LISTING, type UnitListing } from "./unit-listing-entry.ts";

const PLAIN = { noNullPrototype: true } as const;
const amounts = fc.oneof(fc.bigInt(0n, 999n), fc.bigInt(0n, 10n ** 40n)) as fc.Arbitrary<Amount>;
const dates = fc.oneof(fc.constant(0), fc.integer({ min: 1_700_000_000, max: 2 ** 40 }));
const rates = fc.bigInt(0n, 999_999n) as fc.Arbitrary<Rate>;
const tokens = fc.bigInt(0n, 10n ** 15n).map((id) => String(id) as TokenId);
const texts = fc.string({ unit: "grapheme" });
const addresses: fc.Arbitrary<Address> = fc
  .stringMatching(/^[0-9A-Za-z]{30}$/)
  .map((middle) => addressAround(middle));
const nobodyOr = fc.oneof(fc.constant("" as const), addresses);

const terms = {
  id: fc.stringMatching(/^DEX402_[0-9a-f]{33}$/),
  item: fc.stringMatching(/^MRC402_[0-9a-f]{33}$/),
  itemOrder: fc.nat(),
  projectOrder: fc.option(fc.nat(), { nil: undefined }),
  state: fc.constantFrom("open", "sold", "cancelled", "failed"),
  seller: addresses,
  agent: nobodyOr,
  buyer: nobodyOr,
  amount: amounts,
  remaining: amounts,
  payToken: tokens,
  sellFee: rates,
  platform: fc.record({ name: texts, url: texts, address: nobodyOr, commission: rates }, PLAIN),
  listDate: dates,
  sellDate: dates,
  cancelDate: dates,
  recordType: fc.constantFrom(...RECORD_TYPES),
  order: fc.nat(),
} as const;

const bid = fc.record({ bidder: addresses, amount: amounts }, PLAIN);
const auction = fc.record(
  {
    startPrice: amounts,
    bidUnit: amounts,
    buyNowPrice: amounts,
    startDate: dates,
    endDate: dates,
    settleDate: dates,
    bidCount: fc.nat(),
    bid: fc.option(bid, { nil: undefined }),
  },
  PLAIN,
);

const listings: fc.Arbitrary<UnitListing> = fc.oneof(
  fc.record({ ...terms, side: fc.constant("sell" as const), price: amounts }, PLAIN),
  fc.record({ ...terms, side: fc.constant("auction" as const), auction }, PLAIN),
);

test("a listing that is stored and restored is the same", () =>
  fc.assert(
    fc.property(listings, (listing) => {
      const stored = canonicalJson(UNIT_LISTING.stored?.(listing) ?? "");
      assert.deepEqual(UNIT_LISTING.restore(JSON.parse(stored)), listing);
    }),
    { numRuns: 300 },
  ));

/** Every field of mrc402 §3, "GET /mrc402/dex/{dexid}". */
const FIELDS = [
  ...["agent", "amount", "auction_bid_count", "auction_bidding_unit", "auction_buynow_price"],
  ...["auction_current_bidder", "auction_current_price", "auction_end_date"],
  ...["auction_settle_date", "auction_start_date", "auction_start_price", "buyer", "cancel_date"],
  ...["dexid", "job_type", "mrc402", "platform_address", "platform_commission", "platform_name"],
  ...["platform_url", "regdate", "remain_amount", "sell_date", "sell_fee", "sell_price"],
  ...["sell_token", "seller", "side", "state"],
];

test("mrc402 §3: every field is always there, in the order of RFC 8785, and numbers are those that the table calls so", () =>
  fc.assert(
    fc.property(listings, (listing) => {
      const json = UNIT_LISTING.json(listing) as Record<string, unknown>;
      assert.deepEqual(Object.keys(json), FIELDS);
      const numbers = FIELDS.filter((name) => typeof json[name] === "number");
      assert.deepEqual(
        numbers,
        FIELDS.filter((name) => /_count$|date$/.test(name)),
      );
      if (listing.side === "sell") {
        assert.deepEqual([json["auction_start_price"], json["auction_current_bidder"]], ["0", ""]);
      } else {
        assert.equal(json["sell_price"], "0");
      }
    }),
  ));

test("mrc402 §2.7: only while it is open a listing is found by its item, seller, end and price", () => {
  const { columns } = typeof UNIT_LISTING.table === "object" ? UNIT_LISTING.table : assert.fail();
  fc.assert(
    fc.property(listings, (listing) => {
      const { item, itemOrder, projectOrder, side, state, seller, payToken } = listing;
      const isOpen = state === "open";
      const cells = Object.fromEntries(
        Object.entries(columns).map(([name, { of }]) => [name, of(listing)]),
      );
      assert.deepEqual(cells, {
        ...{ side, state, seller, pay_token: Number(payToken) },
        ...{ item: itemOrder, project: projectOrder },
        open_of_item: isOpen ? `${item} ${side}` : undefined,
        auction_end: isOpen && listing.side === "auction" ? listing.auction.endDate : undefined,
        price: isOpen && listing.side === "sell" ? priceText(listing.price) : undefined,
        bidder: (isOpen && listing.side === "auction" && listing.auction.bid?.bidder) || "",
      });
    }),
  );
});
