import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Address,
  type Amount,
  addressAround,
  canonicalJson,
  type Rate,
  type TokenId,
  type Transferable,
} from "@moneta/protocol";
import fc from "fast-check";
import { LongTexts } from "./long-texts.ts";
import { existingUnits, UNIT_ITEM, type UnitItem } from "./unit-item-entry.ts";

/** As objects are by nature. */
const plain = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<T> =>
  fc.record(model, { noNullPrototype: true }) as fc.Arbitrary<T>;

const dates = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 253_402_300_799 }));
const amounts = fc.oneof(fc.bigInt(0n, 999n), fc.bigInt(0n, 10n ** 40n)) as fc.Arbitrary<Amount>;
const units = fc.bigInt(0n, 99_999_999n) as fc.Arbitrary<Amount>;
const rates = fc.bigInt(0n, 999_999n) as fc.Arbitrary<Rate>;
const tokens = fc.oneof(
  fc.constantFrom("0", "2", "10", "9007199254740991"),
  fc.bigInt(0n, 10n ** 15n).map(String),
) as fc.Arbitrary<TokenId>;
const addresses: fc.Arbitrary<Address> = fc
  .stringMatching(/^[0-9A-Za-z]{30}$/)
  .map((middle) => addressAround(middle));
const nobodyOr = fc.oneof(fc.constant("" as const), addresses);
const texts = fc.string({ unit: "grapheme" });
/** `JSON.parse` makes this one a member like any other. */
const names = fc.oneof(texts, fc.constantFrom("__proto__", "constructor", "10", "9"));

const items: fc.Arbitrary<UnitItem> = plain({
  id: fc.stringMatching(/^MRC402_[0-9a-f]{33}$/),
  project: fc.oneof(fc.constant(""), fc.stringMatching(/^MRC400_[0-9a-f]{33}$/)),
  projectOrder: fc.option(fc.nat(), { nil: undefined }),
  projectOwner: nobodyOr,
  creator: addresses,
  name: texts,
  category: texts,
  url: texts,
  imageUrl: texts,
  itemUrl: texts,
  itemImageUrl: texts,
  group: texts,
  texts: plain({
    description: texts,
    data: texts,
    information: texts,
    socialMedia: fc.array(fc.tuple(names, texts)).map((all) => Object.fromEntries(all)),
  }).map((all) => LongTexts.of(all)),
  allowToken: tokens,
  createDate: dates,
  totalSupply: units,
  melted: units,
  burned: units,
  reserve: fc
    .uniqueArray(plain({ token: tokens, amount: amounts }), {
      maxLength: 5,
      selector: ({ token }) => token,
    })
    .map((all) => all.sort((a, b) => (BigInt(a.token) < BigInt(b.token) ? -1 : 1))),
  creatorCommission: rates,
  shareholders: fc.uniqueArray(plain({ address: addresses, rate: rates }), {
    maxLength: 5,
    selector: ({ address }) => address,
  }),
  sellFee: rates,
  meltFee: rates,
  expireDate: dates,
  meltDate: dates,
  transferable: fc.constantFrom<Transferable>("Permanent", "Bound", "Temporary"),
  copyright: plain({ country: texts, registrar: texts, number: texts }),
  platform: plain({ name: texts, url: texts, address: nobodyOr, commission: rates }),
  lastTrade: fc.option(
    plain({
      date: dates,
      amount: amounts,
      token: tokens,
      type: fc.constantFrom("Sell" as const, "Auction" as const),
    }),
    { nil: undefined },
  ),
  textsLength: fc.nat(),
  holders: fc.nat(),
  hasChangedHands: fc.boolean(),
  openSales: fc.nat(),
  openAuctions: fc.nat(),
  order: fc.nat(),
});

const restored = (item: UnitItem): UnitItem =>
  UNIT_ITEM.restore(JSON.parse(canonicalJson(UNIT_ITEM.stored?.(item) ?? "")), () =>
    JSON.parse(canonicalJson(UNIT_ITEM.table.longTexts?.json(item) ?? "")),
  );

test("an item that is stored and restored is the same, its shareholders and reserves in their order", () =>
  fc.assert(
    fc.property(items, (item) => {
      const again = restored(item);
      assert.deepEqual(again, item);
      assert.deepEqual(again.texts.read(), item.texts.read());
    }),
    { numRuns: 300 },
  ));

test("mrc402 §2.6: shareholders are kept in the order given, whatever their addresses", () => {
  const [example] = fc.sample(items, { numRuns: 1, seed: 1 }) as [UnitItem];
  const [a, b, c] = ["a", "B", "1"].map((letter) => addressAround(letter.repeat(30)));
  for (const order of [
    [a, b, c],
    [c, b, a],
    [b, a, c],
  ] as Address[][]) {
    const shareholders = order.map((address) => ({ address, rate: 50_000n as Rate }));
    assert.deepEqual(restored({ ...example, shareholders }).shareholders, shareholders);
  }
});

/** Of mrc402 §3 what does not follow from project, holdings and listings. */
const FIELDS = [
  ...["allow_token", "burnedamount", "category", "copyright_registrar"],
  ...["copyright_registration_country", "copyright_registration_number", "createdate", "creator"],
  ...["creatorcommission", "data", "decimal", "description", "expiredate", "groupid", "id"],
  ...["image_url", "information", "initialreserve", "item_image_url", "item_url"],
  ...["last_trade_amount", "last_trade_date", "last_trade_token", "last_trade_type"],
  ...["meltedamount", "melting_date", "meltint_fee", "mrc400", "name", "platform_address"],
  ...["platform_commission", "platform_name", "platform_url", "sell_fee", "shareholder"],
  ...["socialmedia", "totalsupply", "transferable", "url"],
];
const NUMBERS = ["createdate", "decimal", "expiredate", "last_trade_date", "melting_date"];
const OBJECTS = ["initialreserve", "shareholder", "socialmedia"];

test("mrc402 §3, chain §5: every field is always there, amounts as text and times as numbers, and counters are not committed to", () =>
  fc.assert(
    fc.property(items, (item) => {
      const json = UNIT_ITEM.json(item) as Record<string, unknown>;
      assert.deepEqual(Object.keys(json), FIELDS);
      for (const name of FIELDS) {
        const wanted = NUMBERS.includes(name)
          ? "number"
          : OBJECTS.includes(name)
            ? "object"
            : "string";
        assert.equal(typeof json[name], wanted, name);
      }
      assert.equal(UNIT_ITEM.prefix + UNIT_ITEM.id(item), `mrc402/${item.id}`);
      assert.equal(existingUnits(item), item.totalSupply - item.melted);
      const counted = { ...item, holders: 1, hasChangedHands: true, openSales: 2, openAuctions: 3 };
      assert.deepEqual(UNIT_ITEM.json(counted), json);
    }),
  ));

test("items are found by project and creator", () => {
  const { columns } = typeof UNIT_ITEM.table === "object" ? UNIT_ITEM.table : assert.fail();
  fc.assert(
    fc.property(items, (item) => {
      const { projectOrder, creator } = item;
      assert.deepEqual(
        Object.entries(columns).map(([name, { of }]) => [name, of(item)]),
        [
          ["project", projectOrder],
          ["creator", creator],
        ],
      );
    }),
  );
});
