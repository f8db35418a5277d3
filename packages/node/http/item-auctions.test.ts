import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import {
  changed,
  createItems,
  createProject,
  type Element,
  itemRecord,
  itemRequest,
  renamed,
  sendItem,
} from "../testing/item-requests.ts";
import {
  AUCTION,
  AUCTION_MAX,
  AUCTION_MIN,
  ItemTrade,
  traded,
  UNLISTED,
} from "../testing/item-trade.ts";
import { TemporaryDirectory } from "../testing/temporary-directory.ts";
import {
  type KeyHolder,
  parsed,
  START,
  said,
  saidCode,
  signatureOf,
  TestNode,
} from "../testing/test-node.ts";
import { AMOUNT_MAX } from "../testing/token-requests.ts";

// Rows 66 to 78 of mrc401 §18, and sections 14 to 17. After each case row 80 holds.

let trade: ItemTrade;
let o: KeyHolder;
let a: KeyHolder;
let b: KeyHolder;
let d: KeyHolder;
before(async () => {
  trade = await ItemTrade.open({ tokens: 9 });
  ({ o, a, b, d } = trade.cast);
});
after(() => trade[Symbol.asyncDispose]());
afterEach(() => trade.assertConserved());

/** After row 68: B bid 100, D 105. */
const row68 = (terms: Element = {}): Promise<string> =>
  trade.onAuction(
    { sell_fee: "2.5", ...terms },
    {
      bids: [
        [b, "100"],
        [d, "105"],
      ],
    },
  );

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
  const shown =
    end === undefined ? "absent" : JSON.stringify(end(START)).replaceAll(String(START), "T");
  test(`mrc401 §18 row 66: auction X: end ${shown}: auction_end T+${ends}`, async () => {
    const { now } = trade.node;
    const x = await trade.onAuction({}, { change: end === undefined ? {} : { end: end(now) } });
    await trade.assertItem(x, { auction_date: now, auction_end: now + ends });
  });
}

test("mrc401 §14: a deployment whose block 0 says so has auctions of 5 to 60 seconds", async () => {
  using directory = new TemporaryDirectory("genesis");
  const file = join(directory.path, "genesis.json");
  const made = JSON.parse(readFileSync(join(trade.node.data, "genesis.json"), "utf8")) as object;
  writeFileSync(file, JSON.stringify({ ...made, auctionMin: 5, auctionMax: 60 }));
  await using node = await TestNode.start("--genesis", file);
  const holder = await node.holder();
  const ids = await createItems(node, await createProject(node, holder), holder, [{}, {}, {}]);
  const lengths = [0, 7, 61];
  const itemdata = ids.map((id, n) => ({ id, ...AUCTION, end: START + (lengths[n] ?? 0) }));
  const answer = await sendItem(node, await itemRequest(node, "auction", holder, { itemdata }));
  assert.equal(said(answer), "200");
  const ends = await Promise.all(ids.map(async (id) => (await itemRecord(node, id)).auction_end));
  assert.deepEqual(
    ends.map((end) => end - START),
    [5, 7, 60],
  );
});

