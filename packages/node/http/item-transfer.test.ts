import assert from "node:assert/strict";
import { after, afterEach, before, suite, test } from "node:test";
import { createProject, type Element, type ItemRecord } from "../testing/item-requests.ts";
import {
  AUCTION_MIN,
  ItemTrade,
  NO_ITEM,
  NOBODY,
  NOBODY_ELSE,
  traded,
  UNLISTED,
} from "../testing/item-trade.ts";
import { type Answered, type KeyHolder, said, saidCode } from "../testing/test-node.ts";

// Rows 36 to 39 of mrc401 §18, section 9, and how items pass from state to state: section 2.3. After each case row 80 holds.

let trade: ItemTrade;
let o: KeyHolder;
let a: KeyHolder;
let b: KeyHolder;
let d: KeyHolder;
before(reopen);
after(() => trade[Symbol.asyncDispose]());
afterEach(() => trade.assertConserved());

/** Goes on with a new node, on which few items have to be counted after each case. */
async function reopen(): Promise<void> {
  await trade?.[Symbol.asyncDispose]();
  trade = await ItemTrade.open();
  ({ o, a, b, d } = trade.cast);
}

test("mrc401 §18 row 36: A transfers X to B: owner B, all else as it was, last_trade_* too", async () => {
  const x = await trade.onSale({ melt_fee: "5", initial_reserve: "40", expiredate: "99" });
  assert.equal(saidCode(await trade.buy(b, x)), "200");
  const item = await trade.record(x);
  trade.node.now += 10;
  assert.equal(await trade.outcome(() => trade.transfer(b, x, a)), "200");
  assert.deepEqual(await trade.record(x), { ...item, owner: a.address, holder: a.address });
  assert.equal(await trade.outcome(() => trade.transfer(a, x, b)), "200");
  assert.deepEqual(await trade.record(x), item);
});

test("mrc401 §18 row 37: A transfers X to A: 3201", async () => {
  const x = await trade.x();
  assert.equal(await trade.outcome(() => trade.transfer(a, x, a)), "400 3201");
});

test("mrc401 §18 row 37: A transfers X to an unknown address: 404 3090", async () => {
  const params = { mrc401id: await trade.x(), toAddr: NOBODY };
  assert.equal(said(await trade.collection.send("transfer", a, params)), "404 3090 toAddr");
});

test("mrc401 §18 row 37: B transfers X of A: 403 7001; so do O, P, S and C, who have no right by role", async () => {
  const x = await trade.x();
  const { p, s, c, d } = trade.cast;
  for (const by of [b, o, p, s, c]) {
    assert.equal(await trade.outcome(() => trade.transfer(by, x, d)), "403 7001");
  }
});

test("mrc401 §18 row 37: O transfers F1 to A: owner A, no longer fresh, also when it comes back; P, S and C may not", async () => {
  const f1 = await trade.fresh();
  await trade.assertItem(f1, { owner: "", holder: o.address });
  const { p, s, c } = trade.cast;
  for (const by of [p, s, c]) {
    assert.equal(await trade.outcome(() => trade.transfer(by, f1, a)), "403 7001");
  }
  assert.equal(await trade.outcome(() => trade.transfer(o, f1, a)), "200");
  await trade.assertItem(f1, { owner: a.address, holder: a.address });
  assert.equal(await trade.outcome(() => trade.transfer(a, f1, o)), "200");
  await trade.assertItem(f1, { owner: o.address, holder: o.address });
});

for (const by of ["a", "o"] as const) {
  // biome-ignore format: a line for each case
  for (const { what, answer, make } of [
    { what: "on sale", answer: "409 7108", make: (x: string) => trade.sell(trade.cast[by], x) },
    { what: "on auction", answer: "409 7108", make: (x: string) => trade.auction(trade.cast[by], x) },
    { what: "Bound", answer: "409 7109", make: (x: string) => trade.update(x, { transferable: "Bound" }) },
    { what: "melted", answer: "409 7110", make: (x: string) => trade.melt(trade.cast[by], x) },
  ]) {
    test(`mrc401 §18 row 38: ${by.toUpperCase()} transfers its item that is ${what}: ${answer}`, async () => {
      const temporary = { transferable: "Temporary" };
      const x = by === "a" ? await trade.x(temporary) : await trade.fresh(temporary);
      assert.equal(saidCode(await make(x)), "200");
      assert.equal(await trade.outcome(() => trade.transfer(trade.cast[by], x, b)), answer);
    });
  }
}

