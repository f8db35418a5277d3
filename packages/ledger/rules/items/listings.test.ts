import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import { T } from "../../testing/test-ledger.ts";
import { createProject, type Element } from "../../testing/trade/creations.ts";
import {
  AUCTION_MAX,
  AUCTION_MIN,
  NO_ITEM,
  NO_PROJECT,
  NOBODY,
  UNLISTED,
} from "../../testing/trade/item-terms.ts";
import { ItemTrade } from "../../testing/trade/item-trade.ts";

let trade: ItemTrade;
let o: Address;
let s: Address;
let a: Address;
let b: Address;
let d: Address;
before(async () => {
  trade = await ItemTrade.open({ tokens: 9 });
  ({ o, s, a, b, d } = trade.cast);
});
after(() => trade[Symbol.dispose]());

test("mrc401 §10: sell of 3, one not A's: nothing on sale; unsell likewise", async () => {
  const ids = [await trade.x(), await trade.x(), await trade.x()] as const;
  assert.equal((await trade.transfer(a, ids[1], b)).code, "done");
  assert.equal((await trade.sell(a, ids)).outcome, "403 7001");
  assert.equal((await trade.sell(a, [ids[0], ids[2]])).code, "done");
  assert.equal((await trade.sell(b, ids[1])).code, "done");
  assert.equal((await trade.unsell(a, ids[0], ids[2], ids[1])).outcome, "403 7001");
  assert.equal((await trade.unsell(a, ids[0], ids[2])).outcome, "done");
});

for (const word of ["sell", "unsell", "auction", "unauction"] as const) {
  test(`mrc401 §10: ${word} in Q of a list with an item of another project: 3005; with its own, and without: accepted`, async () => {
    const { cast } = trade;
    const op = `mrc401${word}`;
    const another = await createProject(trade.client, o);
    const ids = [await trade.x(), await trade.x({}, another)] as const;
    const terms = { price: "300", token: "0", start: "100" };
    for (const id of ids) {
      if (word === "unsell" || word === "unauction") {
        const made = word === "unsell" ? trade.sell(a, id) : trade.auction(a, id);
        assert.equal((await made).code, "done");
      }
    }
    const itemdataOf = (...some: readonly string[]) =>
      word.startsWith("un") ? some : some.map((id) => ({ id, ...terms }));
    for (const wrong of [ids, ids.toReversed()]) {
      const params = { mrc400id: cast.q, itemdata: itemdataOf(...wrong) };
      const answer = (await trade.send(op, a, params)).summary;
      assert.ok(answer.startsWith(`400 3005 itemdata[${wrong.indexOf(ids[1])}]`), answer);
    }
    const unknown = { mrc400id: NO_PROJECT, itemdata: itemdataOf(ids[0]) };
    assert.equal((await trade.send(op, a, unknown)).summary, "404 6004 mrc400id");
    const own = { mrc400id: cast.q, itemdata: itemdataOf(ids[0]) };
    assert.equal((await trade.send(op, a, own)).summary, "done");
    const second = { itemdata: itemdataOf(ids[1]) };
    assert.equal((await trade.send(op, a, second)).summary, "done");
  });
}