// biome-ignore format: a line for each case
for (const { terms, answer, item } of [
  { terms: { buynow: "100" }, answer: "400 3005 itemdata[0].buynow" },
  { terms: { buynow: "99" }, answer: "400 3005 itemdata[0].buynow" },
  { terms: { bnynow: "100" }, answer: "400 3005 itemdata[0].buynow" },
  { terms: { bnynow: "101" }, answer: "200", item: { auction_buynow_price: "101" } },
  { terms: { buynow: "101", bnynow: "101" }, answer: "200", item: { auction_buynow_price: "101" } },
  { terms: { buynow: "101", bnynow: "102" }, answer: "400 1005 itemdata[0].buynow" },
  { terms: { buynow: "0" }, answer: "200", item: { auction_buynow_price: "0" } },
  { terms: { buynow: "x" }, answer: "400 1101 itemdata[0].buynow" },
  { terms: { start: "0" }, answer: "400 1101 itemdata[0].start" },
  { terms: { start: "" }, answer: "400 1000 itemdata[0].start" },
  { terms: { start: String(AMOUNT_MAX + 1n) }, answer: "400 1101 itemdata[0].start" },
  { terms: { start: String(AMOUNT_MAX) }, answer: "200", item: { auction_start_price: String(AMOUNT_MAX) } },
  { terms: { bidding: "0" }, answer: "400 1101 itemdata[0].bidding" },
  { terms: { bidding: "" }, answer: "200", item: { auction_bidding_unit: "1" } },
  { terms: { bidding: 5, start: 100, token: 0 }, answer: "200", item: { auction_bidding_unit: "5" } },
  { terms: { end: "x" }, answer: "400 1102 itemdata[0].end" },
  { terms: { end: "-1" }, answer: "400 1102 itemdata[0].end" },
  { terms: { token: "" }, answer: "400 1000 itemdata[0].token" },
  { terms: { token: "x" }, answer: "400 1101 itemdata[0].token" },
  { terms: { token: "10" }, answer: "404 4001 itemdata[0].token" },
  { terms: { token: "9" }, answer: "200", item: { auction_token: "9" } },
  { terms: { id: "" }, answer: "400 1000 itemdata[0].id" },
] as readonly { terms: Element; answer: string; item?: object }[]) {
  test(`mrc401 §18 row 67: start 100 with ${JSON.stringify(terms)}: ${answer}`, async () => {
    const x = await trade.x();
    const itemdata = [{ id: x, start: "100", token: "0", ...terms }];
    assert.equal(said(await trade.collection.send("auction", a, { itemdata })), answer);
    await trade.assertItem(x, item ?? UNLISTED);
  });
}

test("mrc401 §14: auction sets these fields and no others", async () => {
  const x = await trade.x();
  const item = await trade.record(x);
  trade.node.now += 3;
  assert.equal(await trade.outcome(() => trade.auction(a, x)), "200");
  const { now } = trade.node;
  assert.deepEqual(await trade.record(x), {
    ...item,
    auction_date: now,
    auction_end: now + AUCTION_MIN,
    auction_token: AUCTION.token,
    auction_bidding_unit: AUCTION.bidding,
    auction_start_price: AUCTION.start,
    auction_buynow_price: AUCTION.buynow,
    auction_current_price: "0",
    auction_current_bidder: "",
    listing_fee: "10",
  });
});

test("mrc401 §18 row 68: bids 99; 102; B 100; D 100; D 105: 3004; 3004; B -100; 3004; D -105, B +100", async () => {
  const x = await trade.onAuction({ sell_fee: "2.5" });
  for (const { by, amount, outcome } of [
    { by: b, amount: "99", outcome: "400 3004" },
    { by: b, amount: "102", outcome: "400 3004" },
    { by: b, amount: "100", outcome: "200: b -100" },
    { by: d, amount: "100", outcome: "400 3004" },
    { by: d, amount: "102", outcome: "400 3004" },
    { by: d, amount: "105", outcome: "200: b +100, d -105" },
  ]) {
    assert.equal(await trade.outcome(() => trade.bid(by, x, amount)), outcome);
  }
  const item = { auction_current_price: "105", auction_current_bidder: d.address };
  await trade.assertItem(x, { ...item, owner: a.address, last_trade_date: 0 });
});

for (const { by, amount, token, answer } of [
  { by: "d", amount: "110", token: "", answer: "409 7105" },
  { by: "b", amount: "503", token: "", answer: "400 3004" },
  { by: "a", amount: "110", token: "", answer: "400 3004" },
  { by: "b", amount: "110", token: "7", answer: "400 3004" },
  { by: "b", amount: "501", token: "", answer: "400 3004" },
  { by: "b", amount: "500", token: "0", answer: "200: b -500, d +105" },
] as const) {
  test(`mrc401 §18 row 69: then ${by.toUpperCase()} ${amount}${token && ` of token ${token}`}: ${answer}`, async () => {
    const x = await row68();
    const bidding = () => trade.bid(trade.cast[by], x, amount, { token });
    assert.equal(await trade.outcome(bidding), answer);
  });
}

