import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import { assertRecords } from "../../testing/shown/expected-records.ts";
import { paidText, payoutRecords } from "../../testing/shown/item-payouts.ts";
import { NO_ITEM, NOBODY, UNLISTED } from "../../testing/trade/item-terms.ts";
import { ItemTrade, traded } from "../../testing/trade/item-trade.ts";

const AMOUNT_MAX = 10n ** 40n;

let trade: ItemTrade;
let o: Address;
let a: Address;
let b: Address;
let d: Address;
before(async () => {
  trade = await ItemTrade.open({ tokens: 9 });
  ({ o, a, b, d } = trade.cast);
  for (const by of [o, b, d]) {
    await trade.client.pay(by, 10_000n, { token: "2" });
  }
});
after(() => trade[Symbol.dispose]());

test("mrc401 §18 row 41: B buys X at 300: B -300, O +30, A +270; owner B; last_trade 300, 0, Sell; sell_date 0", async () => {
  const x = await trade.onSale();
  const item = trade.shown(x);
  trade.now += 7;
  assert.equal((await trade.buy(b, x)).outcome, "done: o +30, a +270, b -300");
  assert.deepEqual(trade.shown(x), {
    ...item,
    ...traded(b, trade.now, ["Sell", "300"]),
  });
});

for (const { at, terms, price, moved } of [
  { at: "§18 row 42", terms: {}, price: "9", moved: "a +9, b -9" },
  { at: "§18 row 43", terms: { melt_fee: "50" }, price: "300", moved: "o +30, a +270, b -300" },
  { at: "§2.4", terms: {}, price: "10", moved: "o +1, a +9, b -10" },
  { at: "§2.4", terms: { sell_fee: "0" }, price: "300", moved: "a +300, b -300" },
  { at: "§2.4", terms: { sell_fee: "33.3333" }, price: "100", moved: "o +33, a +67, b -100" },
  { at: "§2.4", terms: { sell_fee: "2.5" }, price: "502", moved: "o +12, a +490, b -502" },
  { at: "§2.4", terms: { sell_fee: "0.0001" }, price: "999999", moved: "a +999999, b -999999" },
  { at: "§2.4", terms: { sell_fee: "99.9999" }, price: "1", moved: "a +1, b -1" },
  { at: "§2.4", terms: { sell_fee: "99.9999" }, price: "10", moved: "o +9, a +1, b -10" },
]) {
  test(`mrc401 ${at}: X with ${JSON.stringify(terms)} sold at ${price}: ${moved}`, async () => {
    const x = await trade.onSale(terms, { price });
    await trade.client.pay(b, BigInt(price));
    assert.equal((await trade.buy(b, x)).outcome, `done: ${moved}`);
  });
}

test("mrc401 §18 row 44: O sells F1 (sell_fee 10) at 300, B buys: O +300, and O's item that is not fresh: the same", async () => {
  const f1 = await trade.fresh();
  const back = await trade.x();
  assert.equal((await trade.transfer(a, back, o)).code, "done");
  for (const id of [f1, back]) {
    assert.equal((await trade.sell(o, id)).code, "done");
    assert.equal((await trade.buy(b, id)).outcome, "done: o +300, b -300");
    trade.assertItem(id, traded(b, trade.now, ["Sell", "300"]));
  }
});

test("mrc401 §18 row 45: O with 299 / 300 buys X at 300: 5000 / O -300 +30", async () => {
  const x = await trade.onSale();
  const has = BigInt(trade.client.held(o));
  await trade.client.pay(b, has - 299n, { token: "0", from: o });
  assert.equal((await trade.buy(o, x)).outcome, "400 5000");
  await trade.client.pay(o, 1n);
  assert.equal((await trade.buy(o, x)).outcome, "done: o -270, a +270");
  trade.assertItem(x, { owner: o, holder: o });
  await trade.client.pay(o, has);
});