test("mrc401 §18 row 38: an item that was created Bound: O cannot transfer it: 7109", async () => {
  const f1 = await trade.fresh({ transferable: "Bound" });
  assert.equal(await trade.outcome(() => trade.transfer(o, f1, a)), "409 7109");
});

test("mrc401 §2.4: bound items are handed out: created Temporary, transferred, then updated to Bound", async () => {
  const x = await trade.x({ transferable: "Temporary" });
  await trade.bind(x);
  await trade.assertItem(x, { owner: a.address, transferable: "Bound" });
});

test("mrc401 §18 row 39: batch transfer of 2 items of A, one of B: 7001, none moved", async () => {
  const ids = [await trade.x(), await trade.x(), await trade.x()] as const;
  const others = ids[2];
  assert.equal(saidCode(await trade.transfer(a, others, b)), "200");
  assert.equal(await trade.outcome(() => trade.transfer(a, ids, trade.cast.d)), "403 7001");
});

test("mrc401 §18 row 39: batch transfer of items of two projects: 3005", async () => {
  const another = await createProject(trade.node, o);
  const ids = [await trade.x(), await trade.x({}, another)];
  assert.equal(await trade.outcome(() => trade.transfer(a, ids, b)), "400 3005");
});

test('mrc401 §18 row 39: batch transfer signed A|B|["…","…"]|tkey: both moved', async () => {
  const ids = [await trade.x(), await trade.x()];
  const tkey = await trade.node.key(a);
  const params = { fromAddr: a.address, toAddr: b.address, itemdata: JSON.stringify(ids), tkey };
  const fields = ["fromAddr", "toAddr", "itemdata", "tkey"];
  const request = await trade.node.shortlySigned(a, fields, params);
  assert.equal(await trade.outcome(() => trade.node.post("/mrc401/transfer/", request)), "200");
  for (const id of ids) {
    await trade.assertItem(id, { owner: b.address, holder: b.address });
  }
});

for (const { what, itemdata, answer } of [
  { what: "the same item twice", itemdata: [NO_ITEM, NO_ITEM], answer: "400 3004 itemdata[1]" },
  { what: "an unknown item", itemdata: [NO_ITEM], answer: "404 6004 itemdata[0]" },
  { what: "80 characters", itemdata: [NO_ITEM.slice(1)], answer: "404 6004 itemdata[0]" },
  { what: "a project", itemdata: [NO_ITEM.slice(0, 40)], answer: "404 6004 itemdata[0]" },
]) {
  test(`mrc401 §9: itemdata that is ${what}: ${answer}`, async () => {
    const params = { itemdata, toAddr: b.address };
    assert.equal(said(await trade.collection.send("transferBatch", a, params)), answer);
  });
}

test("mrc401 §9: both an id in the path and itemdata: 1005; neither: 1000", async () => {
  const x = await trade.x();
  const params = { fromAddr: a.address, toAddr: b.address, tkey: await trade.node.key(a) };
  const signed = await trade.node.shortlySigned(a, ["fromAddr"], params);
  const both = { ...signed, itemdata: JSON.stringify([x]) };
  assert.equal(saidCode(await trade.node.post(`/mrc401/transfer/${x}`, both)), "400 1005");
  assert.equal(saidCode(await trade.node.post("/mrc401/transfer", signed)), "400 1000");
});

test("mrc401 §1.3: itemdata may be called itemdata[]; two values of it are 1005, one value twice is none", async () => {
  const ids = [await trade.x(), await trade.x()];
  const params = { itemdata: ids, toAddr: b.address };
  const request = await trade.collection.request("transferBatch", a, params);
  const { itemdata, ...others } = request.params;
  assert.ok(itemdata !== undefined);
  const twice = { ...others, itemdata, "itemdata[]": JSON.stringify(ids.toReversed()) };
  assert.equal(said(await trade.node.post(request.path, twice)), "400 1005 itemdata");
  const brackets = { ...others, "itemdata[]": itemdata };
  const answer = await trade.node.post(request.path, brackets);
  assert.equal(saidCode(answer), "200");
  const again = await trade.node.post(request.path, { ...brackets, itemdata });
  assert.equal(again.text, answer.text);
});

