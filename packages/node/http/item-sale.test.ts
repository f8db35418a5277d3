import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { changed, createProject, type Element, renamed } from "../testing/item-requests.ts";
import { ItemTrade, NO_ITEM, traded, UNLISTED } from "../testing/item-trade.ts";
import { type KeyHolder, said, saidCode, signatureOf } from "../testing/test-node.ts";
import { AMOUNT_MAX } from "../testing/token-requests.ts";

// Rows 40 to 52 and 57 to 61 of mrc401 §18, and sections 10 to 12. After each case row 80 holds.

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

test("mrc401 §18 row 40: A sells X for 300: on sale; again: 7108", async () => {
  const x = await trade.x();
  const item = await trade.record(x);
  assert.equal(await trade.outcome(() => trade.sell(a, x)), "200");
  const sale = { sell_date: trade.node.now, sell_price: "300", sell_token: "0", listing_fee: "10" };
  assert.deepEqual(await trade.record(x), { ...item, ...sale });
  assert.equal(await trade.outcome(() => trade.sell(a, x, { price: "301" })), "409 7108");
});

for (const { terms, answer, price } of [
  { terms: { price: "0" }, answer: "400 1101 itemdata[0].price" },
  { terms: { amount: "300" }, answer: "200", price: "300" },
  { terms: { price: "300", amount: "300" }, answer: "200", price: "300" },
  { terms: { price: "300", amount: "301" }, answer: "400 1005 itemdata[0].price" },
  { terms: { price: 300, token: 0 }, answer: "200", price: "300" },
  { terms: { price: String(AMOUNT_MAX) }, answer: "200", price: String(AMOUNT_MAX) },
  { terms: { price: String(AMOUNT_MAX + 1n) }, answer: "400 1101 itemdata[0].price" },
  { terms: { price: "01" }, answer: "400 1101 itemdata[0].price" },
  { terms: { price: "-1" }, answer: "400 1101 itemdata[0].price" },
  { terms: { price: "1.0" }, answer: "400 1101 itemdata[0].price" },
  { terms: {}, answer: "400 1000 itemdata[0].price" },
  { terms: { price: "" }, answer: "400 1000 itemdata[0].price" },
  { terms: { price: "1", token: "" }, answer: "400 1000 itemdata[0].token" },
  { terms: { price: "1", token: "x" }, answer: "400 1101 itemdata[0].token" },
  { terms: { price: "1", token: "10" }, answer: "404 4001 itemdata[0].token" },
  { terms: { price: "1", token: "9", more: ["ignored"] }, answer: "200", price: "1" },
] as readonly { terms: Element; answer: string; price?: string }[]) {
  test(`mrc401 §18 row 40: sell for ${JSON.stringify(terms)}: ${answer}`, async () => {
    const x = await trade.x();
    const itemdata = [{ id: x, token: "0", ...terms }];
    assert.equal(said(await trade.collection.send("sell", a, { itemdata })), answer);
    await trade.assertItem(x, { sell_price: price ?? "0" });
  });
}

