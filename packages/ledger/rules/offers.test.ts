import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { Address } from "@moneta/protocol";
import type { Params } from "../testing/admitted.ts";
import { createUnits } from "../testing/trade/creations.ts";
import { ItemTrade, traded } from "../testing/trade/item-trade.ts";

const HOUR = 3600;

let trade: ItemTrade;
let a: Address;
let b: Address;
before(async () => {
  trade = await ItemTrade.open({ tokens: 9 });
  ({ a, b } = trade.cast);
});
after(() => trade[Symbol.dispose]());
beforeEach(() => {
  trade.now += 1;
});

/** B offers 50 coins for an item or a project. */
function offering(id: string, more: Params = {}): Params {
  return { id, price: "50", token: "0", end: String(trade.now + HOUR), ...more };
}

function offer(id: string, more: Params = {}): Promise<string> {
  return trade.client.make("mrc401offer", b, offering(id, more));
}

function accept(by: Address, offerid: string, more: Params = {}) {
  return trade.send("mrc401acceptoffer", by, { offerid, ...more });
}

test("offers §3: an offer of 50 for a group pays A 50 less the fee, and gives B the sword", async () => {
  const { q } = trade.cast;
  const [sword, shield] = [await trade.x({ groupid: "swords" }), await trade.x({ groupid: "s" })];
  trade.now += 1;
  const offerid = await offer(q, { groupid: "swords" });
  const late = await trade.x({ groupid: "swords" });
  await trade.update(shield, { groupid: "swords" });
  trade.now += 1;
  assert.equal((await accept(a, offerid, { mrc401id: late })).summary, "400 3004 mrc401id");
  assert.equal((await accept(a, offerid, { mrc401id: shield })).summary, "400 3004 mrc401id");
  const other = await offer(q, { groupid: "axes" });
  assert.equal((await accept(a, other, { mrc401id: sword })).summary, "400 3004 mrc401id");
  const item = trade.shown(sword);
  const answer = await accept(a, offerid, { mrc401id: sword });
  assert.equal(answer.outcome, "done: o +5, a +45");
  assert.deepEqual(trade.shown(sword), { ...item, ...traded(b, trade.now, ["Sell", "50"]) });
  trade.client.assertEntry(offerid, {
    ...{ state: "accepted", held: "0", close_date: trade.now, mrc401: sword, seller: a },
  });
});

test("offers §3: fees that leave less than atleast: 7112; withdrawn 7106, ended 7202, own 3004", async () => {
  const x = await trade.x();
  const offerid = await offer(x);
  await trade.update(x, { sell_fee: "20" });
  assert.equal((await accept(a, offerid, { atleast: "41" })).summary, "409 7112 atleast");
  assert.equal(
    (await trade.send("mrc401unoffer", a, { offerid, buyer: a })).summary,
    "403 7001 buyer",
  );
  assert.equal((await trade.send("mrc401unoffer", b, { offerid })).outcome, "done: b +50");
  trade.client.assertEntry(offerid, { state: "withdrawn", held: "0", close_date: trade.now });
  assert.equal((await accept(a, offerid)).summary, "409 7106 offerid");
  assert.equal((await trade.send("mrc401unoffer", b, { offerid })).summary, "409 7106 offerid");

  const ending = await offer(x);
  trade.now += HOUR - 1;
  assert.equal((await finish(ending)).summary, "409 7201 offerid");
  trade.now += 1;
  assert.equal((await accept(a, ending)).summary, "409 7202 offerid");
  assert.equal((await finish(ending)).outcome, "done: b +50");
  trade.client.assertEntry(ending, { state: "ended", held: "0", close_date: trade.now });
  assert.equal((await accept(a, ending)).summary, "409 7202 offerid");
  assert.equal((await finish(ending)).summary, "409 7106 offerid");

  const own = await offer(x);
  await trade.give(x, a, b);
  assert.equal((await accept(b, own)).summary, "400 3004 seller");
  assert.equal((await trade.send("mrc401offer", b, offering(x))).summary, "400 3004 buyer");
});

function finish(offerid: string) {
  return trade.client.send("mrc401offerfinish", "", { offerid });
}

test("offers §3: an offer is accepted for an item with terms that its guards accept", async () => {
  const x = await trade.x({ transferable: "Temporary", melt_fee: "10", sell_fee: "5" });
  const guarded: readonly Params[] = [
    { maxmeltfee: "10" },
    { maxsellfee: "5" },
    { transferable: "Permanent" },
  ];
  const offers = [];
  for (const guards of guarded) {
    offers.push(await offer(x, guards));
  }
  const good = await offer(x, { maxmeltfee: "10.5", maxsellfee: "5.5", transferable: "Temprary" });
  trade.client.assertEntry(good, {
    ...{ maxmeltfee: "10.5", maxsellfee: "5.5", transferable: "Temporary" },
  });
  await trade.update(x, { melt_fee: "10.5", sell_fee: "5.5" });
  for (const offerid of offers) {
    assert.equal((await accept(a, offerid)).summary, "409 7112 offerid");
  }
  assert.match((await accept(a, good)).outcome, /^done: /);
});