test("mrc401 §18 row 46: sell_fee 99.9999, price 10^40: F = 9999990000000000000000000000000000000000, seller gets 10^34", async () => {
  const rich = await trade.newcomer("rich", 0n, { "8": AMOUNT_MAX });
  const x = await trade.onSale({ sell_fee: "99.9999" }, { price: String(AMOUNT_MAX), token: "8" });
  assert.equal(
    (await trade.buy(rich, x)).outcome,
    `done: o +9999990000000000000000000000000000000000 of 8, a +${10n ** 34n} of 8, rich -${AMOUNT_MAX} of 8`,
  );
  trade.assertItem(x, traded(rich, trade.now, ["Sell", String(AMOUNT_MAX), "8"]));
});

test("mrc401 §18 row 47: A buys its X: 3004; O buys F1: 3004, also if S has put it on sale", async () => {
  const x = await trade.onSale();
  assert.equal((await trade.buy(a, x)).outcome, "400 3004");
  const f1 = await trade.fresh();
  assert.equal((await trade.buy(o, f1)).outcome, "400 3004");
  assert.equal((await trade.sell(trade.cast.s, f1)).code, "done");
  assert.equal((await trade.buy(o, f1)).outcome, "400 3004");
  assert.equal((await trade.buy(trade.cast.s, f1)).outcome, "done: o +300, s -300");
});

for (const { what, make, answer } of [
  { what: "not on sale", make: () => trade.x(), answer: "409 7106" },
  { what: "on auction", make: () => trade.onAuction(), answer: "409 7106" },
  { what: "melted", make: () => melted(), answer: "409 7110" },
]) {
  test(`mrc401 §18 row 48: buy of X ${what}: ${answer}`, async () => {
    const x = await make();
    assert.equal((await trade.buy(b, x)).outcome, answer);
  });
}

async function melted(): Promise<string> {
  const x = await trade.x();
  assert.equal((await trade.melt(a, x)).code, "done");
  return x;
}

for (const { expected, answer } of [
  { expected: { price: "299" }, answer: "409 7112" },
  { expected: { price: "301" }, answer: "409 7112" },
  { expected: { price: "300", token: "7" }, answer: "409 7112" },
  { expected: { token: "7" }, answer: "409 7112" },
  { expected: { price: "x" }, answer: "400 1101" },
  { expected: { token: "x" }, answer: "400 1101" },
  { expected: { price: "300" }, answer: "done: o +30, a +270, b -300" },
  { expected: { price: "300", token: "0" }, answer: "done: o +30, a +270, b -300" },
  { expected: { price: "", token: "" }, answer: "done: o +30, a +270, b -300" },
]) {
  for (const signed of ["short", "full"] as const) {
    test(`mrc401 §18 row 49: X at 300, buy with ${JSON.stringify(expected)}, signed ${signed}: ${answer}`, async () => {
      const params = { mrc401id: await trade.onSale(), ...expected };
      const buying = () =>
        trade.send("mrc401buy", b, signed === "full" ? { ...params, signed } : params);
      assert.equal((await buying()).outcome, answer);
    });
  }
}

test("mrc401 §18 row 50: of two buys of X the second is 7106", async () => {
  const x = await trade.onSale();
  assert.equal((await trade.buy(b, x)).outcome, "done: o +30, a +270, b -300");
  assert.equal((await trade.buy(d, x)).outcome, "409 7106");
});

test("mrc401 §12: X is sold for another token, of which B needs the whole price; what is locked does not count", async () => {
  const e = await trade.newcomer("e", 1000n, { "9": 299n });
  await trade.client.pay(e, 500n, { token: "9", unlockdate: trade.now + 99 });
  const x = await trade.onSale({}, { token: "9" });
  assert.equal((await trade.buy(e, x)).outcome, "400 5000");
  await trade.client.pay(e, 1n, { token: "9" });
  const sold = "done: o +30 of 9, a +270 of 9, e -300 of 9";
  assert.equal((await trade.buy(e, x)).outcome, sold);
  trade.assertItem(x, traded(e, trade.now, ["Sell", "300", "9"]));
});

