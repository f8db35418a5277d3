import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { changed, type Element, renamed } from "../testing/item-requests.ts";
import { ItemTrade, NO_ITEM, NOBODY } from "../testing/item-trade.ts";
import { type KeyHolder, said, saidCode, signatureOf } from "../testing/test-node.ts";
import { AMOUNT_MAX } from "../testing/token-requests.ts";

// Rows 62 to 65 and 79 of mrc401 §18, section 13, and words that are no ids. After each case row 80 holds.

let trade: ItemTrade;
let o: KeyHolder;
let a: KeyHolder;
let b: KeyHolder;
before(async () => {
  trade = await ItemTrade.open({ tokens: 2 });
  ({ o, a, b } = trade.cast);
});
after(() => trade[Symbol.asyncDispose]());
afterEach(() => trade.assertConserved());

for (const { reserve, fee, moved } of [
  { reserve: "1000", fee: "12.5", moved: "200: o +125, a +875" },
  { reserve: "7", fee: "10", moved: "200: a +7" },
  { reserve: "100", fee: "33.3333", moved: "200: o +33, a +67" },
  { reserve: "0", fee: "50", moved: "200" },
  { reserve: "1", fee: "99.9999", moved: "200: a +1" },
  { reserve: "100", fee: "0", moved: "200: a +100" },
]) {
  test(`mrc401 §18 row 62: A melts an item, reserve ${reserve}, melt_fee ${fee}: ${moved}; owner MELTED`, async () => {
    const x = await trade.x({ initial_reserve: reserve, melt_fee: fee, sell_fee: "50" });
    const item = await trade.record(x);
    trade.node.now += 3;
    assert.equal(await trade.outcome(() => trade.melt(a, x)), moved);
    const melted = { owner: "MELTED", holder: "", melting_date: trade.node.now };
    assert.deepEqual(await trade.record(x), { ...item, ...melted });
  });
}

test("mrc401 §2.4: the reserve is in its own token, up to 10^40, and the fee exact", async () => {
  const { collection, cast } = trade;
  await collection.pay(o, "1", AMOUNT_MAX);
  const terms = { initial_reserve: String(AMOUNT_MAX), initial_token: "1", melt_fee: "99.9999" };
  const x = await trade.x(terms);
  assert.equal(await collection.held(o, "1"), "0");
  assert.equal(
    await trade.outcome(() => trade.melt(a, x)),
    `200: o +9999990000000000000000000000000000000000 of 1, a +${10n ** 34n} of 1`,
  );
  assert.equal((await trade.record(x)).initial_reserve, String(AMOUNT_MAX));
  const partners = { initial_reserve: "500", melt_fee: "12.5" };
  const [mine = ""] = await collection.items(cast.q, cast.p, partners);
  assert.equal(await trade.outcome(() => trade.melt(cast.p, mine)), "403 7001");
  assert.equal(await trade.outcome(() => trade.melt(o, mine)), "200: o +500");
});

test("mrc401 §2.4: O melts a fresh item and one that came back to it: the whole reserve, no fee", async () => {
  const terms = { initial_reserve: "1000", melt_fee: "12.5" };
  const [f1, back] = [await trade.fresh(terms), await trade.x(terms)];
  assert.equal(saidCode(await trade.transfer(a, back, o)), "200");
  for (const id of [f1, back]) {
    assert.equal(await trade.outcome(() => trade.melt(o, id)), "200: o +1000");
    await trade.assertItem(id, { owner: "MELTED", holder: "" });
  }
});

test("mrc401 §8: a new melt_fee holds at once", async () => {
  const x = await trade.x({ initial_reserve: "1000", melt_fee: "12.5" });
  assert.equal(saidCode(await trade.update(x, { melt_fee: "20" })), "200");
  assert.equal(await trade.outcome(() => trade.melt(a, x)), "200: o +200, a +800");
});