test("mrc401 §18 row 70: then B 502 with time left: D +105, B -502, O +12, A +490; owner B; last_trade 502 Auction; auction fields reset", async () => {
  const x = await row68();
  const item = await trade.record(x);
  trade.node.now += 9;
  const outcome = "200: o +12, a +490, b -502, d +105";
  assert.equal(await trade.outcome(() => trade.bid(b, x, "502")), outcome);
  const won = { ...item, ...traded(b, trade.node.now, ["Auction", "502"]) };
  assert.deepEqual(await trade.record(x), won);
  assert.equal(await trade.outcome(() => trade.finish(x)), "409 7106");
});

for (const { spendable, outcome } of [
  { spendable: 396n, outcome: "400 5000" },
  { spendable: 397n, outcome: "200: o +12, a +490, e -397" },
]) {
  test(`mrc401 §18 row 71: after 68 instead D 502 with ${spendable} spendable: ${outcome}`, async () => {
    const e = await trade.newcomer("e", 105n + spendable);
    const x = await trade.onAuction({ sell_fee: "2.5" }, { bids: [[b, "100"]] });
    assert.equal(await trade.outcome(() => trade.bid(e, x, "105")), "200: b +100, e -105");
    assert.equal(await trade.outcome(() => trade.bid(e, x, "502")), outcome);
    const owner = outcome === "400 5000" ? a.address : e.address;
    await trade.assertItem(x, { owner });
  });
}

test("mrc401 §16: what is locked does not count, nor does somebody else's bid", async () => {
  const e = await trade.newcomer("e", 109n);
  await trade.node.pay(e, 1000n, { unlockdate: trade.node.now + 1000 });
  const x = await row68();
  assert.equal(await trade.outcome(() => trade.bid(e, x, "110")), "400 5000");
  await trade.node.pay(e, 1n);
  assert.equal(await trade.outcome(() => trade.bid(e, x, "110")), "200: d +105, e -110");
});

test("mrc401 §18 row 72: after 68, T = end: bid 7202; auctionfinish: O +2, A +103, owner D; again 7106", async () => {
  const x = await row68();
  const item = await trade.record(x);
  await trade.untilEnd(x);
  for (const amount of ["110", "502", "1"]) {
    assert.equal(await trade.outcome(() => trade.bid(b, x, amount)), "409 7202");
  }
  trade.node.now += 5;
  assert.equal(await trade.outcome(() => trade.finish(x)), "200: o +2, a +103");
  const won = { ...item, ...traded(d, trade.node.now, ["Auction", "105"]) };
  assert.deepEqual(await trade.record(x), won);
  assert.equal(await trade.outcome(() => trade.finish(x)), "409 7106");
});

test("mrc401 §18 row 73: auctionfinish at end - 1: 7201; bid at end - 1: accepted, end unchanged", async () => {
  const x = await row68();
  const { auction_end } = await trade.record(x);
  trade.node.now = auction_end - 1;
  assert.equal(await trade.outcome(() => trade.finish(x)), "409 7201");
  assert.equal(await trade.outcome(() => trade.bid(b, x, "110")), "200: b -110, d +105");
  await trade.assertItem(x, { auction_end });
});

for (const { how, late, act } of [
  { how: "auctionfinish at the end", late: 0, act: (x: string) => trade.finish(x) },
  { how: "auctionfinish after the end", late: 9, act: (x: string) => trade.finish(x, "GET") },
  { how: "unauction before the end", late: -1, act: (x: string) => trade.unauction(a, x) },
  { how: "unauction after the end", late: 9, act: (x: string) => trade.unauction(a, x) },
]) {
  test(`mrc401 §18 row 74: no bid: ${how}: idle, owner A, last_trade unchanged`, async () => {
    const x = await trade.onSale();
    assert.equal(saidCode(await trade.buy(b, x)), "200");
    assert.equal(saidCode(await trade.transfer(b, x, a)), "200");
    const item = await trade.record(x);
    assert.equal(saidCode(await trade.auction(a, x)), "200");
    await trade.untilEnd(x);
    trade.node.now += late;
    assert.equal(await trade.outcome(() => act(x)), "200");
    assert.deepEqual(await trade.record(x), item);
  });
}

