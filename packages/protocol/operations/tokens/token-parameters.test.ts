import assert from "node:assert/strict";
import { test } from "node:test";
import { read as readDescription } from "../../description/operation.ts";
import { optional, type Parameter } from "../../description/parameter.ts";
import { amount } from "../../description/parameters/amounts.ts";
import { auctionDate } from "../../description/parameters/dates.ts";
import { decimalPlaces } from "../../description/parameters/integers.ts";
import { ignored, text } from "../../description/parameters/texts.ts";
import { tokenImage, url } from "../../description/parameters/urls.ts";
import { wordOrFirst } from "../../description/parameters/words.ts";
import { type RawValue, shown } from "../../description/raw-parameters.ts";
import { ALICE, accepted, answerTo, BOB, CAROL, KEY, type Sent } from "../../testing/requests.ts";
import { mrc010Auction } from "./mrc010-auction.ts";
import { mrc010Reqsell } from "./mrc010-reqsell.ts";
import { mrc010Sell } from "./mrc010-sell.ts";
import { tokenSave } from "./token-save.ts";

/** What a parameter `p` is read as on admission, or the code that refuses it. */
function read(parameter: Parameter<unknown>, sent: RawValue | undefined): unknown {
  const sample = readDescription({
    name: "sample",
    route: "GET /sample",
    about: "Stands for what takes the parameter.",
    parameters: { p: parameter },
    cache: "never",
    result: { kind: "text", about: "", example: "" },
  });
  const answer = answerTo(sample, { p: sent });
  return answer === "accepted" ? accepted(sample, { p: sent }).values["p"] : answer;
}

const number = (source: string): RawValue => ({ kind: "number", source });
const named = (sent: RawValue | undefined): string => {
  const name = sent === undefined ? "nothing" : JSON.stringify(shown(sent));
  return name.length > 80 ? `${name.slice(0, 80)}… (${name.length - 2})` : name;
};

for (const { sent, value } of [
  { sent: undefined, value: 0 },
  { sent: "", value: 0 },
  { sent: "0", value: 0 },
  { sent: "18", value: 18 },
  { sent: number("8"), value: 8 },
  { sent: "19", value: "1004 p" },
  { sent: `1${"0".repeat(40)}`, value: "1004 p" },
  { sent: number("19"), value: "1004 p" },
  ...["x", "-1", "+1", "01", "1.0", "1e1", " 1", number("1.5"), number("-1")].map((wrong) => ({
    sent: wrong,
    value: "1003 p",
  })),
  { sent: { kind: "boolean", value: true } as const, value: "1003 p" },
]) {
  test(`tokens §3: decimal ${named(sent)}: ${value}`, () =>
    assert.equal(read(optional(decimalPlaces(), 0), sent), value));
}

const LONG_DATA = `data:image/png;base64,${"A".repeat(1_048_576 - 22)}`;
const LONG_URL = `ipfs://${"x".repeat(255 - 7)}`;

for (const { sent, answer } of [
  { sent: "DATA:Image/png,x", answer: "taken" },
  { sent: LONG_DATA, answer: "taken" },
  { sent: LONG_URL, answer: "taken" },
  { sent: `${LONG_DATA}A`, answer: "3005 p" },
  { sent: `${LONG_URL}x`, answer: "3005 p" },
  { sent: `https://example.com/${"x".repeat(300)}`, answer: "3005 p" },
  { sent: "data:text/html,<script>alert(1)</script>", answer: "3005 p" },
  { sent: "data:,x", answer: "3005 p" },
  { sent: "data:image", answer: "3005 p" },
  { sent: "data:imagex/png,x", answer: "3005 p" },
  { sent: "data:image/png,a|b", answer: "3005 p" },
  { sent: "data:image/svg+xml,<svg fill='#f00'/>", answer: "3005 p" },
  { sent: "DATA:Image/png;base64,AA==#", answer: "3005 p" },
  { sent: "https://example.com/a|b", answer: "3005 p" },
  { sent: "https://example.com/é.png", answer: "3005 p" },
  { sent: "data:image/svg+xml,<text>é</text>", answer: "3005 p" },
  { sent: "https://example.com/a\tb", answer: "3005 p" },
  { sent: "https://example.com/\n", answer: "3005 p" },
  { sent: "//example.com/a.png", answer: "3005 p" },
  // The WHATWG parser drops the blank: the rest is a data URL and no image.
  { sent: " data:text/html,<script>alert(1)</script>", answer: "3005 p" },
]) {
  test(`tokens §3: image ${named(sent)}: ${answer}`, () =>
    assert.equal(read(tokenImage(), sent), answer === "taken" ? sent : answer));
}

