import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type { Address } from "@moneta/protocol";
import type { Params } from "../../testing/admitted.ts";
import type { Answer } from "../../testing/answer.ts";
import { assertRecords } from "../../testing/shown/expected-records.ts";
import { createItems } from "../../testing/trade/creations.ts";
import { NOBODY, NOBODY_ELSE } from "../../testing/trade/item-terms.ts";
import { NO_UNIT_ITEM } from "../../testing/trade/unit-terms.ts";
import { type UnitCast, UnitTrade } from "../../testing/trade/unit-trade.ts";

let trade: UnitTrade;
let cast: UnitCast;
let c: Address;
let a: Address;
let b: Address;
let d: Address;
let o: Address;
beforeEach(async () => {
  trade = await UnitTrade.open({ tokens: 9, coins: 1000n });
  ({ cast } = trade);
  ({ c, a, b, d, o } = cast);
});
afterEach(() => trade[Symbol.dispose]());

function transfer(
  from: Address,
  to: Address,
  mrc402id: string,
  amount?: string,
  more: Params = {},
): Promise<Answer> {
  const given = amount === undefined ? {} : { amount };
  const params = { mrc402id, toAddr: to, ...given, ...more };
  return trade.send("transfer", from, params);
}

async function setTransferable(id: string, transferable: string): Promise<Answer> {
  const itemdata = [{ id, transferable }];
  return trade.send("itemupdate", o, { mrc400id: cast.project, itemdata });
}

test("mrc402 §18 row 3: C sends 3 to A in quantity form, then 1 in item form: C 96, A 4, owner empty, holders 2", async () => {
  c = await trade.newcomer("c", 500n, { "7": 1000n });
  const initialreserve = { "0": "5", "7": "10" };
  const x = await trade.alone(c, { totalsupply: "100", initialreserve });
  trade.assertItem(x, { owner: c, holders: 1 });
  assert.equal((await transfer(c, a, x, "3")).outcome, "done: a +3 units, c -3 units");
  assert.equal((await transfer(c, a, x)).outcome, "done: a +1 units, c -1 units");
  assert.deepEqual([trade.has(c, x), trade.has(a, x)], ["96", "4"]);
  const reserve = { "0": "500", "7": "1000" };
  trade.assertItem(x, { owner: "", holders: 2, totalsupply: "100", reserve });
});

for (const side of ["sell", "auction"] as const) {
  test(`mrc402 §18 row 39: U ${side === "sell" ? "on sale" : "on auction"}: transfer it: 7108, owner still the seller; sell and auction it again: 7108`, async () => {
    const u = await trade.ofO({}, { a: 1 });
    await trade.list(side, a, u, { amount: "1" });
    assert.equal((await transfer(a, b, u)).outcome, "409 7108");
    assert.equal((await transfer(a, b, u, "1")).outcome, "409 7108");
    assert.equal((await transfer(a, b, u, "2")).outcome, "400 5000");
    for (const [word, params] of [
      ["sell", { id: u, amount: "1", price: "1", token: "0" }],
      ["auction", { id: u, amount: "1", auction_start_price: "1", token: "0" }],
      ["melt", { mrc402id: u }],
    ] as const) {
      assert.equal((await trade.send(word, a, params)).outcome, "409 7108", word);
    }
    trade.assertItem(u, { owner: a, holders: 1 });
  });
}

test("mrc402 §2.2: free units can be transferred while others are listed, and only those", async () => {
  const x = await trade.x({ totalsupply: "20" }, { a: 10 });
  const sale = await trade.list("sell", a, x, { amount: "4" });
  await trade.list("auction", a, x, { amount: "3" });
  assert.equal(trade.has(a, x), "3 + 4 on sale + 3 on auction");
  assert.equal((await transfer(a, b, x, "4")).outcome, "409 7108");
  assert.equal((await transfer(a, b, x, "10")).outcome, "409 7108");
  assert.equal((await transfer(a, b, x, "11")).outcome, "400 5000");
  assert.equal((await transfer(a, b, x, "3")).outcome, "done: a -3 units, b +3 units");
  assert.equal((await transfer(a, b, x)).outcome, "409 7108");
  await trade.done("unsell", a, { id: sale });
  assert.equal((await transfer(a, b, x, "4")).outcome, "done: a -4 units, b +4 units");
  trade.assertItem(x, { owner: "", holders: 3 });
});

test("mrc402 §2.3: only who holds units transfers them: neither creator, project's owner, roles nor strangers, named or by key", async () => {
  const u = await trade.ofO({}, { a: 1 });
  for (const by of [o, cast.partner, cast.seller, cast.maker, d]) {
    assert.equal((await transfer(by, b, u)).outcome, "403 7001");
    assert.equal((await transfer(by, b, u, "2")).outcome, "403 7001");
  }
  assert.equal((await transfer(a, b, u)).outcome, "done: a -1 units, b +1 units");
  assert.equal((await transfer(a, b, u)).outcome, "403 7001");
  trade.assertItem(u, { owner: b });
  assert.equal((await transfer(b, o, u)).outcome, "done: b -1 units, o +1 units");
  trade.assertItem(u, { owner: o, creator: o });
});