test("mrc401 §18 row 41: B buys X at 300: B -300, O +30, A +270; owner B; last_trade 300, 0, Sell; sell_date 0", async () => {
  const x = await trade.onSale();
  const item = await trade.record(x);
  trade.node.now += 7;
  assert.equal(await trade.outcome(() => trade.buy(b, x)), "200: o +30, a +270, b -300");
  assert.deepEqual(await trade.record(x), {
    ...item,
    ...traded(b, trade.node.now, ["Sell", "300"]),
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
    await trade.node.pay(b, BigInt(price));
    assert.equal(await trade.outcome(() => trade.buy(b, x)), `200: ${moved}`);
  });
}

test("mrc401 §18 row 44: O sells F1 (sell_fee 10) at 300, B buys: O +300, and O's item that is not fresh: the same", async () => {
  const f1 = await trade.fresh();
  const back = await trade.x();
  assert.equal(saidCode(await trade.transfer(a, back, o)), "200");
  for (const id of [f1, back]) {
    assert.equal(saidCode(await trade.sell(o, id)), "200");
    assert.equal(await trade.outcome(() => trade.buy(b, id)), "200: o +300, b -300");
    await trade.assertItem(id, traded(b, trade.node.now, ["Sell", "300"]));
  }
});

test("mrc401 §18 row 45: O with 299 / 300 buys X at 300: 5000 / O -300 +30", async () => {
  const x = await trade.onSale();
  const [has = "0"] = await trade.node.balances(o, "0");
  const all = { to: b.address, amount: String(BigInt(has) - 299n) };
  const paid = await trade.node.post("/transfer", await trade.node.transfer(o, all));
  assert.equal(saidCode(paid), "200");
  assert.equal(await trade.outcome(() => trade.buy(o, x)), "400 5000");
  await trade.node.pay(o, 1n);
  assert.equal(await trade.outcome(() => trade.buy(o, x)), "200: o -270, a +270");
  await trade.assertItem(x, { owner: o.address, holder: o.address });
  await trade.node.pay(o, BigInt(has));
});

test("mrc401 §18 row 46: sell_fee 99.9999, price 10^40: F = 9999990000000000000000000000000000000000, seller gets 10^34", async () => {
  const rich = await trade.newcomer("rich", 0n, { "8": AMOUNT_MAX });
  const x = await trade.onSale({ sell_fee: "99.9999" }, { price: String(AMOUNT_MAX), token: "8" });
  assert.equal(
    await trade.outcome(() => trade.buy(rich, x)),
    `200: o +9999990000000000000000000000000000000000 of 8, a +${10n ** 34n} of 8, rich -${AMOUNT_MAX} of 8`,
  );
  await trade.assertItem(x, traded(rich, trade.node.now, ["Sell", String(AMOUNT_MAX), "8"]));
});

test("mrc401 §18 row 47: A buys its X: 3004; O buys F1: 3004, also if S has put it on sale", async () => {
  const x = await trade.onSale();
  assert.equal(await trade.outcome(() => trade.buy(a, x)), "400 3004");
  const f1 = await trade.fresh();
  assert.equal(await trade.outcome(() => trade.buy(o, f1)), "400 3004");
  assert.equal(saidCode(await trade.sell(trade.cast.s, f1)), "200");
  assert.equal(await trade.outcome(() => trade.buy(o, f1)), "400 3004");
  assert.equal(await trade.outcome(() => trade.buy(trade.cast.s, f1)), "200: o +300, s -300");
});

for (const { what, make, answer } of [
  { what: "not on sale", make: () => trade.x(), answer: "409 7106" },
  { what: "on auction", make: () => trade.onAuction(), answer: "409 7106" },
  { what: "melted", make: () => melted(), answer: "409 7110" },
]) {
  test(`mrc401 §18 row 48: buy of X ${what}: ${answer}`, async () => {
    const x = await make();
    assert.equal(await trade.outcome(() => trade.buy(b, x)), answer);
  });
}

async function melted(): Promise<string> {
  const x = await trade.x();
  assert.equal(saidCode(await trade.melt(a, x)), "200");
  return x;
}

for (const { expected, answer } of [
  { expected: { price: "299" }, answer: "409 7112" },
  { expected: { price: "301" }, answer: "409 7112" },
  { expected: { price: "300", token: "7" }, answer: "409 7112" },
  { expected: { token: "7" }, answer: "409 7112" },
  { expected: { price: "x" }, answer: "400 1101" },
  { expected: { token: "x" }, answer: "400 1101" },
  { expected: { price: "300" }, answer: "200: o +30, a +270, b -300" },
  { expected: { price: "300", token: "0" }, answer: "200: o +30, a +270, b -300" },
  { expected: { price: "", token: "" }, answer: "200: o +30, a +270, b -300" },
]) {
  for (const signed of ["short", "full"] as const) {
    test(`mrc401 §18 row 49: X at 300, buy with ${JSON.stringify(expected)}, signed ${signed}: ${answer}`, async () => {
      const params = { mrc401id: await trade.onSale(), ...expected };
      const buying = () => trade.collection.send("buy", b, params, { signed });
      assert.equal(await trade.outcome(buying), answer);
    });
  }
}

test("mrc401 §12: a full signature covers price and token, a short one does not", async () => {
  const params = { mrc401id: await trade.onSale(), price: "299" };
  for (const signed of ["full", "short"] as const) {
    const request = await trade.collection.request("buy", b, params, { signed });
    const answer = await trade.collection.post(changed(request, { price: "300" }));
    assert.equal(saidCode(answer), signed === "full" ? "401 2010" : "200");
  }
});

test("mrc401 §18 row 50: of two buys of X the second is 7106", async () => {
  const x = await trade.onSale();
  assert.equal(await trade.outcome(() => trade.buy(b, x)), "200: o +30, a +270, b -300");
  assert.equal(await trade.outcome(() => trade.buy(d, x)), "409 7106");
});

test("mrc401 §18 row 51: buy without buyer, key of B, signed X|tkey by B: B buys", async () => {
  const x = await trade.onSale();
  const tkey = await trade.node.key(b);
  const signature = signatureOf(`${x}|${tkey}`, b);
  const buying = () => trade.node.post(`/mrc401/buy/${x}`, { tkey, signature });
  assert.equal(await trade.outcome(buying), "200: o +30, a +270, b -300");
});

for (const place of ["", "A"]) {
  test(`mrc401 §18 row 52: sell without seller, signed ${place}|itemdata|tkey: accepted`, async () => {
    const x = await trade.x();
    const tkey = await trade.node.key(a);
    const itemdata = `[ {"id":"${x}", "price":"300","token":"0"} ]`;
    const signature = signatureOf([place && a.address, itemdata, tkey].join("|"), a);
    const selling = () => trade.node.post("/mrc401/sell", { itemdata, tkey, signature });
    assert.equal(await trade.outcome(selling), "200");
    await trade.assertItem(x, { sell_price: "300" });
  });
}

test("mrc401 §18 row 57: sell_fee 10 while X is on sale at 300, O sets 50, B buys: O +30; B relists at 300, D buys: O +150", async () => {
  const x = await trade.onSale();
  assert.equal(saidCode(await trade.update(x, { sell_fee: "50" })), "200");
  await trade.assertItem(x, { sell_fee: "50", listing_fee: "10" });
  assert.equal(await trade.outcome(() => trade.buy(b, x)), "200: o +30, a +270, b -300");
  await trade.assertItem(x, { sell_fee: "50", listing_fee: "0" });
  assert.equal(saidCode(await trade.sell(b, x)), "200");
  await trade.assertItem(x, { listing_fee: "50" });
  assert.equal(await trade.outcome(() => trade.buy(d, x)), "200: o +150, b +150, d -300");
});

test("mrc401 §18 row 58: sell of 3, one not A's: nothing on sale; unsell likewise", async () => {
  const ids = [await trade.x(), await trade.x(), await trade.x()] as const;
  assert.equal(saidCode(await trade.transfer(a, ids[1], b)), "200");
  assert.equal(await trade.outcome(() => trade.sell(a, ids)), "403 7001");
  assert.equal(saidCode(await trade.sell(a, [ids[0], ids[2]])), "200");
  assert.equal(saidCode(await trade.sell(b, ids[1])), "200");
  assert.equal(await trade.outcome(() => trade.unsell(a, ids[0], ids[2], ids[1])), "403 7001");
  assert.equal(await trade.outcome(() => trade.unsell(a, ids[0], ids[2])), "200");
});

for (const word of ["sell", "unsell", "auction", "unauction"] as const) {
  test(`mrc401 §18 row 59: /mrc401/${word}/Q with an item of another project: 3005; with its own, and without: accepted`, async () => {
    const { collection, cast } = trade;
    const another = await createProject(trade.node, o);
    const ids = [await trade.x(), await trade.x({}, another)] as const;
    const terms = { price: "300", token: "0", start: "100" };
    for (const id of ids) {
      if (word === "unsell" || word === "unauction") {
        const made = word === "unsell" ? trade.sell(a, id) : trade.auction(a, id);
        assert.equal(saidCode(await made), "200");
      }
    }
    const itemdataOf = (...some: readonly string[]) =>
      word.startsWith("un") ? some : some.map((id) => ({ id, ...terms }));
    for (const wrong of [ids, ids.toReversed()]) {
      const params = { mrc400id: cast.q, itemdata: itemdataOf(...wrong) };
      const answer = said(await collection.send(word, a, params));
      assert.ok(answer.startsWith(`400 3005 itemdata[${wrong.indexOf(ids[1])}]`), answer);
    }
    const unknown = { mrc400id: NO_ITEM.slice(0, 40), itemdata: itemdataOf(ids[0]) };
    assert.equal(said(await collection.send(word, a, unknown)), "404 6004 mrc400id");
    const own = { mrc400id: cast.q, itemdata: itemdataOf(ids[0]) };
    const { params } = await collection.request(word, a, own);
    const asParameter = { ...params, mrc400id: NO_ITEM.slice(0, 40) };
    const elsewhere = await trade.node.post(`/mrc401/${word}`, asParameter);
    assert.equal(said(elsewhere), "404 6004 mrc400id");
    const twice = await trade.node.post(`/mrc401/${word}/${cast.q}`, asParameter);
    assert.equal(said(twice), "400 1005 mrc400id");
    assert.equal(said(await collection.send(word, a, own)), "200");
    const second = await collection.request(word, a, { itemdata: itemdataOf(ids[1]) });
    const { mrc400id: _, ...body } = second.params as Record<string, string>;
    assert.equal(said(await trade.node.post(`/mrc401/${word}/`, body)), "200");
  });
}

test("mrc401 §10: without mrc400id items of several projects are sold and taken off sale together", async () => {
  const another = await createProject(trade.node, o);
  const ids = [await trade.x(), await trade.x({}, another)];
  assert.equal(await trade.outcome(() => trade.sell(a, ids)), "200");
  assert.equal(await trade.outcome(() => trade.unsell(a, ...ids)), "200");
});

test("mrc401 §18 row 60: X, now Temporary, made Bound while on sale: buy 7109, unsell accepted, melt before unsell 7108, after accepted", async () => {
  const x = await trade.onSale({ transferable: "Temporary" });
  await trade.bind(x);
  assert.equal(await trade.outcome(() => trade.buy(b, x)), "409 7109");
  assert.equal(await trade.outcome(() => trade.melt(a, x)), "409 7108");
  assert.equal(await trade.outcome(() => trade.unsell(a, x)), "200");
  await trade.assertItem(x, { ...UNLISTED, owner: a.address, transferable: "Bound" });
  assert.equal(await trade.outcome(() => trade.sell(a, x)), "409 7109");
  assert.equal(await trade.outcome(() => trade.melt(a, x)), "200");
});

test("mrc401 §18 row 61: unsell of X not on sale 7106, on auction too; itemdata absent 1000; an element of 80 characters 6004", async () => {
  const x = await trade.x();
  assert.equal(await trade.outcome(() => trade.unsell(a, x)), "409 7106");
  const auctioned = await trade.onAuction();
  assert.equal(await trade.outcome(() => trade.unsell(a, auctioned)), "409 7106");
  assert.equal(said(await trade.collection.send("unsell", a, {})), "400 1000 itemdata");
  const sold = await trade.onSale();
  assert.equal(said(await trade.unsell(a, sold, x.slice(1))), "404 6004 itemdata[1]");
});

test("mrc401 §11: unsell: as before the sale, but for nothing", async () => {
  const x = await trade.x();
  const item = await trade.record(x);
  assert.equal(saidCode(await trade.sell(a, x, { token: "9" })), "200");
  await trade.assertItem(x, { sell_token: "9" });
  trade.node.now += 5;
  assert.equal(await trade.outcome(() => trade.unsell(a, x)), "200");
  assert.deepEqual(await trade.record(x), item);
});

test("mrc401 §12: X is sold for another token, of which B needs the whole price; what is locked does not count", async () => {
  const e = await trade.newcomer("e", 1000n, { "9": 299n });
  const lock = {
    to: e.address,
    token: "9",
    amount: "500",
    unlockdate: String(trade.node.now + 99),
  };
  const { issuer } = trade.collection;
  const locked = await trade.node.fullTransfer(issuer, lock);
  assert.equal(saidCode(await trade.node.post("/transfer", locked)), "200");
  const x = await trade.onSale({}, { token: "9" });
  assert.equal(await trade.outcome(() => trade.buy(e, x)), "400 5000");
  await trade.collection.pay(e, "9", 1n);
  const sold = "200: o +30 of 9, a +270 of 9, e -300 of 9";
  assert.equal(await trade.outcome(() => trade.buy(e, x)), sold);
  await trade.assertItem(x, traded(e, trade.node.now, ["Sell", "300", "9"]));
});

for (const { token, answer } of [
  { token: "9", answer: "400 3005 itemdata[0].token" },
  { token: "7", answer: "200" },
  { token: "0", answer: "200" },
]) {
  for (const word of ["sell", "auction"] as const) {
    test(`mrc401 §2.4: in a project that allows token 7, ${word} for ${token}: ${answer}`, async () => {
      const x = await trade.x({}, await createProject(trade.node, o, { allowtoken: "7" }));
      assert.equal(said(await trade[word](a, x, { token })), answer);
    });
  }
}

for (const { alias, word } of [
  { alias: { buyer: "address" }, word: "buy" },
  { alias: { seller: "address" }, word: "sell" },
  { alias: { itemdata: "itemdata[]" }, word: "sell" },
  { alias: { seller: "address" }, word: "unsell" },
  { alias: { itemdata: "itemdata[]" }, word: "unsell" },
] as const) {
  const [[name = "", other = ""] = []] = Object.entries(alias);
  for (const signed of ["short", "full"] as const) {
    test(`mrc401 §1.3: ${word}, signed ${signed}: ${name} may be called ${other}; two values of it are 1005`, async () => {
      const id = word === "sell" ? await trade.x() : await trade.onSale();
      const params = {
        buy: { mrc401id: id },
        sell: { itemdata: [{ id, price: "300", token: "0" }] },
        unsell: { itemdata: [id] },
      }[word];
      const by = word === "buy" ? b : a;
      const request = await trade.collection.request(word, by, params, { signed });
      const twice = changed(request, { [other]: name === "itemdata" ? "[]" : d.address });
      assert.equal(said(await trade.collection.post(twice)), `400 1005 ${name}`);
      assert.equal(said(await trade.collection.post(renamed(request, alias))), "200");
      const both = changed(request, { [other]: request.params[name] ?? "" });
      assert.equal(said(await trade.collection.post(both)), "200");
    });
  }
}
