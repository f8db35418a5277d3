import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import type { Element } from "../../testing/trade/creations.ts";
import { ItemTrade } from "../../testing/trade/item-trade.ts";

const AMOUNT_MAX = 10n ** 40n;

let trade: ItemTrade;
let a: Address;
let b: Address;
let d: Address;
before(async () => {
  trade = await ItemTrade.open({ tokens: 9 });
  ({ a, b, d } = trade.cast);
});
after(() => trade[Symbol.dispose]());

test("mrc401 §18 row 40: A sells X for 300: on sale; again: 7108", async () => {
  const x = await trade.x();
  const item = trade.shown(x);
  assert.equal((await trade.sell(a, x)).outcome, "done");
  const sale = { sell_date: trade.now, sell_price: "300", sell_token: "0", listing_fee: "10" };
  assert.deepEqual(trade.shown(x), { ...item, ...sale });
  assert.equal((await trade.sell(a, x, { price: "301" })).outcome, "409 7108");
});

for (const { terms, answer, price } of [
  { terms: { price: "0" }, answer: "400 1101 itemdata[0].price" },
  { terms: { amount: "300" }, answer: "done", price: "300" },
  { terms: { price: "300", amount: "300" }, answer: "done", price: "300" },
  { terms: { price: "300", amount: "301" }, answer: "400 1005 itemdata[0].price" },
  { terms: { price: 300, token: 0 }, answer: "done", price: "300" },
  { terms: { price: String(AMOUNT_MAX) }, answer: "done", price: String(AMOUNT_MAX) },
  { terms: { price: String(AMOUNT_MAX + 1n) }, answer: "400 1101 itemdata[0].price" },
  { terms: { price: "01" }, answer: "400 1101 itemdata[0].price" },
  { terms: { price: "-1" }, answer: "400 1101 itemdata[0].price" },
  { terms: { price: "1.0" }, answer: "400 1101 itemdata[0].price" },
  { terms: {}, answer: "400 1000 itemdata[0].price" },
  { terms: { price: "" }, answer: "400 1000 itemdata[0].price" },
  { terms: { price: "1", token: "" }, answer: "400 1000 itemdata[0].token" },
  { terms: { price: "1", token: "x" }, answer: "400 1101 itemdata[0].token" },
  { terms: { price: "1", token: "10" }, answer: "404 4001 itemdata[0].token" },
  { terms: { price: "1", token: "9", more: ["ignored"] }, answer: "done", price: "1" },
] as readonly { terms: Element; answer: string; price?: string }[]) {
  test(`mrc401 §18 row 40: sell for ${JSON.stringify(terms)}: ${answer}`, async () => {
    const x = await trade.x();
    const itemdata = [{ id: x, token: "0", ...terms }];
    assert.equal((await trade.send("mrc401sell", a, { itemdata })).said, answer);
    trade.assertItem(x, { sell_price: price ?? "0" });
  });
}

test("mrc401 §18 row 57: sell_fee 10 while X is on sale at 300, O sets 50, B buys: O +30; B relists at 300, D buys: O +150", async () => {
  const x = await trade.onSale();
  assert.equal((await trade.update(x, { sell_fee: "50" })).code, "done");
  trade.assertItem(x, { sell_fee: "50", listing_fee: "10" });
  assert.equal((await trade.buy(b, x)).outcome, "done: o +30, a +270, b -300");
  trade.assertItem(x, { sell_fee: "50", listing_fee: "0" });
  assert.equal((await trade.sell(b, x)).code, "done");
  trade.assertItem(x, { listing_fee: "50" });
  assert.equal((await trade.buy(d, x)).outcome, "done: o +150, b +150, d -300");
});