test("mrc402 §2.4: Bound: 7109, whoever asks; Temporary and Permanent pass", async () => {
  const { project } = cast;
  const bound = await trade.item(project, o, { transferable: "Bound", totalsupply: "3" });
  assert.equal((await transfer(o, a, bound)).outcome, "409 7109");
  assert.equal((await transfer(o, a, bound, "4")).outcome, "409 7109", "state before balances");
  assert.equal((await transfer(d, a, bound)).outcome, "403 7001", "permission before state");
  const u = await trade.ofO({ transferable: "Temporary", totalsupply: "3" }, { a: 1 });
  assert.equal((await transfer(a, b, u)).outcome, "done: a -1 units, b +1 units");
  assert.equal((await setTransferable(u, "Bound")).code, "done");
  assert.equal((await transfer(b, a, u)).outcome, "409 7109");
  assert.equal((await transfer(o, a, u)).outcome, "409 7109");
  const free = await trade.ofO({ transferable: "Temporary" }, { a: 1 });
  assert.equal((await setTransferable(free, "Permanent")).code, "done");
  assert.equal((await transfer(a, b, free, "1")).outcome, "done: a -1 units, b +1 units");
});

test("mrc402 §2.3: a project's item is anybody's once it has been given; melting date does not hold it", async () => {
  const expiredate = String(trade.now + 1000);
  const x = await trade.x({ totalsupply: "5", expiredate, initialreserve: { "0": "3" } }, { a: 5 });
  assert.equal((await transfer(a, b, x, "5")).outcome, "done: a -5 units, b +5 units");
  trade.assertItem(x, { owner: b, holders: 1, reserve: { "0": "15" } });
});

for (const { sent, amount } of [
  { sent: {}, amount: "" },
  { sent: { amount: "3", tag: "t", memo: "a|b 😀" }, amount: "3" },
  { sent: { amount: "5", tag: "t", memo: "m" }, amount: "5" },
] as const) {
  test(`mrc402 §6: a transfer of ${amount || "one unit"}: records M and A`, async () => {
    trade.now += 10;
    const x = await trade.x({ totalsupply: "5" }, { a: 5 });
    const params = { mrc402id: x, toAddr: b, ...sent };
    const answer = await trade.done("transfer", a, params);
    const {
      tag = "",
      memo = "",
    }: { readonly tag?: string; readonly memo?: string; readonly amount?: string } = sent;
    const parameters = [a, b, amount, x, tag, memo, answer.signature, answer.tkey];
    assertRecords(trade.client, answer, [
      { type: "transfer_mrc402", of: a, parameters, units: [x] },
      { type: "receive_mrc402", of: b, parameters, units: [x] },
    ]);
  });
}

test("mrc402 §6: of tag the first 64, of memo the first 2048 code points are kept", async () => {
  const x = await trade.x({ totalsupply: "5" }, { a: 5 });
  const params = { mrc402id: x, toAddr: b, tag: "😀".repeat(65), memo: "é".repeat(2049) };
  const { record, effects } = await trade.done("transfer", a, params);
  assert.deepEqual(record.parameters.slice(4, 6), ["😀".repeat(64), "é".repeat(2048)]);
  assert.deepEqual(effects[0]?.parameters, record.parameters);
});

test("mrc402 §1.6: ids of an MRC401 item, of the project and of an item with another case are unknown here", async () => {
  const [unique = ""] = await createItems(trade.client, cast.project, o, {});
  const x = await trade.alone(c);
  for (const id of [unique, cast.project, x.toLowerCase(), x.toUpperCase(), `${x}0`]) {
    assert.equal((await transfer(o, a, id)).outcome, "404 6004", id);
  }
});

test("mrc402 §6: to oneself: 3201, with and without amount", async () => {
  const x = await trade.x({ totalsupply: "5" }, { a: 5 });
  assert.equal((await transfer(a, a, x)).outcome, "400 3201");
  assert.equal((await transfer(a, a, x, "1")).outcome, "400 3201");
});

test("mrc402 §6: the order in which a transfer refuses", async () => {
  const { project } = cast;
  const foreign = await trade.alone(c, { totalsupply: "9" });
  const ended = await trade.item(project, o, { transferable: "Temporary" });
  await trade.give(ended, o, a);
  assert.equal((await trade.send("melt", a, { mrc402id: ended })).code, "done");
  const bound = await trade.item(project, o, { transferable: "Temporary", totalsupply: "4" });
  await trade.give(bound, o, a, "4");
  await trade.list("sell", a, bound, { amount: "2" });
  assert.equal((await setTransferable(bound, "Bound")).code, "done");
  const listed = await trade.x({ totalsupply: "9" }, { a: 4 });
  await trade.list("sell", a, listed, { amount: "2" });
  await trade.mending("transfer", { by: a, stranger: c }, [
    [{ mrc402id: NO_UNIT_ITEM, fromAddr: NOBODY, toAddr: "", amount: "x" }, "400 1000"],
    [{ toAddr: NOBODY }, "400 1101"],
    [{ amount: "0" }, "400 1206"],
    [{ amount: "3", toAddr: "MTx" }, "400 3190"],
    [{ toAddr: NOBODY }, "400 3201"],
    [{ toAddr: NOBODY_ELSE }, "404 3090"],
    [{ fromAddr: a }, "404 3090"],
    [{ toAddr: b }, "404 6004"],
    [{ mrc402id: foreign }, "key"],
    [{}, "403 7001"],
    [{ mrc402id: ended }, "409 7110"],
    [{ mrc402id: bound }, "409 7109"],
    [{ mrc402id: listed }, "409 7108"],
    [{ amount: "5" }, "400 5000"],
    [{ amount: "2" }, "done"],
  ]);
  const both = { mrc402id: NO_UNIT_ITEM, toAddr: NOBODY_ELSE };
  assert.equal(
    (await trade.send("transfer", a, { ...both, fromAddr: NOBODY })).said,
    "404 3090 fromAddr",
  );
  assert.equal((await trade.send("transfer", a, both)).said, "404 3090 toAddr");
});
