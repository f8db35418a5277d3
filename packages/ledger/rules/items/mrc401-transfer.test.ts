import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import { createProject } from "../../testing/trade/creations.ts";
import { NO_ITEM, NOBODY, NOBODY_ELSE } from "../../testing/trade/item-terms.ts";
import { ItemTrade } from "../../testing/trade/item-trade.ts";

let trade: ItemTrade;
let o: Address;
let a: Address;
let b: Address;
let d: Address;
before(async () => {
  trade = await ItemTrade.open({ tokens: 9 });
  ({ o, a, b, d } = trade.cast);
});
after(() => trade[Symbol.dispose]());

test("mrc401 §9: A transfers X to B: owner B, all else as it was, last_trade_* too", async () => {
  const x = await trade.onSale({ melt_fee: "5", initial_reserve: "40", expiredate: "99" });
  assert.equal((await trade.buy(b, x)).code, "done");
  const item = trade.shown(x);
  trade.now += 10;
  assert.equal((await trade.transfer(b, x, a)).outcome, "done");
  assert.deepEqual(trade.shown(x), { ...item, owner: a, holder: a });
  assert.equal((await trade.transfer(a, x, b)).outcome, "done");
  assert.deepEqual(trade.shown(x), item);
});

test("mrc401 §9: B transfers X of A: 403 7001; so do O, P, S and C, who have no right by role", async () => {
  const x = await trade.x();
  const { p, s, c, d } = trade.cast;
  for (const by of [b, o, p, s, c]) {
    assert.equal((await trade.transfer(by, x, d)).outcome, "403 7001");
  }
});

test("mrc401 §9: O transfers F1 to A: owner A, no longer fresh, also when it comes back; P, S and C may not", async () => {
  const f1 = await trade.fresh();
  trade.assertItem(f1, { owner: "", holder: o });
  const { p, s, c } = trade.cast;
  for (const by of [p, s, c]) {
    assert.equal((await trade.transfer(by, f1, a)).outcome, "403 7001");
  }
  assert.equal((await trade.transfer(o, f1, a)).outcome, "done");
  trade.assertItem(f1, { owner: a, holder: a });
  assert.equal((await trade.transfer(a, f1, o)).outcome, "done");
  trade.assertItem(f1, { owner: o, holder: o });
});

for (const by of ["a", "o"] as const) {
  // biome-ignore format: a line for each case
  for (const { what, answer, make } of [
    { what: "on sale", answer: "409 7108", make: (x: string) => trade.sell(trade.cast[by], x) },
    { what: "on auction", answer: "409 7108", make: (x: string) => trade.auction(trade.cast[by], x) },
    { what: "Bound", answer: "409 7109", make: (x: string) => trade.update(x, { transferable: "Bound" }) },
    { what: "melted", answer: "409 7110", make: (x: string) => trade.melt(trade.cast[by], x) },
  ]) {
    test(`mrc401 §2.3: ${by.toUpperCase()} transfers its item that is ${what}: ${answer}`, async () => {
      const temporary = { transferable: "Temporary" };
      const x = by === "a" ? await trade.x(temporary) : await trade.fresh(temporary);
      assert.equal((await make(x)).code, "done");
      assert.equal((await trade.transfer(trade.cast[by], x, b)).outcome, answer);
    });
  }
}

test("mrc401 §2.3: an item that was created Bound: O cannot transfer it: 7109", async () => {
  const f1 = await trade.fresh({ transferable: "Bound" });
  assert.equal((await trade.transfer(o, f1, a)).outcome, "409 7109");
});

test("mrc401 §9: batch transfer of 2 items of A, one of B: 7001, none moved", async () => {
  const ids = [await trade.x(), await trade.x(), await trade.x()] as const;
  const others = ids[2];
  assert.equal((await trade.transfer(a, others, b)).code, "done");
  assert.equal((await trade.transfer(a, ids, trade.cast.d)).outcome, "403 7001");
});

test("mrc401 §9: batch transfer of items of two projects: 3005", async () => {
  const another = await createProject(trade.client, o);
  const ids = [await trade.x(), await trade.x({}, another)];
  assert.equal((await trade.transfer(a, ids, b)).outcome, "400 3005");
});

test("mrc401 §9: batch transfer of two items: both moved", async () => {
  const ids = [await trade.x(), await trade.x()];
  assert.equal((await trade.transfer(a, ids, b)).outcome, "done");
  for (const id of ids) {
    trade.assertItem(id, { owner: b, holder: b });
  }
});

test("mrc401 §9: the order in which transfer refuses", async () => {
  const { foreign, melted, listed, bound, good } = await trade.faulty();
  await trade.mending("mrc401transfer", a, [
    [{ mrc401id: NO_ITEM, fromAddr: "MTx", toAddr: "" }, "400 1000 toAddr"],
    [{ toAddr: NOBODY, itemdata: "[]" }, "400 1005"],
    [{ itemdata: "" }, "400 3190 fromAddr"],
    [{ fromAddr: NOBODY, toAddr: "MTx" }, "400 3190 toAddr"],
    [{ toAddr: NOBODY }, "400 3201"],
    [{ toAddr: NOBODY_ELSE }, "404 6004 mrc401id"],
    [{ mrc401id: foreign }, "404 3090 fromAddr"],
    [{ fromAddr: a }, "404 3090 toAddr"],
    [{ toAddr: d }, "key"],
    [{}, "403 7001"],
    [{ mrc401id: melted }, "409 7110"],
    [{ mrc401id: listed }, "409 7108"],
    [{ mrc401id: bound }, "409 7109"],
    [{ mrc401id: good }, "done"],
  ]);
});

test("mrc401 §9: the order in which transfer of several refuses", async () => {
  const { foreign, melted, listed, bound, good, second } = await trade.faulty();
  const another = await trade.x({}, await createProject(trade.client, o));
  await trade.mending("mrc401transfer", a, [
    [{ itemdata: "", fromAddr: "MTx", toAddr: NOBODY }, "400 1000"],
    [{ itemdata: "{" }, "400 3190 fromAddr"],
    [{ fromAddr: NOBODY }, "400 1007 itemdata"],
    [{ itemdata: [] }, "400 3002 itemdata"],
    [{ itemdata: [good, NO_ITEM, NO_ITEM] }, "400 3004 itemdata[2]"],
    [{ itemdata: [another, good, NO_ITEM] }, "400 3201"],
    [{ toAddr: NOBODY_ELSE }, "404 6004 itemdata[2]"],
    [{ itemdata: [good, bound, another, foreign] }, "400 3005 itemdata[2]"],
    [{ itemdata: [good, bound, melted, foreign] }, "404 3090 fromAddr"],
    [{ fromAddr: a }, "404 3090 toAddr"],
    [{ toAddr: d }, "key"],
    [{}, "403 7001"],
    [{ itemdata: [good, melted] }, "409 7110 itemdata[1]"],
    [{ itemdata: [good, second, listed] }, "409 7108 itemdata[2]"],
    [{ itemdata: [good, bound] }, "409 7109 itemdata[1]"],
    [{ itemdata: [good, second] }, "done"],
  ]);
});