for (const { word, price } of [
  { word: "sell", price: "price" },
  { word: "auction", price: "start" },
] as const) {
  test(`mrc401 §10, §14: the order in which ${word} refuses`, async () => {
    const project = await createProject(trade.client, o, {}, { allowtoken: "7" });
    const { foreign, melted, listed, bound, good, second } = await trade.faulty(project);
    const another = await trade.x();
    const of = (terms: object, ...ids: readonly string[]) => ({
      itemdata: ids.map((id) => ({ id, [price]: "300", token: "0", ...terms })),
    });
    const names = word === "sell" ? { price: "1", amount: "2" } : { buynow: "1", bnynow: "2" };
    const [twice] = Object.keys(names);
    const unknown = { id: another, [price]: "300", token: "99" };
    await trade.mending(`mrc401${word}`, a, [
      [{ itemdata: "", seller: "MTx", mrc400id: NO_PROJECT }, "400 1000 itemdata"],
      [{ itemdata: "{" }, "400 3190 seller"],
      [{ seller: NOBODY }, "400 1007 itemdata"],
      [of({}), "400 3002 itemdata"],
      [of({ [price]: "x" }, NO_ITEM), `400 1101 itemdata[0].${price}`],
      [of({ [price]: "" }, NO_ITEM), `400 1000 itemdata[0].${price}`],
      [of(names, NO_ITEM), `400 1005 itemdata[0].${twice}`],
      ...(word === "auction"
        ? ([
            [of({ end: "x" }, NO_ITEM), "400 1102 itemdata[0].end"],
            [of({ buynow: "300" }, NO_ITEM), "400 3005 itemdata[0].buynow"],
          ] as const)
        : []),
      [of({}, another, NO_ITEM, NO_ITEM), "400 3004 itemdata[2]"],
      [of({ token: "99" }, foreign, NO_ITEM, another), "404 6004 mrc400id"],
      [{ mrc400id: project }, "404 6004 itemdata[1].id"],
      [of({ token: "99" }, foreign, another), "400 3005 itemdata[1]"],
      [of({ token: "99" }, foreign, melted), "404 3090 seller"],
      [{ seller: a }, "404 4001 itemdata[0].token"],
      [of({ token: "9" }, foreign, melted), "400 3005 itemdata[0].token"],
      [{ itemdata: [of({ token: "7" }, foreign).itemdata[0], unknown] }, "400 3005 itemdata[1]"],
      [of({}, bound, melted, good, foreign), "key"],
      [{}, "403 7001"],
      [of({}, good, melted), "409 7110 itemdata[1]"],
      [of({}, good, second, listed), "409 7108 itemdata[2]"],
      [of({}, good, bound), "409 7109 itemdata[1]"],
      [of({ token: "7" }, good, second), "done"],
    ]);
  });

  test(`conventions §3: with one element that is there twice and has a fault of its own, ${word} is refused with 3004`, async () => {
    const x = await trade.x();
    const bad = { id: x, [price]: "x", token: "0" };
    const itemdata = [{ ...bad, [price]: "300" }, bad];
    const answer = await trade.send(`mrc401${word}`, a, { itemdata });
    assert.equal(answer.summary, "400 3004 itemdata[1]");
  });
}

for (const word of ["unsell", "unauction"] as const) {
  test(`mrc401 §11, §15: the order in which ${word} refuses`, async () => {
    const { foreign, melted, bound, good, second } = await trade.faulty();
    const another = await trade.x({}, await createProject(trade.client, o));
    const listing = word === "unsell" ? "sell" : "auction";
    assert.equal((await trade[listing](a, [good, second, another])).code, "done");
    const contestedSays = word === "unsell" ? "409 7106" : "409 7104";
    const contested = await trade.onAuction({}, { bids: [[b, "100"]] });
    await trade.mending(`mrc401${word}`, a, [
      [{ itemdata: "", seller: "MTx", mrc400id: NO_PROJECT }, "400 1000 itemdata"],
      [{ itemdata: "{" }, "400 3190 seller"],
      [{ seller: NOBODY }, "400 1007 itemdata"],
      [{ itemdata: [] }, "400 3002 itemdata"],
      [{ itemdata: [another, NO_ITEM, NO_ITEM] }, "400 3004 itemdata[2]"],
      [{ itemdata: [foreign, NO_ITEM, another] }, "404 6004 mrc400id"],
      [{ mrc400id: trade.cast.q }, "404 6004 itemdata[1]"],
      [{ itemdata: [good, another] }, "400 3005 itemdata[1]"],
      [{ itemdata: [melted, good, foreign] }, "404 3090 seller"],
      [{ seller: a }, "key"],
      [{}, "403 7001"],
      [{ itemdata: [good, melted] }, "409 7106 itemdata[1]"],
      [{ itemdata: [good, bound] }, "409 7106 itemdata[1]"],
      [{ itemdata: [good, contested] }, `${contestedSays} itemdata[1]`],
      [{ itemdata: [good, second] }, "done"],
    ]);
  });
}