test("mrc401 §2.3: a fresh item that nobody bid for is fresh as before", async () => {
  const x = await trade.fresh();
  const item = await trade.record(x);
  assert.equal(saidCode(await trade.auction(o, x)), "200");
  await trade.untilEnd(x);
  assert.equal(await trade.outcome(() => trade.finish(x)), "200");
  assert.deepEqual(await trade.record(x), item);
});

test("mrc401 §18 row 75: unauction with a bid 7104; of X not on auction 7106, on sale too; auctionfinish of X not on auction 7106", async () => {
  const x = await row68();
  assert.equal(await trade.outcome(() => trade.unauction(a, x)), "409 7104");
  await trade.untilEnd(x);
  assert.equal(await trade.outcome(() => trade.unauction(a, x)), "409 7104");
  for (const idle of [await trade.x(), await trade.onSale(), await trade.fresh()]) {
    const by = (await trade.record(idle)).owner === "" ? o : a;
    assert.equal(await trade.outcome(() => trade.unauction(by, idle)), "409 7106");
    assert.equal(await trade.outcome(() => trade.finish(idle)), "409 7106");
  }
});

test("mrc401 §18 row 76: Temporary item on auction with a bid of 105 made Bound: bid 110 7109; auctionfinish at the end: settled, owner D, Bound", async () => {
  const x = await row68({ transferable: "Temporary" });
  await trade.bind(x);
  for (const amount of ["110", "502"]) {
    assert.equal(await trade.outcome(() => trade.bid(b, x, amount)), "409 7109");
  }
  await trade.untilEnd(x);
  assert.equal(await trade.outcome(() => trade.finish(x)), "200: o +2, a +103");
  const { now } = trade.node;
  await trade.assertItem(x, { ...traded(d, now, ["Auction", "105"]), transferable: "Bound" });
});

test("mrc401 §18 row 77: bid without token, signed X|100||tkey: accepted; without amount: 1000", async () => {
  const x = await trade.onAuction();
  const tkey = await trade.node.key(b);
  const body = { tkey, signature: signatureOf(`${x}|100||${tkey}`, b) };
  const path = `/mrc401/bid/${x}`;
  assert.equal(said(await trade.node.post(path, body)), "400 1000 amount");
  const bidding = () => trade.node.post(path, { ...body, amount: "100" });
  assert.equal(await trade.outcome(bidding), "200: b -100");
});

for (const amount of ["0", "01", "x", "-1", String(AMOUNT_MAX + 1n)]) {
  test(`mrc401 §16: a bid of ${amount}: 1101`, async () =>
    assert.equal(said(await trade.bid(b, await trade.onAuction(), amount)), "400 1101 amount"));
}

test("mrc401 §18 row 78: HEAD on auctionfinish: 405 9405, nothing closed; PUT and DELETE too", async () => {
  const x = await row68();
  await trade.untilEnd(x);
  const item = await trade.record(x);
  for (const method of ["HEAD", "PUT", "DELETE"]) {
    const answer = await trade.node.request(`/mrc401/auctionfinish/${x}`, { method });
    assert.equal(answer.status, 405);
    assert.deepEqual(answer.headers.get("allow")?.split(", ").toSorted(), ["GET", "POST"]);
    assert.equal(method === "HEAD" ? "405 9405" : saidCode(answer), "405 9405");
  }
  assert.deepEqual(await trade.record(x), item);
});

for (const method of ["GET", "POST"] as const) {
  test(`mrc401 §18 row 78: ${method} on auctionfinish closes, and is a write: no-store, no ETag, no key, a block more`, async () => {
    const x = await row68();
    await trade.untilEnd(x);
    const height = await trade.node.height();
    const { status, headers, text } = await trade.node.request(`/mrc401/auctionfinish/${x}/`, {
      method,
      headers: { "If-None-Match": "*" },
    });
    assert.equal(status, 200, text);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.has("etag"), false);
    assert.equal(headers.has("replay-nonce"), false);
    assert.equal(headers.get("ledger-height"), String(height + 1));
    const transaction_id = headers.get("transaction-id");
    assert.deepEqual(JSON.parse(text), { transaction_id, txid: transaction_id });
    await trade.assertItem(x, { owner: d.address });
  });
}