test("mrc401 §13: a Bound item is melted, too, and one whose last trade stays to be seen", async () => {
  const x = await trade.onSale({ transferable: "Temporary", initial_reserve: "40" });
  assert.equal(saidCode(await trade.buy(b, x)), "200");
  const item = await trade.record(x);
  await trade.bind(x);
  assert.equal(await trade.outcome(() => trade.melt(b, x)), "200: b +40");
  const melted = { owner: "MELTED", holder: "", melting_date: trade.node.now };
  assert.deepEqual(await trade.record(x), { ...item, ...melted, transferable: "Bound" });
});

test("mrc401 §18 row 63: then transfer, sell, auction, melt, update: 7110 each, by whomever", async () => {
  const x = await trade.x({ initial_reserve: "1000" });
  assert.equal(await trade.outcome(() => trade.melt(a, x)), "200: a +1000");
  for (const by of [a, o, b]) {
    for (const act of [
      () => trade.transfer(by, x, trade.cast.d),
      () => trade.transfer(by, [x], trade.cast.d),
      () => trade.sell(by, x),
      () => trade.auction(by, x),
      () => trade.melt(by, x),
    ]) {
      assert.equal(await trade.outcome(act), "409 7110");
    }
  }
  assert.equal(await trade.outcome(() => trade.update(x, { groupid: "g" })), "409 7110");
});

test("mrc401 §18 row 64: expiredate T+100: melt at T+99 7204, at T+100 paid; transfer before accepted", async () => {
  const expiredate = trade.node.now + 100;
  const x = await trade.x({ initial_reserve: "1000", melt_fee: "12.5", expiredate });
  trade.node.now = expiredate - 1;
  assert.equal(await trade.outcome(() => trade.melt(a, x)), "409 7204");
  assert.equal(await trade.outcome(() => trade.transfer(a, x, b)), "200");
  trade.node.now = expiredate;
  assert.equal(await trade.outcome(() => trade.melt(b, x)), "200: o +125, b +875");
  await trade.assertItem(x, { expiredate, melting_date: expiredate });
});

test("mrc401 §18 row 65: melt of X by B with B's key 7001, so by O and by roles; while on sale or on auction 7108", async () => {
  const { p, s, c } = trade.cast;
  for (const x of [await trade.x(), await trade.onSale(), await trade.onAuction()]) {
    for (const by of [b, o, p, s, c]) {
      assert.equal(await trade.outcome(() => trade.melt(by, x)), "403 7001");
      assert.equal(await trade.outcome(() => trade.melt(by, x, { address: "" })), "403 7001");
    }
  }
  for (const x of [await trade.onSale(), await trade.onAuction()]) {
    assert.equal(await trade.outcome(() => trade.melt(a, x)), "409 7108");
  }
  const bidden = await trade.onAuction({}, { bids: [[b, "100"]] });
  assert.equal(await trade.outcome(() => trade.melt(a, bidden)), "409 7108");
});

test("mrc401 §13: melt without address, key of A, signed X|tkey by A: melted for A", async () => {
  const x = await trade.x({ initial_reserve: "5" });
  const tkey = await trade.node.key(a);
  const body = { tkey, signature: signatureOf(`${x}|${tkey}`, a) };
  const melting = () => trade.node.post(`/mrc401/melt/${x}`, body);
  assert.equal(await trade.outcome(melting), "200: a +5");
});

test("mrc401 §13: address may be called owner; two values of it are 1005", async () => {
  for (const signed of ["short", "full"] as const) {
    const mrc401id = await trade.x();
    const request = await trade.collection.request("melt", a, { mrc401id }, { signed });
    const twice = changed(request, { owner: b.address });
    assert.equal(said(await trade.collection.post(twice)), "400 1005 address");
    const owner = renamed(request, { address: "owner" });
    assert.equal(said(await trade.collection.post(owner)), "200");
  }
});

test("mrc401 §1.3: a short signature of buy is one of melt; a full one and a key bound to one of them are not", async () => {
  const { node, collection } = trade;
  const mrc401id = await trade.x();
  const path = `/mrc401/melt/${mrc401id}`;
  const buying = { mrc401id, buyer: "" };
  const full = await collection.request("buy", a, buying, { signed: "full" });
  assert.equal(saidCode(await node.post(path, full.params)), "401 2010");
  const tkey = await node.key(a, "mrc401buy");
  const bound = await collection.request("buy", a, { ...buying, tkey });
  assert.equal(saidCode(await node.post(path, bound.params)), "401 2020");
  const short = await collection.request("buy", a, buying);
  assert.equal(saidCode(await node.post(path, short.params)), "200");
});