test("mrc401 §9: the order in which transfer refuses", async () => {
  const { foreign, melted, listed, bound, good } = await trade.faulty();
  await trade.mending("transfer", a, [
    [{ mrc401id: NO_ITEM, fromAddr: "MTx", toAddr: "" }, "400 1000 toAddr"],
    [{ toAddr: NOBODY, itemdata: "[]" }, "400 1005"],
    [{ itemdata: "" }, "400 3190 fromAddr"],
    [{ fromAddr: NOBODY, toAddr: "MTx" }, "400 3190 toAddr"],
    [{ toAddr: NOBODY }, "400 3201"],
    [{ toAddr: NOBODY_ELSE }, "404 6004 mrc401id"],
    [{ mrc401id: foreign }, "404 3090 fromAddr"],
    [{ fromAddr: a.address }, "404 3090 toAddr"],
    [{ toAddr: d.address }, "key"],
    [{}, "403 7001"],
    [{ mrc401id: melted }, "409 7110"],
    [{ mrc401id: listed }, "409 7108"],
    [{ mrc401id: bound }, "409 7109"],
    [{ mrc401id: good }, "200"],
  ]);
});

test("mrc401 §9: the order in which transfer of several refuses", async () => {
  const { foreign, melted, listed, bound, good, second } = await trade.faulty();
  const another = await trade.x({}, await createProject(trade.node, o));
  await trade.mending("transferBatch", a, [
    [{ itemdata: "", fromAddr: "MTx", toAddr: NOBODY }, "400 1000"],
    [{ itemdata: "{" }, "400 3190 fromAddr"],
    [{ fromAddr: NOBODY }, "400 1007 itemdata"],
    [{ itemdata: [] }, "400 3002 itemdata"],
    [{ itemdata: [good, NO_ITEM, NO_ITEM] }, "400 3004 itemdata[2]"],
    [{ itemdata: [another, good, NO_ITEM] }, "400 3201"],
    [{ toAddr: NOBODY_ELSE }, "404 6004 itemdata[2]"],
    [{ itemdata: [good, bound, another, foreign] }, "400 3005 itemdata[2]"],
    [{ itemdata: [good, bound, melted, foreign] }, "404 3090 fromAddr"],
    [{ fromAddr: a.address }, "404 3090 toAddr"],
    [{ toAddr: d.address }, "key"],
    [{}, "403 7001"],
    [{ itemdata: [good, melted] }, "409 7110 itemdata[1]"],
    [{ itemdata: [good, second, listed] }, "409 7108 itemdata[2]"],
    [{ itemdata: [good, bound] }, "409 7109 itemdata[1]"],
    [{ itemdata: [good, second] }, "200"],
  ]);
});

// §2.3 and §2.4: which operation is allowed in which state, for each kind of `transferable`.

type Transferable = "Permanent" | "Temporary" | "Bound";

/** States of an X with reserve 40 and melt_fee 25, which A holds; the bid is B's of 100. */
const STATES: Readonly<Record<string, (transferable: Transferable) => Promise<string>>> = {
  idle: (transferable) => made(transferable, (terms) => trade.x(terms)),
  "on sale": (transferable) => made(transferable, (terms) => trade.onSale(terms)),
  open: (transferable) => made(transferable, (terms) => trade.onAuction(terms)),
  bid: (transferable) =>
    made(transferable, (terms) => trade.onAuction(terms, { bids: [[b, "100"]] })),
  "open, over": (transferable) => over(transferable, "open"),
  "bid, over": (transferable) => over(transferable, "bid"),
  async melted(transferable) {
    const x = await STATES["idle"]?.(transferable);
    assert.ok(x !== undefined && saidCode(await trade.melt(a, x)) === "200");
    return x;
  },
};

async function made(
  transferable: Transferable,
  make: (terms: Element) => Promise<string>,
): Promise<string> {
  const terms = { initial_reserve: "40", melt_fee: "25" };
  if (transferable !== "Bound") {
    return make({ ...terms, transferable });
  }
  const x = await make({ ...terms, transferable: "Temporary" });
  await trade.bind(x);
  return x;
}

async function over(transferable: Transferable, state: string): Promise<string> {
  const x = await STATES[state]?.(transferable);
  assert.ok(x !== undefined);
  await trade.untilEnd(x);
  return x;
}

/** Columns: idle, on sale, open, bid, open and over, bid and over, melted; `+` is done, `7109` for Bound items only, `+7109` done unless Bound. */
const ALLOWED: Readonly<Record<string, string>> = {
  transfer: "+7109 7108 7108 7108 7108 7108 7110",
  sell: "+7109 7108 7108 7108 7108 7108 7110",
  unsell: "7106 + 7106 7106 7106 7106 7106",
  buy: "7106 +7109 7106 7106 7106 7106 7110",
  melt: "+ 7108 7108 7108 7108 7108 7110",
  auction: "+7109 7108 7108 7108 7108 7108 7110",
  unauction: "7106 7106 + 7104 + 7104 7106",
  bid: "7106 7106 +7109 +7109 7202|7109 7202|7109 7110",
  auctionfinish: "7106 7106 7201 7201 + + 7106",
  update: "+ + + + + + 7110",
};