test("mrc401 §18 row 60: X, now Temporary, made Bound while on sale: buy 7109, unsell accepted, melt before unsell 7108, after accepted", async () => {
  const x = await trade.onSale({ transferable: "Temporary" });
  await trade.bind(x);
  assert.equal((await trade.buy(b, x)).outcome, "409 7109");
  assert.equal((await trade.melt(a, x)).outcome, "409 7108");
  assert.equal((await trade.unsell(a, x)).outcome, "done");
  trade.assertItem(x, { ...UNLISTED, owner: a, transferable: "Bound" });
  assert.equal((await trade.sell(a, x)).outcome, "409 7109");
  assert.equal((await trade.melt(a, x)).outcome, "done");
});

for (const { change, answer } of [
  { change: { melt_fee: "99.9999" }, answer: "409 7112 maxmeltfee" },
  { change: { melt_fee: "5" }, answer: "done" },
  { change: { sell_fee: "10.0001" }, answer: "409 7112 maxsellfee" },
  { change: { transferable: "Bound" }, answer: "409 7112 transferable" },
  { change: { transferable: "Permanent" }, answer: "409 7112 transferable" },
  { change: { groupid: "rare" }, answer: "done" },
]) {
  test(`mrc401 §18 row 81: after the owner's ${JSON.stringify(change)}, buy and bid with guards of before: ${answer}`, async () => {
    const guards = { maxmeltfee: "10", maxsellfee: "10", transferable: "Temporary" };
    const terms = { melt_fee: "10", transferable: "Temporary" };
    const [sale, lot] = [await trade.onSale(terms), await trade.onAuction(terms)];
    for (const id of [sale, lot]) {
      assert.equal((await trade.update(id, change)).code, "done");
    }
    const full = { ...guards, signed: "full" };
    assert.equal((await trade.buy(b, sale, guards)).said, "400 3005 maxmeltfee");
    assert.equal((await trade.bid(b, lot, "100", guards)).said, "400 3005 maxmeltfee");
    assert.equal((await trade.buy(b, sale, full)).said, answer);
    assert.equal((await trade.bid(b, lot, "100", full)).said, answer);
  });
}

test("mrc401 §12: the order in which buy refuses", async () => {
  const e = await trade.newcomer("e", 299n);
  const temporary = { transferable: "Temporary" };
  const [own, idle, melted] = [await trade.x(), await trade.x(), await trade.x()];
  const [bound, sale] = [await trade.onSale(temporary), await trade.onSale()];
  assert.equal((await trade.transfer(a, own, e)).code, "done");
  assert.equal((await trade.sell(e, own)).code, "done");
  assert.equal((await trade.melt(a, melted)).code, "done");
  await trade.bind(bound);
  await trade.mending("mrc401buy", e, [
    [{ transferable: "Temporary", maxsellfee: "x" }, "400 1000 mrc401id"],
    [{ mrc401id: NO_ITEM, buyer: "MTx", price: "301", token: "" }, "400 3190 buyer"],
    [{ buyer: NOBODY, price: "x" }, "400 1101 price"],
    [{ price: "301", token: "x" }, "400 1101 token"],
    [{ token: "9" }, "400 3005 maxsellfee"],
    [{ maxsellfee: "10" }, "400 3005 maxsellfee"],
    [{ signed: "full" }, "404 6004 mrc401id"],
    [{ mrc401id: own }, "404 3090 buyer"],
    [{ buyer: e }, "key"],
    [{}, "400 3004"],
    [{ mrc401id: melted }, "409 7110"],
    [{ mrc401id: idle }, "409 7106"],
    [{ mrc401id: bound }, "409 7112 transferable"],
    [{ transferable: "" }, "409 7109"],
    [{ mrc401id: sale }, "409 7112"],
    [{ price: "300" }, "409 7112"],
    [{ token: "0" }, "400 5000"],
  ]);
  await trade.client.pay(e, 1n);
  assert.equal((await trade.buy(e, sale)).outcome, "done: o +30, a +270, e -300");
});

