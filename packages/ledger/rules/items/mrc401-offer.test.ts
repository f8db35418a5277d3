import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { type Address, bundledKey } from "@moneta/protocol";
import { derivedId } from "../../state/ids/derived-id.ts";
import type { Params } from "../../testing/admitted.ts";
import { ItemTrade, traded } from "../../testing/trade/item-trade.ts";

const HOUR = 3600;

let trade: ItemTrade;
let o: Address;
let a: Address;
let b: Address;
before(async () => {
  trade = await ItemTrade.open({ tokens: 9 });
  ({ o, a, b } = trade.cast);
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

test("assets §7 row 14: of an offer for any item of group swords A has 50 less fee, and B the sword", async () => {
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

test("a bundle accepts an offer, makes one and withdraws it", async () => {
  const { q } = trade.cast;
  const offerid = await offer(await trade.x());
  const tkey = trade.client.ledger.key(a);
  const made = derivedId("OFF401", a, bundledKey(tkey, 1));
  const operations = [
    { operation: "mrc401acceptoffer", seller: a, offerid },
    { operation: "mrc401offer", buyer: a, ...offering(q, { price: "7" }) },
    { operation: "mrc401unoffer", buyer: a, offerid: made },
  ];
  const body = JSON.stringify({ actor: a, tkey, operations });
  assert.equal((await trade.send("bundle", a, { body })).outcome, "done: o +5, a +45");
  trade.client.assertEntry(offerid, { state: "accepted", held: "0" });
  trade.client.assertEntry(made, { state: "withdrawn", held: "0" });
});

test("the entry of an offer has the guards that the buyer gave, and no others", async () => {
  const x = await trade.x();
  const guards = ({
    maxmeltfee,
    maxsellfee,
    transferable,
  }: {
    readonly [name: string]: unknown;
  }) => [maxmeltfee, maxsellfee, transferable];
  const entryOf = async (more: Params) => {
    const offerid = await offer(x, more);
    return guards(trade.client.entry(offerid) ?? {});
  };
  assert.deepEqual(await entryOf({}), [undefined, undefined, undefined]);
  assert.deepEqual(await entryOf({ maxsellfee: "5" }), [undefined, "5", undefined]);
  assert.deepEqual(await entryOf({ maxmeltfee: "99.9999" }), [undefined, undefined, undefined]);
});

test("assets §7 row 15: accepted after the fee rose with atleast above what is left: 7112; withdrawn 7106, ended 7202, own 3004", async () => {
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

test("offers §8 row 6: an offer is accepted for an item with terms that its guards accept", async () => {
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

test("assets §7 row 16: the 1,001st open offer of a buyer is 7125, and one that is withdrawn makes room", async () => {
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

test("records of an offer: its buyer's, its own, those of its acceptance and the item's", async () => {
  const x = await trade.x();
  const end = String(trade.now + HOUR);
  const made = await trade.client.send("mrc401offer", b, offering(x));
  const offerid = made.made[0] as string;
  const signed = [made.signature, made.tkey];
  const terms = [offerid, b, x, "", "50", "0", end, ...signed];
  assert.deepEqual([made.record?.type, made.record?.parameters], ["mrc401offer", terms]);
  const answer = await accept(a, offerid);
  const by = [answer.signature, answer.tkey];
  const { record } = answer;
  assert.deepEqual(record?.parameters, [a, offerid, "50", "0", by[0], "0", "", x, by[1]]);
  const payments = JSON.stringify(
    [
      { to: o, amount: "5", type: "mrc401_recv_fee" },
      { to: a, amount: "45", type: "mrc401_recv_sell" },
    ].map(({ to: to_addr, amount, type }) => ({
      ...{ from_addr: offerid, to_addr, amount, token: "0", trade_amount: "", trade_id: "", type },
    })),
  );
  const sold = [offerid, a, b, x, payments, ...by];
  assert.deepEqual(
    record?.effects.map(({ type, address, item, parameters }) => [
      type,
      address || item,
      parameters,
    ]),
    [
      ["receive_mrc401acceptoffer", b, [a, b, "50", "0", by[0], "0", offerid, x, by[1]]],
      ["receive_mrc401fee", o, [a, o, "5", "0", by[0], "0", "", x, by[1]]],
      ["receive_mrc401sell", a, [b, a, "45", "0", by[0], "0", "", x, by[1]]],
      ["mrc401_acceptoffer", x, sold],
      ["mrc401_acceptoffer", offerid, sold],
    ],
  );
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