test("tokens §3, §6: an image may be left out where it is optional, and is missed where it is not", () => {
  assert.equal(read(optional(tokenImage(), ""), undefined), "");
  assert.equal(read(optional(tokenImage(), ""), ""), "");
  assert.equal(read(tokenImage(), ""), "1000 p");
});

test("chain §6.4: whether an image is a URL is asked on admission only", () => {
  assert.equal(tokenImage().read("x", "p"), "x");
  assert.notEqual(tokenImage().admit?.("x", "p", "x"), undefined);
});

for (const { sent, value } of [
  { sent: undefined, value: "1" },
  { sent: "", value: "1" },
  { sent: "1", value: "1" },
  { sent: "100", value: "100" },
  { sent: number("10"), value: "10" },
  ...["5", "01", "0", " 1", "1.0", number("1.5")].map((wrong) => ({
    sent: wrong,
    value: "refused",
  })),
]) {
  test(`tokens §8: min_trade_unit ${named(sent)}: ${value}`, () => {
    const answer = read(wordOrFirst("1", "10", "100"), sent);
    // A number that no text can be made of is no text before it is no word.
    assert.equal(/^(3005|1006) p$/.test(String(answer)) ? "refused" : answer, value);
  });
}

for (const { what, parameter, sent, value } of [
  { what: "text", parameter: text({ withoutBar: true }), sent: "a|b", value: "3005 p" },
  { what: "text", parameter: text({ withoutBar: true, max: 9 }), sent: "|", value: "3005 p" },
  { what: "text", parameter: text({ withoutBar: true, max: 9 }), sent: "a¦b", value: "a¦b" },
  { what: "text that may hold one", parameter: text({ max: 9 }), sent: "a|b", value: "a|b" },
  {
    what: "a URL",
    parameter: url({ use: "page", max: 255, withoutBar: true }),
    sent: "https://x/?a|b",
    value: "3005 p",
  },
  {
    what: "a URL that may hold one",
    parameter: url({ use: "page", max: 255 }),
    sent: "https://x/?a|b",
    value: "https://x/?a|b",
  },
]) {
  test(`conventions §4.1: | in ${what}: ${value}`, () =>
    assert.equal(read(parameter, sent), value));
}

for (const { sent, value } of [
  { sent: undefined, value: 0n },
  { sent: "0", value: 0n },
  { sent: "1767225600", value: 1767225600n },
  { sent: number("1767225600"), value: 1767225600n },
  // Whether it lies in bounds depends on the ledger time.
  { sent: `1${"0".repeat(40)}`, value: 10n ** 40n },
  ...["x", "-1", "01", "1.0", "1e9", `1${"0".repeat(39)}1`, number("1.5")].map((wrong) => ({
    sent: wrong,
    value: "1101 p",
  })),
  { sent: { kind: "json", text: "[]" } as const, value: "1101 p" },
]) {
  test(`tokens §12: auction date ${named(sent)}: ${value}`, () =>
    assert.equal(read(optional(auctionDate("is now"), 0n), sent), value));
}

for (const { sent, value } of [
  { sent: "0", value: "1107 p" },
  { sent: number("0"), value: "1107 p" },
  { sent: "1", value: 1n },
  { sent: `1${"0".repeat(40)}`, value: 10n ** 40n },
  ...["00", "-0", "0.0", "+0", "0e0", " 0", "x"].map((wrong) => ({ sent: wrong, value: "1101 p" })),
]) {
  test(`tokens §9: an amount of which 0 has a code of its own: ${named(sent)}: ${value}`, () =>
    assert.equal(read(amount({ min: 1n, zero: "1107" }), sent), value));
}