const ACTS: Readonly<Record<string, (x: string) => Promise<Answered>>> = {
  transfer: (x) => trade.transfer(a, x, d),
  sell: (x) => trade.sell(a, x),
  unsell: (x) => trade.unsell(a, x),
  buy: (x) => trade.buy(d, x),
  melt: (x) => trade.melt(a, x),
  auction: (x) => trade.auction(a, x),
  unauction: (x) => trade.unauction(a, x),
  bid: (x) => trade.bid(d, x, "105"),
  auctionfinish: (x) => trade.finish(x),
  update: (x) => trade.update(x, { groupid: "g" }),
};

/** What is different in an item afterwards, and who was paid. */
function done(word: string, state: string): { fields: Partial<ItemRecord>; moved: string } {
  const { now } = trade.node;
  const isBid = state.startsWith("bid");
  switch (word) {
    case "transfer":
      return { fields: { owner: d.address, holder: d.address }, moved: "" };
    case "sell": {
      const sale = { sell_date: now, sell_price: "300", sell_token: "0", listing_fee: "10" };
      return { fields: sale, moved: "" };
    }
    case "buy":
      return { fields: traded(d, now, ["Sell", "300"]), moved: "o +30, a +270, d -300" };
    case "melt": {
      const fields = { owner: "MELTED", holder: "", melting_date: now };
      return { fields, moved: "o +10, a +30" };
    }
    case "auction": {
      const fields = {
        auction_date: now,
        auction_end: now + AUCTION_MIN,
        auction_bidding_unit: "5",
        auction_start_price: "100",
        auction_buynow_price: "502",
        listing_fee: "10",
      };
      return { fields, moved: "" };
    }
    case "bid": {
      const fields = { auction_current_price: "105", auction_current_bidder: d.address };
      return { fields, moved: isBid ? "b +100, d -105" : "d -105" };
    }
    case "auctionfinish":
      return isBid
        ? { fields: traded(b, now, ["Auction", "100"]), moved: "o +10, a +90" }
        : { fields: UNLISTED, moved: "" };
    case "update":
      return { fields: { groupid: "g" }, moved: "" };
    default:
      return { fields: UNLISTED, moved: "" };
  }
}

for (const [word, row] of Object.entries(ALLOWED)) {
  suite(`${word} in every state`, () => {
    before(reopen);
    const cells = row.split(" ");
    for (const [at, [state, make]] of Object.entries(STATES).entries()) {
      for (const transferable of ["Permanent", "Temporary", "Bound"] as const) {
        const cell = cells[at] ?? "";
        const [free = "", bound = free] = cell.startsWith("+7")
          ? ["+", cell.slice(1)]
          : cell.split("|");
        const answer = transferable === "Bound" ? bound : free;
        test(`mrc401 §2.3: ${word} of an item that is ${state} and ${transferable}: ${answer === "+" ? "done" : answer}`, async () => {
          const x = await make(transferable);
          const item = await trade.record(x);
          const outcome = await trade.outcome(() => ACTS[word]?.(x) as Promise<Answered>);
          if (answer !== "+") {
            assert.equal(outcome, `409 ${answer}`);
            return;
          }
          const { fields, moved } = done(word, state);
          assert.equal(outcome, moved === "" ? "200" : `200: ${moved}`);
          assert.deepEqual(await trade.record(x), { ...item, ...fields });
        });
      }
    }
  });
}

test("mrc401 §9: a batch of 100 is moved, one of 101 is 3002, also of none; the text is signed as it was sent", async () => {
  const elements = Array.from({ length: 100 }, () => ({}));
  const ids = await trade.collection.items(trade.cast.q, o, ...elements);
  const itemdata = JSON.stringify(ids, null, 1);
  const toAddr = a.address;
  for (const wrong of [[...ids, NO_ITEM], []]) {
    const answer = await trade.collection.send("transferBatch", o, { itemdata: wrong, toAddr });
    assert.equal(said(answer), "400 3002 itemdata");
  }
  const answer = await trade.collection.send("transferBatch", o, { itemdata, toAddr });
  assert.equal(said(answer), "200");
  const owners = await Promise.all(ids.map(async (id) => (await trade.record(id)).owner));
  assert.deepEqual(new Set(owners), new Set([a.address]));
});
