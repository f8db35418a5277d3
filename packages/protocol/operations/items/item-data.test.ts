import assert from "node:assert/strict";
import { test } from "node:test";
import { accepted, answerTo, KEY } from "../../testing/requests.ts";
import { itemNumberOf, transferableOf } from "./item-data.ts";
import { mrc401Auction } from "./mrc401-auction.ts";
import { mrc401Create } from "./mrc401-create.ts";
import { mrc401Sell } from "./mrc401-sell.ts";
import { mrc401Update } from "./mrc401-update.ts";

const PROJECT = "MRC400_c7735425f08d740230c98da57e9977dfc";
const OTHER = `MRC400_${"0".repeat(33)}`;
const NUMBER = "0000000000000000000000000000000000000001";
const ID = `${PROJECT}_${NUMBER}`;

const OPERATIONS = {
  create: mrc401Create,
  update: mrc401Update,
  sell: mrc401Sell,
  auction: mrc401Auction,
};
type Word = keyof typeof OPERATIONS;

const sent = (word: Word, itemdata: string) => ({
  ...(word === "sell" || word === "auction" ? {} : { mrc400id: PROJECT }),
  itemdata,
  tkey: KEY,
  signature: "MEQ=",
});
const answer = (word: Word, ...elements: readonly object[]): string =>
  answerTo(OPERATIONS[word], sent(word, JSON.stringify(elements)));
/** The element with its defaults. */
const summaryOf = (word: Word, element: object): Readonly<Record<string, unknown>> => {
  const { values } = accepted(OPERATIONS[word], sent(word, JSON.stringify([element])));
  return (values["itemdata"] as { readonly entries: readonly Record<string, unknown>[] })
    .entries[0] as Readonly<Record<string, unknown>>;
};

for (const { itemdata, wanted } of [
  { itemdata: JSON.stringify(Array(100).fill({})), wanted: "accepted" },
  { itemdata: JSON.stringify(Array(101).fill({})), wanted: "3002" },
  { itemdata: "[]", wanted: "3002" },
  { itemdata: "{}", wanted: "1007" },
  { itemdata: "[1]", wanted: "1007" },
  { itemdata: '[{"groupid":"a","groupid":"a"}]', wanted: "1007" },
  { itemdata: "", wanted: "1000" },
]) {
  test(`mrc401 §7: itemdata ${itemdata.slice(0, 40) || "absent"} (${itemdata.length}): ${wanted}`, () =>
    assert.equal(answerTo(mrc401Create, sent("create", itemdata)).split(" ")[0], wanted));
}