test("mrc401 §1.3: items of several projects by role: an A for the owner of each of them, once", async () => {
  const partner = { [s]: "seller" };
  const theirs = await createProject(trade.client, d, {}, { partner });
  const ids = [
    await trade.fresh(),
    await trade.item(theirs, d),
    await trade.fresh(),
    await trade.item(theirs, d),
  ];
  const itemdata = JSON.stringify(ids.map((id) => ({ id, price: "1", token: "0" })));
  const { effects } = await trade.done("mrc401sell", s, { itemdata });
  const seen = effects.map(({ type, address }) => `${type} ${address}`);
  const owners = [o, d].map((owner) => `mrc401sell ${owner}`);
  assert.deepEqual(seen.toSorted(), [...Array(4).fill("mrc401_sell "), ...owners].toSorted());
  assert.deepEqual(seen.slice(0, 4), Array(4).fill("mrc401_sell "));
});

const AMOUNT_MAX = 10n ** 40n;

test("mrc401 §10: A sells X for 300: on sale; again: 7108", async () => {
  const x = await trade.x();
  const item = trade.shown(x);
  assert.equal((await trade.sell(a, x)).outcome, "done");
  const sale = { sell_date: trade.now, sell_price: "300", sell_token: "0", listing_fee: "10" };
  assert.deepEqual(trade.shown(x), { ...item, ...sale });
  assert.equal((await trade.sell(a, x, { price: "301" })).outcome, "409 7108");
});

for (const { terms, answer = "done", price = "0" } of [
  { terms: { amount: "300" }, price: "300" },
  { terms: { price: 300, token: 0 }, price: "300" },
  { terms: { price: String(AMOUNT_MAX) }, price: String(AMOUNT_MAX) },
  { terms: { price: "1", token: "10" }, answer: "404 4001 itemdata[0].token" },
  { terms: { price: "1", token: "9", more: ["ignored"] }, price: "1" },
] as readonly { terms: Element; answer?: string; price?: string }[]) {
  test(`mrc401 §10: sell for ${JSON.stringify(terms)}: ${answer}`, async () => {
    const x = await trade.x();
    const itemdata = [{ id: x, token: "0", ...terms }];
    assert.equal((await trade.send("mrc401sell", a, { itemdata })).summary, answer);
    trade.assertItem(x, { sell_price: price });
  });
}

test("mrc401 §2.4: sell_fee 10 while X is on sale at 300, O sets 50, B buys: O +30; B relists at 300, D buys: O +150", async () => {
  const x = await trade.onSale();
  assert.equal((await trade.update(x, { sell_fee: "50" })).code, "done");
  trade.assertItem(x, { sell_fee: "50", listing_fee: "10" });
  assert.equal((await trade.buy(b, x)).outcome, "done: o +30, a +270, b -300");
  trade.assertItem(x, { sell_fee: "50", listing_fee: "0" });
  assert.equal((await trade.sell(b, x)).code, "done");
  trade.assertItem(x, { listing_fee: "50" });
  assert.equal((await trade.buy(d, x)).outcome, "done: o +150, b +150, d -300");
});

test("mrc401 §11: unsell of X not on sale 7106, on auction too; itemdata absent 1000; an element of 80 characters 6004", async () => {
  const x = await trade.x();
  assert.equal((await trade.unsell(a, x)).outcome, "409 7106");
  const auctioned = await trade.onAuction();
  assert.equal((await trade.unsell(a, auctioned)).outcome, "409 7106");
  assert.equal((await trade.send("mrc401unsell", a, {})).summary, "400 1000 itemdata");
  const sold = await trade.onSale();
  assert.equal((await trade.unsell(a, sold, x.slice(1))).summary, "404 6004 itemdata[1]");
});

test("mrc401 §11: unsell: as before the sale, but for nothing", async () => {
  const x = await trade.x();
  const item = trade.shown(x);
  assert.equal((await trade.sell(a, x, { token: "9" })).code, "done");
  trade.assertItem(x, { sell_token: "9" });
  trade.now += 5;
  assert.equal((await trade.unsell(a, x)).outcome, "done");
  assert.deepEqual(trade.shown(x), item);
});

