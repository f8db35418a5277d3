import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import type { Params } from "../../testing/admitted.ts";
import { TestClient } from "../../testing/test-client.ts";
import { createCast, type Role } from "../../testing/trade/cast.ts";
import {
  createItems,
  createUnitItems,
  type Element,
  PROJECT,
} from "../../testing/trade/creations.ts";
import { AUCTION } from "../../testing/trade/item-terms.ts";

let client: TestClient;
before(async () => {
  client = await TestClient.open({ tokens: 9 });
});
after(() => client[Symbol.dispose]());

const HOUR = 3600;
const DAY = 86_400;

/** The cast of mrc401 §18 in a project with a policy. */
async function cast(
  policy: object,
): Promise<Readonly<Record<Role, Address>> & { readonly q: string }> {
  return createCast(client, { coins: 1_000_000n, project: { policy, signed: "full" } });
}

/** What becomes of an operation: `done`, or code and parameter of its refusal. */
async function summaryOf(op: string, by: Address, params: Params): Promise<string> {
  return (await client.send(op, by, params)).summary;
}

const transfer = (by: Address, mrc401id: string, toAddr: Address): Promise<string> =>
  summaryOf("mrc401transfer", by, { mrc401id, toAddr });
const sell = (by: Address, id: string, price: string, token = "0"): Promise<string> =>
  summaryOf("mrc401sell", by, { itemdata: [{ id, price, token }] });
const auction = (by: Address, id: string, more: Element = {}): Promise<string> =>
  summaryOf("mrc401auction", by, { itemdata: [{ id, ...AUCTION, ...more }] });
const buy = (by: Address, mrc401id: string): Promise<string> =>
  summaryOf("mrc401buy", by, { mrc401id });
const bid = (by: Address, mrc401id: string, amount: string): Promise<string> =>
  summaryOf("mrc401bid", by, { mrc401id, amount });

/** A new item of a project that its owner has given to another address. */
async function given(q: string, from: Address, to: Address, terms: Element = {}): Promise<string> {
  const [id] = (await createItems(client, q, from, terms)) as [string];
  await client.done("mrc401transfer", from, { mrc401id: id, toAddr: to });
  return id;
}

test("policies §3: policy market: B transfers to C / to O / O to C / B sells, C buys", async () => {
  const { o, b, c, q } = await cast({ transfers: "market" });
  const x = await given(q, o, b);
  assert.equal(await transfer(b, x, c), "409 7120 mrc401id");
  assert.equal(await transfer(b, x, o), "done");
  assert.equal(await transfer(o, x, c), "done");
  assert.equal(await sell(c, x, "300"), "done");
  assert.equal(await buy(b, x), "done");
  assert.equal(await auction(b, x), "done");
  assert.equal(await bid(c, x, AUCTION.buynow), "done");
  client.assertEntry(x, { holder: c, policy: { transfers: "market" }, policy_number: 1 });
});

test("policies §4: in a group a transfer is 7120 and a sale or purchase 7124, each with its index", async () => {
  const { o, b, c, q } = await cast({ transfers: "market" });
  const x = await given(q, o, b);
  const paid = ["transfer", c, { to: b, token: "0", amount: "90" }] as const;
  const sale = ["mrc401sell", b, { itemdata: [{ id: x, price: "10", token: "0" }] }] as const;
  const handed = ["mrc401transfer", b, { mrc401id: x, toAddr: c }] as const;
  assert.equal((await client.group([paid, handed])).summary, "1: 409 7120 mrc401id");
  assert.equal((await client.group([paid, sale])).summary, "1: 409 7124 itemdata[0]");
  assert.equal(await sell(b, x, "10"), "done");
  const purchase = ["mrc401buy", c, { mrc401id: x }] as const;
  assert.equal((await client.group([paid, purchase])).summary, "1: 409 7124 mrc401id");
  const lot = await given(q, o, b);
  assert.equal(await auction(b, lot), "done");
  const bidding = ["mrc401bid", c, { mrc401id: lot, amount: "100" }] as const;
  assert.equal((await client.group([paid, bidding])).summary, "1: 409 7124 mrc401id");
  const returned = await given(q, o, b);
  const back = ["mrc401transfer", b, { mrc401id: returned, toAddr: o }] as const;
  assert.equal((await client.group([paid, back])).summary, "done");
  const created = ["mrc401create", o, { mrc400id: q, itemdata: [{ sell_price: "5" }] }] as const;
  assert.equal((await client.group([paid, created])).summary, "1: 409 7124 itemdata[0]");
});