/** Cases of one element, by the section that settles it. */
const CASES: readonly (readonly [section: string, word: Word, element: object, wanted: string])[] =
  [
    ["§7", "create", { item_id: NUMBER }, "accepted"],
    ["§7", "create", { item_id: NUMBER.slice(1) }, "3005 item_id"],
    ["§7", "create", { item_id: `-${NUMBER.slice(1)}` }, "3005 item_id"],
    ["§7", "create", { item_id: `${NUMBER}0` }, "3005 item_id"],
    ["§7", "create", { item_id: `é${NUMBER.slice(1)}` }, "3005 item_id"],
    ["§7", "create", { id: `${PROJECT}_-${NUMBER.slice(1)}` }, "3005 id"],
    ["§7", "create", { id: `${OTHER}_${NUMBER}` }, "3005 id"],
    ["§7", "create", { id: ID }, "accepted"],
    ["§7", "create", { id: NUMBER }, "3005 id"],
    ["§7", "create", { id: ID, item_id: NUMBER }, "accepted"],
    ["§7", "create", { id: ID, item_id: NUMBER.replace("1", "2") }, "1005 item_id"],
    ["§7", "create", { sell_fee: "99.9999" }, "accepted"],
    ["§7", "create", { sell_fee: "100" }, "3005 sell_fee"],
    ["§7", "create", { sell_fee: "1.00001" }, "3005 sell_fee"],
    ["§7", "create", { sell_fee: "-1" }, "3005 sell_fee"],
    ["§7", "create", { sell_fee: 2.5 }, "1007 sell_fee"],
    ["§7", "create", { melt_fee: "100" }, "3005 melt_fee"],
    ["§7", "create", { melt_fee: "5", melting_fee: "5" }, "accepted"],
    ["§7", "create", { melt_fee: "5", melting_fee: "6" }, "1005 melt_fee"],
    ["§7", "create", { meltint_fee: "5", melting_fee: "6" }, "1005 melt_fee"],
    ["§7", "create", { expiredate: "1000", melting_date: "1001" }, "1005 expiredate"],
    ["§7", "create", { transferable: 1 }, "1007 transferable"],
    ["§7", "create", { transferable: "Temprary" }, "accepted"],
    ["§7", "create", { transferable: "temporary" }, "3005 transferable"],
    ["§7", "create", { sell_price: "5", auction_start_price: "5" }, "3005 auction_start_price"],
    ["§7", "create", { sell_price: "5", auction_start_price: "0" }, "accepted"],
    ["§7", "create", { sell_price: "0", auction_start_price: "0" }, "accepted"],
    ["§7", "create", { groupid: "𝄞".repeat(64) }, "accepted"],
    ["§7", "create", { groupid: "g".repeat(65) }, "3005 groupid"],
    ["§7", "create", { groupid: "a\u0000" }, "1006 groupid"],
    ["§7", "create", { groupid: 5 }, "1007 groupid"],
    ["§7", "create", { groupid: null }, "1007 groupid"],
    ["§7", "create", { item_url: "https://a.example/{id}" }, "accepted"],
    ["§7", "create", { item_url: "ipfs://a/1" }, "accepted"],
    ["§7", "create", { item_url: "ar://a/1" }, "accepted"],
    ["§7", "create", { item_url: "data:,a" }, "3005 item_url"],
    ["§7", "create", { item_url: `https://a.example/${"a".repeat(237)}` }, "accepted"],
    ["§7", "create", { item_url: `https://a.example/${"a".repeat(238)}` }, "3005 item_url"],
    ["§7", "create", { item_image_url: "ipfs://a/1" }, "accepted"],
    ["§7", "create", { item_image_url: "ar://a/1" }, "accepted"],
    ["§7", "create", { item_image_url: "data:image/png;base64,AA==" }, "accepted"],
    ["§7", "create", { item_image_url: "ftp://a/1" }, "3005 item_image_url"],
    ["§1.4", "create", { initial_reserve: 400, sell_price: 300, expiredate: 5 }, "accepted"],
    ["§1.4", "create", { initial_reserve: 1.5 }, "1101 initial_reserve"],
    ["§1.4", "create", { initial_reserve: true }, "1007 initial_reserve"],
    ["§1.4", "create", { initial_reserve: [] }, "1007 initial_reserve"],
    ["§7", "create", { initial_reserve: String(10n ** 40n) }, "accepted"],
    ["§7", "create", { initial_reserve: String(10n ** 40n + 1n) }, "1101 initial_reserve"],
    ["§7", "create", { initial_token: "01" }, "1101 initial_token"],
    ["§7", "create", { expiredate: "253402300799" }, "accepted"],
    ["§7", "create", { expiredate: "253402300800" }, "1102 expiredate"],
    ["§7", "create", { melting_date: "253402300800" }, "1102 expiredate"],
    ["§7", "create", { auction_start_price: "5", auction_end: "x" }, "1102 auction_end"],
    ["§7", "create", { auction_end: "x" }, "1102 auction_end"],
    ["§7", "create", { auction_bidding_unit: "0" }, "1101 auction_bidding_unit"],
    ["§14", "create", { auction_start_price: "5", auction_buynow_price: "6" }, "accepted"],
    [
      "§14",
      "create",
      { auction_start_price: "5", auction_buynow_price: "5" },
      "3005 auction_buynow_price",
    ],
    ["§7", "create", { auction_buynow_price: "5" }, "accepted"],
    ["§1.4", "create", { colour: { red: [1, null] } }, "accepted"],
    ["§8", "update", {}, "1000 item_id"],
    ["§8", "update", { item_id: "", groupid: "a" }, "1000 item_id"],
    ["§8", "update", { item_id: NUMBER }, "accepted"],
    ["§8", "update", { id: ID, item_url: "", groupid: "", sell_fee: "" }, "accepted"],
    ["§8", "update", { id: `${OTHER}_${NUMBER}` }, "3005 id"],
    ["§8", "update", { id: ID, item_url: "x" }, "3005 item_url"],
    ["§8", "update", { id: ID, transferable: "temporary" }, "3005 transferable"],
    ["§8", "update", { id: ID, initial_reserve: "x", sell_price: [] }, "accepted"],
    ["§10", "sell", { id: ID, price: "0", token: "0" }, "1101 price"],
    ["§10", "sell", { id: ID, price: String(10n ** 40n + 1n), token: "0" }, "1101 price"],
    ["§10", "sell", { id: ID, price: "", token: "0" }, "1000 price"],
    ["§10", "sell", { id: ID, price: "1", token: "x" }, "1101 token"],
    ["§10", "sell", { id: ID, amount: "300", token: "0" }, "accepted"],
    ["§10", "sell", { id: ID, price: "300", amount: "301", token: "0" }, "1005 price"],
    ["§10", "sell", { id: ID, price: "300" }, "1000 token"],
    ["§10", "sell", { price: "300", token: "0" }, "1000 id"],
    ["§10", "sell", { id: 5, price: "300", token: "0" }, "1007 id"],
    // Whether there is such an item is asked later.
    ["§1.6", "sell", { id: "x", price: "300", token: "0" }, "accepted"],
    ["§14", "auction", { id: ID, start: "100", token: "0", buynow: "100" }, "3005 buynow"],
    ["§14", "auction", { id: ID, start: "100", token: "0", bnynow: "99" }, "3005 buynow"],
    ["§14", "auction", { id: ID, start: "100", token: "0", bnynow: "101" }, "accepted"],
    ["§14", "auction", { id: ID, start: "0", token: "0" }, "1101 start"],
    ["§14", "auction", { id: ID, start: "100", token: "0", bidding: "0" }, "1101 bidding"],
    ["§14", "auction", { id: ID, start: "100", token: "0", end: "x" }, "1102 end"],
    ["§14", "auction", { id: ID, start: "100", token: "0", end: "-1" }, "1102 end"],
    ["§14", "auction", { id: ID, start: "100", token: "0", buynow: "x" }, "1101 buynow"],
    ["§14", "auction", { id: ID, start: "1", token: "0", buynow: "2", bnynow: "3" }, "1005 buynow"],
    ["§14", "auction", { id: ID, start: String(10n ** 40n + 1n), token: "0" }, "1101 start"],
    ["§14", "auction", { id: ID, start: "", token: "0" }, "1000 start"],
    ["§14", "auction", { id: ID, start: "1", token: "" }, "1000 token"],
    ["§14", "auction", { id: "", start: "1", token: "0" }, "1000 id"],
    ["§14", "auction", { id: ID, start: 100, token: 0, bidding: 5, end: 1767312000 }, "accepted"],
    ["§14", "auction", { id: ID, start: "100", token: "0", buynow: "0" }, "accepted"],
  ];