for (const { end, ends } of [
  { end: undefined, ends: AUCTION_MIN },
  { end: () => "0", ends: AUCTION_MIN },
  { end: () => "", ends: AUCTION_MIN },
  { end: (now: number) => String(now + 10), ends: AUCTION_MIN },
  { end: (now: number) => String(now - 10), ends: AUCTION_MIN },
  { end: (now: number) => String(now + AUCTION_MIN + 1), ends: AUCTION_MIN + 1 },
  { end: (now: number) => String(now + 7200), ends: 7200 },
  { end: (now: number) => now + 7200, ends: 7200 },
  { end: (now: number) => String(now + AUCTION_MAX), ends: AUCTION_MAX },
  { end: (now: number) => String(now + AUCTION_MAX + 1), ends: AUCTION_MAX },
  { end: () => String(AMOUNT_MAX), ends: AUCTION_MAX },
]) {
  const shown = end === undefined ? "absent" : JSON.stringify(end(T)).replaceAll(String(T), "T");
  test(`market §3.1: auction X: end ${shown}: auction_end T+${ends}`, async () => {
    const { now } = trade;
    const x = await trade.onAuction({}, { change: end === undefined ? {} : { end: end(now) } });
    trade.assertItem(x, { auction_date: now, auction_end: now + ends });
  });
}

for (const { terms, answer = "done", item = UNLISTED } of [
  { terms: { bnynow: "101" }, item: { auction_buynow_price: "101" } },
  { terms: { buynow: "0" }, item: { auction_buynow_price: "0" } },
  { terms: { start: String(AMOUNT_MAX) }, item: { auction_start_price: String(AMOUNT_MAX) } },
  { terms: { bidding: "" }, item: { auction_bidding_unit: "1" } },
  { terms: { bidding: 5, start: 100, token: 0 }, item: { auction_bidding_unit: "5" } },
  { terms: { token: "10" }, answer: "404 4001 itemdata[0].token" },
  { terms: { token: "9" }, item: { auction_token: "9" } },
] as readonly { terms: Element; answer?: string; item?: object }[]) {
  test(`market §3: start 100 with ${JSON.stringify(terms)}: ${answer}`, async () => {
    const x = await trade.x();
    const itemdata = [{ id: x, start: "100", token: "0", ...terms }];
    assert.equal((await trade.send("mrc401auction", a, { itemdata })).summary, answer);
    trade.assertItem(x, item);
  });
}

test("mrc401 §14: auction with nothing but what it must have: I has the defaults filled in; names and numbers as sent in M only", async () => {
  const id = await trade.x();
  const itemdata = `[{"bnynow":101,"id":"${id}","start":100,"token":2}]`;
  const { signature, tkey, parts } = await trade.done("mrc401auction", a, { itemdata });
  assert.deepEqual(parts, [
    ["mrc401auction", a, 0, [itemdata, a, signature, tkey]],
    ["mrc401_auction", id, 0, [id, a, "100", "2", "101", "1", signature, tkey]],
  ]);
});

test("mrc401 §15: unauction with a bid 7104; of X not on auction 7106, on sale too; auctionfinish of X not on auction 7106", async () => {
  const x = await trade.row68();
  assert.equal((await trade.unauction(a, x)).outcome, "409 7104");
  trade.untilEnd(x);
  assert.equal((await trade.unauction(a, x)).outcome, "409 7104");
  for (const idle of [await trade.x(), await trade.onSale(), await trade.fresh()]) {
    const by = trade.shown(idle).owner === "" ? o : a;
    assert.equal((await trade.unauction(by, idle)).outcome, "409 7106");
    assert.equal((await trade.finish(idle)).outcome, "409 7106");
  }
});

for (const act of ["sell", "auction", "transfer", "melt"] as const) {
  test(`market §2.2: ${act} of an item while its sale is open: 7108; once it has ended: done, and the sale is left`, async () => {
    const end = trade.now + 3600;
    const x = await trade.onSale({}, { sell_end: String(end) });
    const acts = {
      sell: () => trade.sell(a, x, { price: "7" }),
      auction: () => trade.auction(a, x),
      transfer: () => trade.transfer(a, x, d),
      melt: () => trade.melt(a, x),
    };
    trade.now = end - 1;
    assert.equal((await acts[act]()).code, "409 7108");
    trade.now = end;
    assert.equal((await acts[act]()).code, "done");
    const isSold = act === "sell";
    const sale = { sell_price: isSold ? "7" : "0", sell_date: isSold ? end : 0, sell_end: 0 };
    trade.assertItem(x, sale);
  });
}