test("policies §4: in a group also the sale of an item with a highest price alone is 7124", async () => {
  const { o, b, c, q } = await cast({ maxprice: "110" });
  const x = await given(q, o, b, { face_price: "100" });
  const paid = ["transfer", c, { to: b, token: "0", amount: "90" }] as const;
  const sale = ["mrc401sell", b, { itemdata: [{ id: x, price: "10", token: "0" }] }] as const;
  assert.equal((await client.group([paid, sale])).summary, "1: 409 7124 itemdata[0]");
});

/** An offer for an item, which ends in an hour; its id. */
function offered(by: Address, id: string, price: string, token: string): Promise<string> {
  return client.make("mrc401offer", by, { id, price, token, end: String(client.now + HOUR) });
}

test("policies §5: maxprice 110, face 100: sold at 110; 111 and 100 of another token are 3022", async () => {
  const { o, a, b, c, q } = await cast({ maxprice: "110" });
  const face = { face_price: "100", face_token: "7" };
  const x = await given(q, o, b, face);
  assert.equal(await sell(b, x, "111", "7"), "400 3022 itemdata[0].price");
  assert.equal(await sell(b, x, "100"), "400 3022 itemdata[0]");
  assert.equal(await sell(b, x, "110", "7"), "done");
  client.assertEntry(x, { ...face, sell_price: "110" });
  const lot = await given(q, o, b, face);
  const prices = { start: "100", bidding: "1", token: "7" };
  assert.equal(await auction(b, lot, { ...prices, buynow: "111" }), "400 3022 itemdata[0].buynow");
  assert.equal(
    await auction(b, lot, { ...prices, start: "111", buynow: "0" }),
    "400 3022 itemdata[0].start",
  );
  assert.equal(await auction(b, lot, { ...prices, buynow: "0" }), "done");
  for (const who of [a, c]) {
    await client.pay(who, 1000n, { token: "7" });
  }
  assert.equal(await bid(c, lot, "111"), "400 3022 amount");
  assert.equal(await bid(c, lot, "110"), "done");
  const [low, high] = [await offered(c, x, "110", "7"), await offered(c, x, "111", "7")];
  const coins = await offered(c, x, "100", "0");
  assert.equal(await summaryOf("mrc401acceptoffer", b, { offerid: high }), "400 3022 offerid");
  assert.equal(await summaryOf("mrc401acceptoffer", b, { offerid: coins }), "400 3022 mrc401id");
  assert.equal(await summaryOf("mrc401acceptoffer", b, { offerid: low }), "done");
  client.assertEntry(x, { owner: c, sell_price: "0", last_trade_amount: "110" });
  const listed = { mrc400id: q, itemdata: [{ ...face, sell_price: "111", sell_token: "7" }] };
  assert.equal(await summaryOf("mrc401create", o, listed), "400 3022 itemdata[0].sell_price");
  assert.equal(
    await summaryOf("mrc401create", o, { mrc400id: q, itemdata: [{}] }),
    "400 3005 itemdata[0].face_price",
  );
});

test("policies §5: the start price of a lot is at most the highest price of each of its units", async () => {
  const { p, q } = await cast({ maxprice: "110" });
  const terms = { totalsupply: "10", face_price: "100" };
  const [id] = (await createUnitItems(client, q, p, terms)) as [string];
  const lot = (price: string): Promise<string> =>
    summaryOf("mrc402auction", p, { id, amount: "3", token: "0", auction_start_price: price });
  assert.equal(await lot("331"), "400 3022 auction_start_price");
  assert.equal(await lot("330"), "done");
});