for (const [section, word, element, wanted] of CASES) {
  const shown = JSON.stringify(element);
  const short = shown.length > 90 ? `${shown.slice(0, 80)}… (${shown.length})` : shown;
  test(`mrc401 ${section}: ${word} ${short}: ${wanted}`, () => {
    const [code, key] = wanted.split(" ");
    const blamed = key === undefined ? wanted : `${code} itemdata[0].${key}`;
    assert.equal(answer(word, element), blamed);
  });
}

for (const { word, elements, wanted } of [
  { word: "create", elements: [{ item_id: NUMBER }, {}, { item_id: NUMBER }], at: 2 },
  { word: "create", elements: [{ item_id: NUMBER }, { id: ID }], at: 1 },
  { word: "update", elements: [{ item_id: NUMBER }, { id: ID, groupid: "a" }], at: 1 },
  {
    word: "sell",
    elements: [
      { id: ID, price: "1", token: "0" },
      { id: ID, price: "2", token: "7" },
    ],
    at: 1,
  },
].map((one) => ({ ...one, word: one.word as Word, wanted: `3004 itemdata[${one.at}]` }))) {
  test(`mrc401 §1.1: ${word}: one item in two of ${elements.length} elements: ${wanted}`, () =>
    assert.equal(answer(word, ...elements), wanted));
}