for (const { seconds, answer } of [
  { seconds: HOUR - 1, answer: "400 1102 end" },
  { seconds: HOUR, answer: "done" },
  { seconds: 90 * 24 * HOUR, answer: "done" },
  { seconds: 90 * 24 * HOUR + 1, answer: "400 1102 end" },
]) {
  test(`offers §2: an offer that ends in ${seconds} s: ${answer}`, async () => {
    const end = String(trade.now + seconds);
    const sent = offering(await trade.x(), { end });
    assert.equal((await trade.client.send("mrc401offer", b, sent)).summary, answer);
  });
}

test("offers §2: the 1,001st open offer of a buyer is 7125; after one is withdrawn it is accepted", async () => {
  const [x, y] = [await trade.x(), await trade.x()];
  const many = await trade.newcomer("many", 10_000n);
  const sent = offering(x, { price: "1" });
  for (let count = 0; count < 10; count += 1) {
    const answers = await trade.client.block(
      Array.from({ length: 100 }, () => ["mrc401offer", many, sent] as const),
    );
    assert.ok(answers.every(({ summary: reported }) => reported === "done"));
  }
  assert.equal((await trade.send("mrc401offer", many, offering(y))).summary, "409 7125 buyer");
  const units = await trade.client.send("mrc401offer", many, sent);
  assert.equal(units.summary, "409 7125 buyer");
  const offerid = (await trade.client.send("mrc401offer", b, offering(y))).made[0] as string;
  assert.equal((await accept(a, offerid)).outcome, "done: o +5, a +45");
});

test("an offer is due from its end on until it is closed, so that a node closes it", async () => {
  const { ledger } = trade.client;
  const due = (): readonly string[] =>
    ledger.reading(() => ledger.reader.dueAuctions.list(trade.now, 5000).map(({ id }) => id));
  const offerid = await offer(await trade.x());
  trade.now += HOUR - 1;
  assert.ok(!due().includes(offerid));
  trade.now += 1;
  assert.ok(due().includes(offerid));
  assert.equal((await finish(offerid)).outcome, "done: b +50");
  assert.ok(!due().includes(offerid));
});

/** B offers 30 coins for each of 10 units. */
function offeringUnits(id: string, more: Params = {}): Params {
  return { id, amount: "10", price: "30", token: "0", end: String(trade.now + HOUR), ...more };
}

test("offers §3: of an offer for 10 units 4 are bought, then 7 are 3004, which names 6, and 6 close it", async () => {
  const { c } = trade.cast;
  const x = await createUnits(trade.client, c, { creatorcommission: "2.5", totalsupply: "20" });
  await trade.done("mrc402transfer", c, { mrc402id: x, toAddr: a, amount: "20" });
  const made = await trade.send("mrc402offer", b, offeringUnits(x));
  assert.equal(made.outcome, "done: b -300");
  const offerid = made.made[0] as string;
  const sold = (amount: string) => trade.send("mrc402acceptoffer", a, { offerid, amount });
  trade.now += 1;
  assert.equal((await sold("4")).outcome, "done: c +3, a +117, a -4 units, b +4 units");
  trade.client.assertEntry(offerid, { state: "open", remain_amount: "6", held: "180" });
  const seven = await sold("7");
  assert.equal(seven.summary, "400 3004 amount");
  assert.match(String(seven.problem?.detail), /only 6 remain/);
  assert.equal((await sold("6")).outcome, "done: c +4, a +176, a -6 units, b +6 units");
  trade.client.assertEntry(offerid, {
    ...{ state: "accepted", remain_amount: "0", held: "0", close_date: trade.now },
  });
  trade.client.assertEntry(x, {
    ...{ last_trade_date: trade.now, last_trade_amount: "180", last_trade_type: "Sell" },
    sell_count: 0,
  });
  assert.equal((await sold("1")).summary, "409 7106 offerid");
});

test("a price of all units above 10^40 is 1101, and more than the buyer has 5000", async () => {
  const x = await createUnits(trade.client, a);
  const price = String(10n ** 40n);
  const offered = async (more: Params): Promise<string> =>
    (await trade.send("mrc402offer", b, offeringUnits(x, more))).summary;
  assert.equal(await offered({ price }), "400 1101 price");
  assert.equal(await offered({ price, amount: "1" }), "400 5000");
});