test("policies §6: an item that is created with a sale has its holder since then, too", async () => {
  const { o, q } = await cast({ cooldown: String(HOUR) });
  const itemdata = [{ sell_price: "5" }, { auction_start_price: "5" }];
  for (const id of (await client.done("mrc401create", o, { mrc400id: q, itemdata })).made) {
    client.assertEntry(id, { held_since: client.now });
  }
});

test("policies §6.1: closes in an hour: an auction of a day / a purchase after it: 7207", async () => {
  const closes = client.now + HOUR;
  const { o, b, c, q } = await cast({ closes: String(closes) });
  const [x, lot, sold] = [await given(q, o, b), await given(q, o, b), await given(q, o, b)];
  const dayLater = { end: String(client.now + DAY) };
  assert.equal(await auction(b, lot, dayLater), "409 7207 itemdata[0]");
  assert.equal(await auction(b, lot, { end: String(closes) }), "done");
  assert.equal(await bid(c, lot, "100"), "done");
  assert.equal(await sell(b, x, "10"), "done");
  client.now = closes;
  assert.equal(await buy(c, x), "409 7207 mrc401id");
  assert.equal(await transfer(b, sold, c), "409 7207 mrc401id");
  assert.equal(await sell(b, sold, "10"), "409 7207 itemdata[0]");
  assert.equal(await transfer(b, sold, o), "done");
  assert.equal(await buy(o, x), "done");
  await client.done("mrc401auctionfinish", "", { mrc401id: lot });
  client.assertEntry(lot, { holder: c });
});

test("policies §6.1: a soft close moves the end up to closes, but not that of the issuer's auction", async () => {
  const closes = client.now + HOUR + 100;
  const { o, b, c, d, q } = await cast({ closes: String(closes) });
  const lot = await given(q, o, b);
  const soft = { end: String(client.now + HOUR), extend: "300" };
  assert.equal(await auction(b, lot, soft), "done");
  client.assertEntry(lot, { auction_latest_end: closes });
  const [own] = (await createItems(client, q, o, {})) as [string];
  assert.equal(await auction(o, own, soft), "done");
  client.assertEntry(own, { auction_latest_end: client.now + HOUR + DAY });
  client.now = closes - 150;
  assert.equal(await bid(c, lot, "100"), "done");
  client.assertEntry(lot, { auction_end: closes });
  client.now = closes - 1;
  assert.equal(await bid(d, lot, "105"), "done");
  client.assertEntry(lot, { auction_end: closes });
  client.now = closes;
  assert.equal(await bid(c, lot, "110"), "409 7202 mrc401id");
  await client.done("mrc401auctionfinish", "", { mrc401id: lot });
  client.assertEntry(lot, { holder: d });
});

test("policies §6: before opens holders do not change, but list what is sold then", async () => {
  const opens = client.now + 2 * HOUR;
  const { o, b, c, q } = await cast({ opens: String(opens) });
  const [x, lot] = [await given(q, o, b), await given(q, o, b)];
  assert.equal(await transfer(b, x, c), "409 7206 mrc401id");
  assert.equal(await sell(b, x, "10"), "done");
  assert.equal(await buy(c, x), "409 7206 mrc401id");
  assert.equal(await auction(b, lot, { end: String(opens - 1) }), "409 7206 itemdata[0]");
  assert.equal(await auction(b, lot, { end: String(opens) }), "done");
  assert.equal(await bid(c, lot, AUCTION.buynow), "409 7206 mrc401id");
  assert.equal(await bid(c, lot, AUCTION.start), "done");
  client.now = opens;
  assert.equal(await buy(c, x), "done");
  await client.done("mrc401auctionfinish", "", { mrc401id: lot });
});