test("mrc401 §13: the order in which melt refuses", async () => {
  const expiredate = trade.node.now + 100;
  const terms = { expiredate };
  const [foreign, melted, idle] = [await trade.x(terms), await trade.x(), await trade.x(terms)];
  const [listed, good] = [await trade.onSale(terms), await trade.x()];
  assert.equal(saidCode(await trade.transfer(a, foreign, b)), "200");
  assert.equal(saidCode(await trade.melt(a, melted)), "200");
  await trade.mending("melt", a, [
    [{ mrc401id: NO_ITEM, address: "MTx" }, "400 3190 address"],
    [{ address: NOBODY }, "404 6004 mrc401id"],
    [{ mrc401id: foreign }, "404 3090 address"],
    [{ address: a.address }, "key"],
    [{}, "403 7001"],
    [{ mrc401id: melted }, "409 7110"],
    [{ mrc401id: listed }, "409 7108"],
    [{ mrc401id: idle }, "409 7204"],
    [{ mrc401id: good }, "200"],
  ]);
});

// biome-ignore format: a line for each case
for (const { what, id } of [
  { what: "a project's id", id: () => trade.cast.q },
  { what: "81 characters that no item has", id: () => NO_ITEM },
  { what: "an item number that its project has not", id: () => `${trade.cast.q}_${"0".repeat(40)}` },
  { what: "an id of MRC402", id: () => `MRC402_${"0".repeat(33)}` },
  { what: "80 characters", id: () => NO_ITEM.slice(1) },
  { what: "text", id: () => "%F0%9F%98%80" },
]) {
  test(`mrc401 §18 row 79: GET /mrc401/ and ${what}: 404 6004; transfer, buy, melt, bid and auctionfinish likewise`, async () => {
    const { node, collection } = trade;
    assert.equal(saidCode(await node.get(`/mrc401/${id()}`)), "404 6004");
    const params = { mrc401id: decodeURIComponent(id()) };
    const more = { toAddr: NOBODY, amount: "1" };
    for (const word of ["transfer", "buy", "melt", "bid"] as const) {
      const answer = await collection.send(word, a, { ...params, ...more });
      assert.equal(said(answer), "404 6004 mrc401id", word);
    }
    assert.equal(said(await node.get(`/mrc401/auctionfinish/${id()}`)), "404 6004 mrc401id");
  });
}

for (const word of ["buy", "melt", "bid", "auctionfinish", "createtrade"]) {
  test(`mrc401 §1.6: a path that stops at ${word} is 9404`, async () => {
    for (const slash of ["", "/"]) {
      const path = `/mrc401/${word}${slash}`;
      assert.equal(saidCode(await trade.node.get(path)), "404 9404");
      assert.equal(saidCode(await trade.node.post(path, {})), "404 9404");
      assert.equal(saidCode(await trade.node.put(path, {})), "404 9404");
    }
  });
}

for (const word of ["transfer", "sell", "unsell", "auction", "unauction"]) {
  test(`mrc401 §1.6: ${word} is no id: what is not POST is 405 9405`, async () => {
    for (const answer of [
      await trade.node.get(`/mrc401/${word}`),
      await trade.node.put(`/mrc401/${word}`, {}),
    ]) {
      assert.equal(saidCode(answer), "405 9405");
      assert.match(answer.headers.get("allow") ?? "", /POST/);
    }
  });
}

test("mrc401 §13: unknown keys of a request are ignored, empty ones count as absent", async () => {
  const mrc401id = await trade.x();
  const more: Element = { address: "", price: "x", itemdata: "x", amount: "-1" };
  const request = await trade.collection.request("melt", a, { mrc401id, ...(more as object) });
  assert.equal(saidCode(await trade.collection.post(request)), "200");
});
