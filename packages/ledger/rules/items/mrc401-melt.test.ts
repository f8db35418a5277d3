import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import { NO_ITEM, NOBODY } from "../../testing/trade/item-terms.ts";
import { ItemTrade } from "../../testing/trade/item-trade.ts";

const AMOUNT_MAX = 10n ** 40n;

let trade: ItemTrade;
let o: Address;
let a: Address;
let b: Address;
before(async () => {
  trade = await ItemTrade.open({ tokens: 9 });
  ({ o, a, b } = trade.cast);
  await trade.client.pay(o, 10_000n, { token: "2" });
});
after(() => trade[Symbol.dispose]());

for (const { reserve, fee, moved } of [
  { reserve: "1000", fee: "12.5", moved: "done: o +125, a +875" },
  { reserve: "7", fee: "10", moved: "done: a +7" },
  { reserve: "100", fee: "33.3333", moved: "done: o +33, a +67" },
  { reserve: "0", fee: "50", moved: "done" },
  { reserve: "1", fee: "99.9999", moved: "done: a +1" },
  { reserve: "100", fee: "0", moved: "done: a +100" },
]) {
  test(`mrc401 §18 row 62: A melts an item, reserve ${reserve}, melt_fee ${fee}: ${moved}; owner MELTED`, async () => {
    const x = await trade.x({ initial_reserve: reserve, melt_fee: fee, sell_fee: "50" });
    const item = trade.shown(x);
    trade.now += 3;
    const { outcome, effects } = await trade.melt(a, x);
    assert.equal(outcome, moved);
    const paid = effects.filter(({ type }) => /^receive_melt(fee)?$/.test(type));
    assert.equal(paid.length, moved.split("+").length - 1, "who receives nothing has no record");
    const melted = { owner: "MELTED", holder: "", melting_date: trade.now };
    assert.deepEqual(trade.shown(x), { ...item, ...melted });
  });
}

test("mrc401 §2.4: the reserve is in its own token, up to 10^40, and the fee exact", async () => {
  const { cast } = trade;
  await trade.client.pay(o, AMOUNT_MAX, { token: "1" });
  const terms = { initial_reserve: String(AMOUNT_MAX), initial_token: "1", melt_fee: "99.9999" };
  const x = await trade.x(terms);
  assert.equal(trade.client.held(o, "1"), "0");
  assert.equal(
    (await trade.melt(a, x)).outcome,
    `done: o +9999990000000000000000000000000000000000 of 1, a +${10n ** 34n} of 1`,
  );
  assert.equal(trade.shown(x).initial_reserve, String(AMOUNT_MAX));
  const partners = { initial_reserve: "500", melt_fee: "12.5" };
  const mine = await trade.item(cast.q, cast.p, partners);
  assert.equal((await trade.melt(cast.p, mine)).outcome, "403 7001");
  assert.equal((await trade.melt(o, mine)).outcome, "done: o +500");
});

test("mrc401 §8: a new melt_fee holds at once", async () => {
  const x = await trade.x({ initial_reserve: "1000", melt_fee: "12.5" });
  assert.equal((await trade.update(x, { melt_fee: "20" })).code, "done");
  assert.equal((await trade.melt(a, x)).outcome, "done: o +200, a +800");
});

test("mrc401 §2.3: then transfer, sell, auction, melt, update: 7110 each, by whomever", async () => {
  const x = await trade.x({ initial_reserve: "1000" });
  assert.equal((await trade.melt(a, x)).outcome, "done: a +1000");
  for (const by of [a, o, b]) {
    for (const act of [
      () => trade.transfer(by, x, trade.cast.d),
      () => trade.transfer(by, [x], trade.cast.d),
      () => trade.sell(by, x),
      () => trade.auction(by, x),
      () => trade.melt(by, x),
    ]) {
      assert.equal((await act()).outcome, "409 7110");
    }
  }
  assert.equal((await trade.update(x, { groupid: "g" })).outcome, "409 7110");
});

test("mrc401 §13: expiredate T+100: melt at T+99 7204, at T+100 paid; transfer before accepted", async () => {
  const expiredate = trade.now + 100;
  const x = await trade.x({ initial_reserve: "1000", melt_fee: "12.5", expiredate });
  trade.now = expiredate - 1;
  assert.equal((await trade.melt(a, x)).outcome, "409 7204");
  assert.equal((await trade.transfer(a, x, b)).outcome, "done");
  trade.now = expiredate;
  assert.equal((await trade.melt(b, x)).outcome, "done: o +125, b +875");
  trade.assertItem(x, { expiredate, melting_date: expiredate });
});

test("mrc401 §13: melt of X by B with B's key 7001, so by O and by roles; while on sale or on auction 7108", async () => {
  const { p, s, c } = trade.cast;
  for (const x of [await trade.x(), await trade.onSale(), await trade.onAuction()]) {
    for (const by of [b, o, p, s, c]) {
      assert.equal((await trade.melt(by, x)).outcome, "403 7001");
      assert.equal((await trade.melt(by, x, { address: "" })).outcome, "403 7001");
    }
  }
  for (const x of [await trade.onSale(), await trade.onAuction()]) {
    assert.equal((await trade.melt(a, x)).outcome, "409 7108");
  }
  const bidden = await trade.onAuction({}, { bids: [[b, "100"]] });
  assert.equal((await trade.melt(a, bidden)).outcome, "409 7108");
});

test("mrc401 §13: the order in which melt refuses", async () => {
  const expiredate = trade.now + 100;
  const terms = { expiredate };
  const [foreign, melted, idle] = [await trade.x(terms), await trade.x(), await trade.x(terms)];
  const [listed, good] = [await trade.onSale(terms), await trade.x()];
  assert.equal((await trade.transfer(a, foreign, b)).code, "done");
  assert.equal((await trade.melt(a, melted)).code, "done");
  await trade.mending("mrc401melt", a, [
    [{ mrc401id: NO_ITEM, address: "MTx" }, "400 3190 address"],
    [{ address: NOBODY }, "404 6004 mrc401id"],
    [{ mrc401id: foreign }, "404 3090 address"],
    [{ address: a }, "key"],
    [{}, "403 7001"],
    [{ mrc401id: melted }, "409 7110"],
    [{ mrc401id: listed }, "409 7108"],
    [{ mrc401id: idle }, "409 7204"],
    [{ mrc401id: good }, "done"],
  ]);
});

// biome-ignore format: a line for each case
for (const { what, id } of [
  { what: "a project's id", id: () => trade.cast.q },
  { what: "81 characters that no item has", id: () => NO_ITEM },
  { what: "an item number that its project has not", id: () => `${trade.cast.q}_${"0".repeat(40)}` },
  { what: "an id of MRC402", id: () => `MRC402_${"0".repeat(33)}` },
  { what: "80 characters", id: () => NO_ITEM.slice(1) },
  { what: "text", id: () => "😀" },
]) {
  test(`conventions §3: transfer, buy, melt, bid and auctionfinish of ${what}: 404 6004`, async () => {
    const params = { mrc401id: id() };
    const more = { toAddr: NOBODY, amount: "1" };
    for (const word of ["transfer", "buy", "melt", "bid"] as const) {
      const answer = await trade.send(`mrc401${word}`, a, { ...params, ...more });
      assert.equal(answer.summary, "404 6004 mrc401id", word);
    }
    assert.equal((await trade.finish(id())).summary, "404 6004 mrc401id");
  });
}