test("mrc401 §2.3: an auction whose end is past stays on auction, its bid in escrow; it is closed as of when it is closed", async () => {
  const x = await row68();
  const item = await trade.record(x);
  await trade.untilEnd(x);
  trade.node.now += 10 * AUCTION_MAX;
  assert.deepEqual(await trade.record(x), item);
  await trade.collection.assertConserved();
  assert.equal(await trade.outcome(() => trade.finish(x)), "200: o +2, a +103");
  await trade.assertItem(x, { last_trade_date: trade.node.now });
});

test("mrc401 §2.4: fees of auctions: none if O is the holder; O who bids gets its fee back; frozen when the auction began", async () => {
  const f1 = await trade.fresh({ sell_fee: "50" });
  assert.equal(saidCode(await trade.auction(o, f1)), "200");
  assert.equal(await trade.outcome(() => trade.bid(b, f1, "502")), "200: o +502, b -502");
  const x = await trade.onAuction();
  assert.equal(saidCode(await trade.update(x, { sell_fee: "50" })), "200");
  await trade.assertItem(x, { sell_fee: "50", listing_fee: "10" });
  assert.equal(await trade.outcome(() => trade.bid(o, x, "100")), "200: o -100");
  await trade.untilEnd(x);
  assert.equal(await trade.outcome(() => trade.finish(x)), "200: o +10, a +90");
  await trade.assertItem(x, traded(o, trade.node.now, ["Auction", "100"]));
  const y = await trade.onAuction({ melt_fee: "50" });
  assert.equal(await trade.outcome(() => trade.bid(o, y, "502")), "200: o -452, a +452");
});

test("mrc401 §2.5: S auctions F1, and may bid for it; O, for whom it acts, may not", async () => {
  const f1 = await trade.fresh();
  const { s } = trade.cast;
  assert.equal(saidCode(await trade.auction(s, f1)), "200");
  assert.equal(await trade.outcome(() => trade.bid(o, f1, "100")), "400 3004");
  assert.equal(await trade.outcome(() => trade.bid(s, f1, "100")), "200: s -100");
  await trade.untilEnd(f1);
  assert.equal(await trade.outcome(() => trade.finish(f1)), "200: o +100");
  await trade.assertItem(f1, { owner: s.address });
});

test("mrc401 §16: without a buy-now price no bid closes the auction; the step counts from the start price", async () => {
  const x = await trade.onAuction({}, { change: { buynow: "0", bidding: "7", start: "3" } });
  for (const [by, amount, outcome] of [
    [b, "7", "400 3004"],
    [b, "14", "400 3004"],
    [b, "10", "200: b -10"],
    [d, "1003", "400 3004"],
    [d, "1004", "200: b +10, d -1004"],
    [b, "3", "400 3004"],
  ] as const) {
    assert.equal(await trade.outcome(() => trade.bid(by, x, amount)), outcome, amount);
  }
});

test("mrc401 §16: the buy-now price is bid at once, or by who leads", async () => {
  const x = await trade.onAuction();
  assert.equal(await trade.outcome(() => trade.bid(b, x, "502")), "200: o +50, a +452, b -502");
  const y = await row68();
  assert.equal(await trade.outcome(() => trade.bid(d, y, "502")), "200: o +12, a +490, d -397");
  await trade.assertItem(y, traded(d, trade.node.now, ["Auction", "502"]));
});