test("policies §6: an item stays for its cooldown, but from and to the issuer", async () => {
  const { o, b, c, d, q } = await cast({ cooldown: String(HOUR) });
  const x = await given(q, o, b);
  client.assertEntry(x, { held_since: client.now });
  assert.equal(await transfer(b, x, c), "409 7208 mrc401id");
  assert.equal(await sell(b, x, "10"), "409 7208 itemdata[0]");
  assert.equal(await auction(b, x), "409 7208 itemdata[0]");
  assert.equal(await transfer(b, x, o), "done");
  assert.equal(await transfer(o, x, b), "done");
  client.now += HOUR;
  assert.equal(await sell(b, x, "10"), "done");
  assert.equal(await buy(c, x), "done");
  client.assertEntry(x, { held_since: client.now });
  assert.equal(await transfer(c, x, d), "409 7208 mrc401id");
});

test("policies §7: maxheld 2: C holds 1 and leads for another; a third is 7122; outbid, C buys it", async () => {
  const { o, b, c, d, q } = await cast({ maxheld: "2" });
  const [, lot, third, fourth] = [
    await given(q, o, c),
    await given(q, o, b),
    await given(q, o, b),
    await given(q, o, d),
  ];
  assert.equal(await auction(b, lot), "done");
  assert.equal(await bid(c, lot, "100"), "done");
  assert.equal(await sell(b, third, "10"), "done");
  assert.equal(await buy(c, third), "409 7122 mrc401id");
  assert.equal(await transfer(d, fourth, c), "409 7122 mrc401id");
  assert.equal(await bid(d, lot, "105"), "done");
  assert.equal(await buy(c, third), "done");
  assert.equal(await bid(c, lot, "110"), "409 7122 mrc401id");
  assert.equal(await bid(d, lot, AUCTION.buynow), "done");
  assert.equal(await summaryOf("mrc401melt", c, { mrc401id: third }), "done");
  assert.equal(await transfer(d, fourth, c), "done");
});

test("policies §7: maxheld does not bind the owner of the project, who gets units of their creator", async () => {
  const { o, p, b, q } = await cast({ maxheld: "2" });
  const [id] = (await createUnitItems(client, q, p, { totalsupply: "10" })) as [string];
  const move = (toAddr: Address): Promise<string> =>
    summaryOf("mrc402transfer", p, { mrc402id: id, toAddr, amount: "3" });
  assert.equal(await move(b), "409 7122 mrc402id");
  assert.equal(await move(o), "done");
});

test("policies §3.3: a partner's class of units with issuer: hands out, hands on, gives back", async () => {
  const { p, a, b, q } = await cast({ transfers: "issuer" });
  const [class1] = (await createUnitItems(client, q, p, { totalsupply: "10" })) as [string];
  const move = (from: Address, toAddr: Address, amount: string): Promise<string> =>
    summaryOf("mrc402transfer", from, { mrc402id: class1, toAddr, amount });
  assert.equal(await move(p, a, "4"), "done");
  assert.equal(await move(a, b, "1"), "409 7120 mrc402id");
  assert.equal(await move(a, p, "1"), "done");
  const sale = { mrc402id: class1, amount: "1", price: "5", token: "0" };
  assert.equal(await summaryOf("mrc402sell", a, { ...sale, id: class1 }), "409 7120 id");
  const listed = { mrc400id: q, itemdata: [{ sell_price: "5" }] };
  assert.equal(await summaryOf("mrc402create", p, listed), "409 7120 itemdata[0]");
});

test("policies §8: the old item keeps its policy when the project gets another", async () => {
  const { o, b, c, q } = await cast({ transfers: "none" });
  const [kept] = (await createItems(client, q, o, {})) as [string];
  const free = { mrc400id: q, policy: {}, signed: "full" };
  assert.equal(await summaryOf("mrc400update", o, free), "done");
  assert.equal(await summaryOf("mrc400update", o, free), "400 4900");
  client.assertEntry(q, { policy: {}, policy_number: 0 });
  assert.equal(await transfer(o, kept, b), "409 7120 mrc401id");
  assert.equal(await sell(o, kept, "5"), "409 7120 itemdata[0]");
  assert.equal(await auction(o, kept), "409 7120 itemdata[0]");
  const x = await given(q, o, b);
  assert.equal(await transfer(b, x, c), "done");
  const again = { ...free, policy: { terms: "changeable", transfers: "none" } };
  assert.equal(await summaryOf("mrc400update", o, again), "done");
  client.assertEntry(q, { policy: { transfers: "none" }, policy_number: 1 });
});