test("tokens §3: what is ignored may be anything", () => {
  for (const sent of [
    ...[undefined, "", "x", "|", "\u0000", number("1e400")],
    ...[
      { kind: "boolean", value: true },
      { kind: "json", text: '{"a":null}' },
    ],
  ] as (RawValue | undefined)[]) {
    assert.doesNotMatch(String(read(ignored(), sent)), /^[0-9]{4} p$/, named(sent));
  }
});

const SAVE = { owner: ALICE, symbol: "GLD", name: "Gold", Temporarykey: KEY, signature: "s" };
const reserve = (...entries: readonly object[]): string => JSON.stringify(entries);

for (const { sent, answer } of [
  {
    sent: {
      totalsupply: "1000",
      reserve: reserve({ address: BOB, value: "400" }, { address: CAROL, value: "601" }),
    },
    answer: "1103 reserve",
  },
  {
    sent: {
      totalsupply: "1000",
      reserve: reserve({ address: BOB, value: "400" }),
      reservedamount: "600",
    },
    answer: "accepted",
  },
  {
    sent: {
      totalsupply: "1000",
      reserve: reserve({ address: BOB, value: "400" }),
      reservedamount: "601",
    },
    answer: "1103 reservedamount",
  },
  {
    sent: {
      totalsupply: "1000",
      reserve: reserve({ address: ALICE, value: "400" }),
      reservedamount: "1000",
    },
    answer: "accepted",
  },
  { sent: { reservedamount: "1" }, answer: "1103 reservedamount" },
  { sent: {}, answer: "accepted" },
  { sent: { totalsupply: `1${"0".repeat(40)}` }, answer: "accepted" },
  ...["1e3", "01", "10.0", "-1", `1${"0".repeat(39)}1`].map((totalsupply) => ({
    sent: { totalsupply },
    answer: "1101 totalsupply",
  })),
  { sent: { name: "a|b" }, answer: "3005 name" },
  { sent: { symbol: "a|b" }, answer: "3005 symbol" },
  { sent: { token: "a|b" }, answer: "3005 token" },
] as const) {
  test(`tokens §3: save with ${JSON.stringify(sent).slice(0, 120)}: ${answer}`, () =>
    assert.equal(answerTo(tokenSave, { ...SAVE, ...sent }), answer));
}

const MOST = `1${"0".repeat(40)}`;

for (const { entry, answer } of [
  { entry: { unlockdate: 2147483647 }, answer: "accepted" },
  { entry: { unlockdate: "2147483647" }, answer: "accepted" },
  { entry: { address: "MTx" }, answer: "3190 reserve[1].address" },
  { entry: { address: "" }, answer: "1000 reserve[1].address" },
  { entry: { value: undefined }, answer: "1000 reserve[1].value" },
  { entry: { value: "0" }, answer: "1101 reserve[1].value" },
  { entry: { value: `${MOST}0` }, answer: "1101 reserve[1].value" },
  { entry: { unlockdate: 2147483648 }, answer: "1102 reserve[1].unlockdate" },
]) {
  test(`tokens §3: a reserve entry with ${JSON.stringify(entry)}: ${answer}`, () => {
    const good = { address: BOB, value: "1" };
    const sent = { totalsupply: MOST, reserve: reserve(good, { ...good, ...entry }) };
    assert.equal(answerTo(tokenSave, { ...SAVE, ...sent }), answer);
  });
}

for (const [sent, answer] of [
  [{ tier: "[]", reserve: " [ ] " }, "accepted"],
  [{ tier: `[${"{},".repeat(20)}{}]` }, "1007 tier"],
  [{ tier: `[{"a":${"[".repeat(7)}${"]".repeat(7)}}]` }, "1007 tier"],
  [{ url: "ipfs://x" }, "3005 url"],
  [{ url: "https://gold.example/".padEnd(256, "x") }, "3005 url"],
] as const) {
  test(`tokens §3: save with ${JSON.stringify(sent).slice(0, 60)}: ${answer}`, () =>
    assert.equal(answerTo(tokenSave, { ...SAVE, ...sent }), answer));
}