test("mrc401 §16: bids are in the auction's token, up to 10^40, and refunded in it", async () => {
  const all = String(AMOUNT_MAX);
  const x = await trade.onAuction(
    { sell_fee: "99.9999" },
    { change: { token: "8", start: "1", bidding: "1", buynow: "0" } },
  );
  const { collection } = trade;
  await collection.pay(d, "8", AMOUNT_MAX);
  assert.equal(await trade.outcome(() => trade.bid(b, x, "1", { token: "8" })), "400 5000");
  assert.equal(await trade.outcome(() => trade.bid(d, x, "1", { token: "0" })), "400 3004");
  assert.equal(
    await trade.outcome(() => trade.bid(d, x, all, { token: "8" })),
    `200: d -${all} of 8`,
  );
  assert.equal(await trade.outcome(() => trade.bid(b, x, all)), "400 3004");
  await trade.assertItem(x, { auction_current_price: all, auction_token: "8" });
  await trade.untilEnd(x);
  assert.equal(
    await trade.outcome(() => trade.finish(x)),
    `200: o +9999990000000000000000000000000000000000 of 8, a +${10n ** 34n} of 8`,
  );
  await trade.assertItem(x, traded(d, trade.node.now, ["Auction", all, "8"]));
});

test("mrc401 §2.4: an allowtoken that comes later leaves an auction as it is", async () => {
  const { collection } = trade;
  const project = await createProject(trade.node, o);
  const x = await trade.x({}, project);
  assert.equal(saidCode(await trade.auction(a, x, { token: "9" })), "200");
  await collection.done("updateProject", o, { mrc400id: project, allowtoken: "7" });
  await collection.pay(b, "9", 100n);
  assert.equal(await trade.outcome(() => trade.bid(b, x, "100")), "200: b -100 of 9");
  await trade.untilEnd(x);
  assert.equal(await trade.outcome(() => trade.finish(x)), "200: o +10 of 9, a +90 of 9");
  assert.equal(await trade.outcome(() => trade.auction(b, x, { token: "9" })), "400 3005");
});

test("mrc401 §14, §15: several items at once, each on its own terms; all or none", async () => {
  const ids = [await trade.x(), await trade.x(), await trade.x()] as const;
  const itemdata = ids.map((id, n) => ({ id, start: String(100 + n), token: String(n) }));
  const auctioning = () => trade.collection.send("auction", a, { itemdata });
  assert.equal(saidCode(await trade.transfer(a, ids[2], b)), "200");
  assert.equal(await trade.outcome(auctioning), "403 7001");
  assert.equal(saidCode(await trade.transfer(b, ids[2], a)), "200");
  assert.equal(await trade.outcome(auctioning), "200");
  for (const [n, id] of ids.entries()) {
    const terms = { auction_start_price: String(100 + n), auction_token: String(n) };
    await trade.assertItem(id, { ...terms, auction_bidding_unit: "1", auction_buynow_price: "0" });
  }
  assert.equal(saidCode(await trade.bid(b, ids[0], "100")), "200");
  assert.equal(await trade.outcome(() => trade.unauction(a, ids[1], ids[0])), "409 7104");
  assert.equal(await trade.outcome(() => trade.unauction(a, ids[1], ids[2])), "200");
});

for (const alias of ["bidder", "address"]) {
  for (const signed of ["short", "full"] as const) {
    test(`mrc401 §1.3: bid, signed ${signed}: buyer may be called ${alias}; two values of it are 1005`, async () => {
      const params = { mrc401id: await trade.onAuction(), amount: "100" };
      const request = await trade.collection.request("bid", b, params, { signed });
      const twice = changed(request, { [alias]: d.address });
      assert.equal(said(await trade.collection.post(twice)), "400 1005 buyer");
      const answer = await trade.collection.post(renamed(request, { buyer: alias }));
      assert.equal(said(answer), "200");
      const again = await trade.collection.post(changed(request, { [alias]: b.address }));
      assert.deepEqual(parsed(again), parsed(answer));
    });
  }
}

for (const word of ["auction", "unauction"] as const) {
  for (const alias of [{ seller: "address" }, { itemdata: "itemdata[]" }]) {
    test(`mrc401 §1.3: ${word} takes other names: ${JSON.stringify(alias)}`, async () => {
      const id = word === "auction" ? await trade.x() : await trade.onAuction();
      const itemdata = word === "auction" ? [{ id, ...AUCTION }] : [id];
      const request = await trade.collection.request(word, a, { itemdata });
      assert.equal(said(await trade.collection.post(renamed(request, alias))), "200");
    });
  }
}