test("policies §8: terms fixed: raise melt_fee, lower it, Temporary to Bound, to Permanent", async () => {
  const { o, p, q } = await cast({ terms: "fixed" });
  const terms = { melt_fee: "5", sell_fee: "5", transferable: "Temporary" };
  const [x] = (await createItems(client, q, o, terms)) as [string];
  const [units] = (await createUnitItems(client, q, p, terms)) as [string];
  for (const [op, id] of [
    ["mrc401update", x],
    ["mrc402itemupdate", units],
  ] as const) {
    const update = (change: Element): Promise<string> =>
      summaryOf(op, o, { mrc400id: q, itemdata: [{ id, ...change }] });
    assert.equal(await update({ melt_fee: "5.1" }), "409 7121 itemdata[0].melt_fee");
    assert.equal(await update({ sell_fee: "5.1" }), "409 7121 itemdata[0].sell_fee");
    assert.equal(await update({ melt_fee: "4", sell_fee: "4" }), "done");
    assert.equal(await update({ transferable: "Bound" }), "409 7121 itemdata[0].transferable");
    assert.equal(await update({ transferable: "Permanent" }), "done");
  }
  const tokens = { mrc400id: q, allowtoken: "7" };
  assert.equal(await summaryOf("mrc400update", o, tokens), "409 7121 allowtoken");
});

test("policies §1: a project has had at most 100 policies, an equal one is used again", async () => {
  const [o] = Object.values(await client.people(["o"]));
  const policy = (n: number): Params => ({ policy: { maxheld: String(n) }, signed: "full" });
  const q = await client.make("mrc400create", o as Address, { ...PROJECT, ...policy(1) });
  for (let n = 2; n <= 100; n += 1) {
    await client.done("mrc400update", o as Address, { mrc400id: q, ...policy(n) });
  }
  const change = (n: number): Promise<string> =>
    summaryOf("mrc400update", o as Address, { mrc400id: q, ...policy(n) });
  assert.equal(await change(101), "409 7123 policy");
  assert.equal(await change(50), "done");
  client.assertEntry(q, { policy: { maxheld: 50 }, policy_number: 50 });
});

test("policies §1: a policy needs a full signature", async () => {
  const { o, q } = await cast({});
  const { problem, summary: refused } = await client.send("mrc400update", o, {
    mrc400id: q,
    policy: {},
  });
  assert.equal(refused, "401 2010 policy");
  assert.match(problem?.detail ?? "", /signed=full/);
});

// biome-ignore format: a line for each case
for (const { policy, answer } of [
  { policy: "[]", answer: "400 1007 policy" },
  { policy: { price: "5" }, answer: "400 3005 policy.price" },
  { policy: { transfers: "some" }, answer: "400 3005 policy.transfers" },
  { policy: { transfers: 5 }, answer: "400 1007 policy" },
  { policy: { maxprice: "0" }, answer: "400 3005 policy.maxprice" },
  { policy: { maxprice: "10000.0001" }, answer: "400 3005 policy.maxprice" },
  { policy: { maxprice: "10000" }, answer: "done" },
  { policy: { opens: "9", closes: "9" }, answer: "400 3005 policy.closes" },
  { policy: { closes: -1 }, answer: "400 1102 policy.closes" },
  { policy: { cooldown: "31536001" }, answer: "400 1101 policy.cooldown" },
  { policy: { maxheld: 1000001 }, answer: "400 1101 policy.maxheld" },
  { policy: { maxheld: 1000000, cooldown: 31536000 }, answer: "done" },
  { policy: `{"terms":"fixed"${" ".repeat(1024)}}`, answer: "400 3005 policy" },
]) {
  test(`policies §1: policy ${JSON.stringify(policy).slice(0, 60)}: ${answer}`, async () => {
    const [o] = Object.values(await client.people(["o"])) as [Address];
    assert.equal(await summaryOf("mrc400create", o, { ...PROJECT, policy, signed: "full" }), answer);
  });
}