// biome-ignore format: a line for each case
for (const { what, price, fee, rest, buyer, fresh, token } of [
  { what: "row 41", price: "300", fee: "30", rest: "270", buyer: () => b, fresh: false, token: "0" },
  { what: "token 2", price: "300", fee: "30", rest: "270", buyer: () => b, fresh: false, token: "2" },
  { what: "row 42, no fee", price: "9", fee: "0", rest: "9", buyer: () => b, fresh: false, token: "0" },
  { what: "price 1", price: "1", fee: "0", rest: "1", buyer: () => b, fresh: false, token: "0" },
  { what: "price 10", price: "10", fee: "1", rest: "9", buyer: () => b, fresh: false, token: "0" },
  { what: "row 44, F1", price: "300", fee: "0", rest: "300", buyer: () => b, fresh: true, token: "0" },
  { what: "row 45, O buys", price: "300", fee: "30", rest: "270", buyer: () => o, fresh: false, token: "2" },
]) {
  for (const signed of ["short", "full"] as const) {
    test(`mrc401 §12: buy, ${what}, signed ${signed}: M, A of what was paid, I with payments`, async () => {
      const [id, h, by] = [await (fresh ? trade.fresh() : trade.x()), fresh ? o : a, buyer()];
      assert.equal((await trade.sell(h, id, { price, token })).code, "done");
      const more = signed === "full" ? { signed } : { buyer: "" };
      const answer = await trade.done("mrc401buy", by, { mrc401id: id, ...more });
    const { signature, tkey } = answer;
      const of = ["receive_mrc401fee", "receive_mrc401sell"] as const;
      const text = paidText(
        ["mrc401_buy", by, id, price, token],
        ["mrc401_recv_fee", id, o, fee, token],
        ["mrc401_recv_sell", id, h, rest, token],
      );
      const paying = [by, id, price, token, signature, "0", "", id, tkey];
      assertRecords(trade.client, 
        answer,
        [
          { type: "transfer_mrc401buy", of: by, parameters: paying, moved: [token] },
          ...payoutRecords({ id, token, paid: [[of[0], h, o, fee], [of[1], by, h, rest]] }, answer),
          {
            type: "mrc401_buy",
            of: id,
            parameters: [id, h, by, text, signature, tkey],
          },
        ],
        token,
      );
    });
  }
}

test("mrc401 §12: the record of a purchase of row 41 in full", async () => {
  const id = await trade.onSale();
  const answer = await trade.done("mrc401buy", b, { mrc401id: id });
  const { signature, tkey } = answer;
  assert.deepEqual(answer.effects.at(-1), {
    type: "mrc401_buy",
    address: "",
    item: id,
    token: 0,
    parameters: [
      id,
      a,
      b,
      `[{"from_addr":"${b}","to_addr":"${id}","amount":"300","token":"0","trade_amount":"","trade_id":"","type":"mrc401_buy"},` +
        `{"from_addr":"${id}","to_addr":"${o}","amount":"30","token":"0","trade_amount":"","trade_id":"","type":"mrc401_recv_fee"},` +
        `{"from_addr":"${id}","to_addr":"${a}","amount":"270","token":"0","trade_amount":"","trade_id":"","type":"mrc401_recv_sell"}]`,
      signature,
      tkey,
    ],
    values: {
      last_trade_amount: "300",
      last_trade_date: trade.now,
      last_trade_type: "Sell",
      listing_fee: "0",
      owner: b,
      sell_date: 0,
      sell_price: "0",
    },
  });
  assert.equal(trade.shown(id).mrc400, trade.cast.q);
});