test("mrc401 §7: elements without a number are no two of the same", () =>
  assert.equal(answer("create", {}, {}), "accepted"));

test("mrc401 §7: the reserves of one token together are at most 10^40", () => {
  const [half, more] = [5n * 10n ** 39n, 5n * 10n ** 39n + 1n].map(String);
  const of = (initial_reserve: unknown, initial_token?: string): object => ({
    initial_reserve,
    ...(initial_token && { initial_token }),
  });
  assert.equal(answer("create", of(half), of(half, "0")), "accepted");
  assert.match(answer("create", of(half), of(half, "7"), of(more, "0")), /^1101/);
  assert.equal(answer("create", of(half, "7"), of(more)), "accepted");
});

test("mrc401 §1.1: the first element with a fault answers, and is named", () => {
  const fault = { groupid: "g".repeat(65) };
  assert.equal(answer("create", {}, fault, { sell_fee: "100" }), "3005 itemdata[1].groupid");
});

test("mrc401 §7: absent keys have their defaults", () => {
  const { item_url, groupid, initial_reserve, sell_fee, melt_fee, expiredate, sell_price } =
    summaryOf("create", {});
  assert.deepEqual(
    [item_url, groupid, initial_reserve, sell_fee, melt_fee, expiredate, sell_price],
    ["", "", 0n, 0n, 0n, 0, 0n],
  );
});

test("mrc401 §8: in an update an empty key clears a member, and an absent one does not", () => {
  const kept = summaryOf("update", { id: ID });
  const cleared = summaryOf("update", { id: ID, item_url: "", item_image_url: "", groupid: "" });
  for (const key of ["item_url", "item_image_url", "groupid"]) {
    assert.deepEqual([kept[key], cleared[key]], [undefined, ""], key);
  }
  const empty = summaryOf("update", { id: ID, sell_fee: "", melt_fee: "", transferable: "" });
  const { sell_fee, melt_fee, transferable } = empty;
  assert.deepEqual([sell_fee, melt_fee, transferable], [undefined, undefined, ""]);
});

for (const { element, number } of [
  { element: { item_id: NUMBER, id: "" }, number: NUMBER },
  { element: { item_id: "", id: ID }, number: NUMBER },
  { element: { item_id: "", id: "" }, number: undefined },
]) {
  test(`the number of ${JSON.stringify(element)} is ${number}`, () =>
    assert.equal(itemNumberOf(element), number));
}

for (const { given, shown } of [
  { given: "", shown: undefined },
  { given: "Permanent", shown: "Permanent" },
  { given: "Bound", shown: "Bound" },
  { given: "Temporary", shown: "Temporary" },
  { given: "Temprary", shown: "Temporary" },
]) {
  test(`mrc401 §7: transferable ${given || "absent"} is ${shown}`, () =>
    assert.equal(transferableOf(given), shown));
}