const OFFER = {
  ...{ mrc010id: "7", address: ALICE, amount: "1000", token: "0", price: "3" },
  ...{ tkey: KEY, signature: "s" },
};

for (const { operation, sent, answer } of [
  ...["10", "0"].map((rate) => ({
    operation: mrc010Sell,
    sent: { platform_commission: rate },
    answer: "accepted",
  })),
  ...["10.01", "2.555", "-1", "x", "1e0", "+1", "1,5", " 1"].map((rate) => ({
    operation: mrc010Sell,
    sent: { platform_commission: rate },
    answer: "3005 platform_commission",
  })),
  {
    operation: mrc010Sell,
    sent: { amount: "15", min_trade_unit: "10" },
    answer: "3005 amount",
  },
  {
    operation: mrc010Sell,
    sent: { min_trade_unit: "100000000", amount: "10" },
    answer: "3005 amount",
  },
  ...[mrc010Sell, mrc010Reqsell].map((operation) => ({
    operation,
    sent: { token: "7" },
    answer: "3005 token",
  })),
  { operation: mrc010Sell, sent: { mrc010id: "0" }, answer: "3005 token" },
  { operation: mrc010Sell, sent: { amount: MOST, price: "2" }, answer: "1101 price" },
  { operation: mrc010Sell, sent: { amount: MOST, price: "1" }, answer: "accepted" },
  {
    operation: mrc010Sell,
    sent: { amount: MOST, price: "100000000", min_trade_unit: "100000000" },
    answer: "accepted",
  },
  {
    operation: mrc010Sell,
    sent: { amount: MOST, price: "100000001", min_trade_unit: "100000000" },
    answer: "1101 price",
  },
  { operation: mrc010Reqsell, sent: { amount: MOST, price: "2" }, answer: "1101 price" },
  {
    operation: mrc010Reqsell,
    sent: { amount: MOST, price: "1", platform_commission: "1", platform_address: BOB },
    answer: "1101 price",
  },
  {
    operation: mrc010Reqsell,
    sent: { amount: MOST, price: "1", platform_commission: "1" },
    answer: "accepted",
  },
  {
    operation: mrc010Sell,
    sent: { platform_address: "MT" },
    answer: "3190 platform_address",
  },
] as const) {
  test(`tokens §9: ${operation.name} with ${JSON.stringify(sent)}: ${answer}`, () =>
    assert.equal(answerTo(operation, { ...OFFER, ...sent }), answer));
}

/** Parameters, and what the table has as the default of each. */
const DEFAULTS = [
  {
    operation: tokenSave,
    sent: SAVE,
    defaults: {
      totalsupply: "0",
      decimal: "0",
      reservedamount: "0",
      reserve: "[]",
      tier: "[]",
      type: "010",
    },
  },
  ...[mrc010Sell, mrc010Reqsell].map((operation) => ({
    operation,
    sent: OFFER,
    defaults: { min_trade_unit: "1", platform_commission: "0" },
  })),
  {
    operation: mrc010Auction,
    sent: { ...OFFER, auction_start_price: "100" },
    defaults: {
      auction_bidding_unit: "1",
      auction_buynow_price: "0",
      auction_start_date: "0",
      auction_end_date: "0",
      platform_commission: "0",
    },
  },
] as readonly { operation: typeof mrc010Sell; sent: Sent; defaults: Record<string, string> }[];

for (const { operation, sent, defaults } of DEFAULTS) {
  for (const [name, text] of Object.entries(defaults)) {
    test(`accounts §7.4: ${operation.name} with ${name}=${text} is the same request as without it`, () =>
      assert.deepEqual(
        accepted(operation, { ...sent, [name]: text }).values,
        accepted(operation, sent).values,
      ));
  }
}
