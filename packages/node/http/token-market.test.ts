import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { Market } from "../testing/market.ts";
import { type KeyHolder, parsed, saidCode, transactionIdOf } from "../testing/test-node.ts";

// Rows 1 to 15, 23, 24, 26 to 28 and 36 of tokens §13: trades at a fixed price. After each of them row 36 holds.

let market: Market;
before(async () => {
  market = await Market.open();
});
after(() => market[Symbol.asyncDispose]());
afterEach(() => market.assertConserved());

/** What the creation of listing 1 or 2 is answered. */
async function creating(word: "sell" | "reqsell", by: KeyHolder, p: KeyHolder): Promise<string> {
  return saidCode(await market.send(word, by, market.listing1({ p })));
}

async function assertHeld(expected: ReadonlyMap<KeyHolder, string>): Promise<void> {
  for (const [holder, held] of expected) {
    assert.equal(await market.held(holder), held);
  }
}

test("tokens §13 row 1: with 999 spendable listing 1 is 5000, with 1000 it takes them and leaves what is locked", async () => {
  const { s, p } = await market.parties({ gold: 999n });
  const unlockdate = market.node.now + 1000;
  await market.pay(market.issuer, s, 50n, { unlockdate });
  assert.equal(await creating("sell", s, p), "400 5000");
  assert.equal(await market.held(s), `0 coins, 999 + 50@${unlockdate} gold`);
  await market.pay(market.issuer, s, 1n);
  assert.equal(await creating("sell", s, p), "200");
  assert.equal(await market.held(s), `0 coins, 0 + 50@${unlockdate} gold`);
});

test("tokens §1.9: what was locked until T is in the spendable 1000 at T, not before", async () => {
  const { s, p } = await market.parties({ gold: 999n });
  const unlockdate = market.node.now + 100;
  await market.pay(market.issuer, s, 1n, { unlockdate });
  market.node.now = unlockdate - 1;
  assert.equal(await creating("sell", s, p), "400 5000");
  market.node.now = unlockdate;
  assert.equal(await creating("sell", s, p), "200");
});

test("tokens §13 row 2: buy 100: B -30, S +30, no fee record, 900 remain", async () => {
  const { s, b, p, dexid, take } = await market.listed("sell");
  assert.deepEqual(await market.paidIn(await take("100")), [`receive_mrc010sell ${s.address}`]);
  await assertHeld(
    new Map([
      [b, "970 coins, 100 gold"],
      [s, "30 coins, 0 gold"],
      [p, "0 coins, 0 gold"],
    ]),
  );
  const { state, remain_amount, buyer } = await market.listing(dexid);
  assert.deepEqual([state, remain_amount, buyer], ["open", "900", b.address]);
});

test("tokens §13 row 3: then buy 400: B -120, S +117, P +3, 500 remain", async () => {
  const { s, b, p, dexid, take } = await market.listed("sell", { taken: ["100"] });
  assert.deepEqual(await market.paidIn(await take("400")), [
    `receive_mrc010sell ${s.address}`,
    `receive_mrc010fee ${p.address}`,
  ]);
  await assertHeld(
    new Map([
      [b, "850 coins, 500 gold"],
      [s, "147 coins, 0 gold"],
      [p, "3 coins, 0 gold"],
    ]),
  );
  assert.equal((await market.listing(dexid)).remain_amount, "500");
});

test("tokens §13 row 4: then buy 500: S +147, sold; 6 of fees, where one purchase of 1000 is 7", async () => {
  const { s, b, p, dexid, take } = await market.listed("sell", { taken: ["100", "400"] });
  assert.equal(saidCode(await take("500")), "200");
  await assertHeld(
    new Map([
      [b, "700 coins, 1000 gold"],
      [s, "294 coins, 0 gold"],
      [p, "6 coins, 0 gold"],
    ]),
  );
  const { state, remain_amount, sell_date } = await market.listing(dexid);
  assert.deepEqual([state, remain_amount, sell_date], ["sold", "0", market.node.now]);
  const atOnce = await market.listed("sell", { taken: ["1000"] });
  assert.equal(await market.held(atOnce.p), "7 coins, 0 gold");
  assert.equal(await market.held(atOnce.s), "293 coins, 0 gold");
});

test("tokens §13 row 5: unsell after row 2: S +900, cancelled, remain_amount stays 900; then unsell and buy are 7101", async () => {
  const { s, b, dexid, take } = await market.listed("sell", { taken: ["100"] });
  assert.equal(saidCode(await market.send("unsell", s, { dexid })), "200");
  assert.equal(await market.held(s), "30 coins, 900 gold");
  const { state, remain_amount, cancel_date } = await market.listing(dexid);
  assert.deepEqual([state, remain_amount, cancel_date], ["cancelled", "900", market.node.now]);
  assert.equal(saidCode(await market.send("unsell", s, { dexid })), "409 7101");
  assert.equal(saidCode(await take("10")), "409 7101");
  assert.equal(await market.held(s), "30 coins, 900 gold");
  assert.equal(await market.held(b), "970 coins, 100 gold");
});

test("tokens §13 row 6: after row 4 buy 10 and unsell are 7102", async () => {
  const { s, dexid, take } = await market.listed("sell", { taken: ["100", "400", "500"] });
  assert.equal(saidCode(await take("10")), "409 7102");
  assert.equal(saidCode(await market.send("unsell", s, { dexid })), "409 7102");
});

for (const { amount, answer } of [
  { amount: "105", answer: "400 3005" },
  { amount: "0", answer: "400 1107" },
  { amount: "1010", answer: "400 3004" },
]) {
  for (const word of ["sell", "reqsell"] as const) {
    test(`tokens §13 row 7: taking ${amount} of a fresh listing by ${word}: ${answer}`, async () => {
      const { take, dexid } = await market.listed(word);
      assert.equal(saidCode(await take(amount)), answer);
      assert.equal((await market.listing(dexid)).remain_amount, "1000");
    });
  }
}

test("tokens §13 row 8: S buys from listing 1, B accepts listing 2: 3004", async () => {
  const one = await market.listed("sell");
  assert.equal(
    saidCode(await market.send("buy", one.s, { dexid: one.dexid, amount: "10" })),
    "400 3004",
  );
  const two = await market.listed("reqsell");
  assert.equal(
    saidCode(await market.send("acceptreqsell", two.b, { dexid: two.dexid, amount: "10" })),
    "400 3004",
  );
});

test("tokens §13 row 9: unsell signed by B with B's key is 2020, with a key of S 2010", async () => {
  const { s, b, dexid } = await market.listed("sell");
  assert.equal(saidCode(await market.send("unsell", b, { dexid })), "401 2020");
  assert.equal(saidCode(await market.send("unsell", s, { dexid }, { by: b })), "401 2010");
  assert.equal((await market.listing(dexid)).state, "open");
});

for (const { side, by, words } of [
  { side: "reqsell", by: "s", words: ["buy", "bid"] },
  { side: "reqsell", by: "b", words: ["unsell", "unauction"] },
  { side: "sell", by: "b", words: ["acceptreqsell", "bid"] },
  { side: "sell", by: "s", words: ["unreqsell", "unauction"] },
] as const) {
  for (const word of words) {
    test(`tokens §13 row 10: ${word} on a listing by ${side}: 7103`, async () => {
      const { dexid, ...parties } = await market.listed(side);
      const params = { dexid, ...(word.startsWith("un") ? {} : { amount: "100" }) };
      assert.equal(saidCode(await market.send(word, parties[by], params)), "409 7103");
    });
  }
}

test("tokens §13 row 11: listing 2 takes 300 + 7 into escrow, and is 5000 with 306", async () => {
  const parties = await market.parties({ coins: 306n });
  const { b, p } = parties;
  assert.equal(await creating("reqsell", b, p), "400 5000");
  await market.node.pay(b, 1n);
  const dexid = await market.list("reqsell", b, market.listing1(parties));
  assert.equal(await market.held(b), "0 coins, 0 gold");
  assert.equal((await market.listing(dexid)).buy_price_total, "307");
});

for (const { row, taken, amount, total, held } of [
  { row: 12, taken: [], amount: "100", total: "277", held: ["30", "0", "693"] },
  { row: 13, taken: ["100"], amount: "400", total: "154", held: ["150", "3", "693"] },
  { row: 14, taken: ["100", "400"], amount: "500", total: "0", held: ["300", "6", "694"] },
]) {
  test(`tokens §13 row ${row}: accept ${amount}: ${total} left in escrow`, async () => {
    const { s, b, p, dexid, take } = await market.listed("reqsell", { taken });
    const answer = await take(amount);
    const sum = [...taken, amount].reduce((all, part) => all + Number(part), 0);
    await assertHeld(
      new Map([
        [s, `${held[0]} coins, ${1000 - sum} gold`],
        [p, `${held[1]} coins, 0 gold`],
        [b, `${held[2]} coins, ${sum} gold`],
      ]),
    );
    const listing = await market.listing(dexid);
    assert.equal(listing.buy_price_total, total);
    assert.equal(listing.remain_amount, String(1000 - sum));
    assert.equal(listing.state, sum === 1000 ? "sold" : "open");
    const toPlatform = row === 12 ? [] : [`receive_mrc010fee ${p.address}`];
    const back = row === 14 ? [`receive_mrc010refund ${b.address}`] : [];
    assert.deepEqual(await market.paidIn(answer), [
      `receive_mrc010buy ${b.address}`,
      ...toPlatform,
      ...back,
    ]);
  });
}

test("tokens §13 row 15: unreqsell after row 13: B +154, nothing in escrow, cancelled; again 7101", async () => {
  const { s, b, dexid, take } = await market.listed("reqsell", { taken: ["100", "400"] });
  assert.equal(saidCode(await market.send("unreqsell", b, { dexid })), "200");
  assert.equal(await market.held(b), "847 coins, 500 gold");
  const { state, buy_price_total, remain_amount, cancel_date } = await market.listing(dexid);
  assert.deepEqual([state, buy_price_total, remain_amount], ["cancelled", "0", "500"]);
  assert.equal(cancel_date, market.node.now);
  assert.equal(saidCode(await market.send("unreqsell", b, { dexid })), "409 7101");
  assert.equal(saidCode(await take("100")), "409 7101");
  assert.equal(await market.held(s), "150 coins, 500 gold");
});

test("tokens §13 row 23: the platform is S: two records, of 117 and of 3", async () => {
  const { s, b, ...parties } = await market.parties();
  const params = market.listing1(parties, { platform_address: s.address });
  const dexid = await market.list("sell", s, params);
  const answer = await market.send("buy", b, { dexid, amount: "400" });
  const { effects } = await market.node.transaction(transactionIdOf(answer));
  assert.deepEqual(
    effects.slice(0, 2).map(({ type, address, parameters }) => [type, address, parameters[2]]),
    [
      ["receive_mrc010sell", s.address, "117"],
      ["receive_mrc010fee", s.address, "3"],
    ],
  );
  assert.equal(await market.held(s), "120 coins, 0 gold");
});

for (const { coins, answer, held } of [
  { coins: 119n, answer: "400 5000", held: "119 coins, 0 gold" },
  { coins: 120n, answer: "200", held: "3 coins, 400 gold" },
]) {
  test(`tokens §13 row 24: the platform is B, who has ${coins}, and buys 400: ${answer}`, async () => {
    const { s, b } = await market.parties({ coins });
    const dexid = await market.list("sell", s, market.listing1({ p: b }));
    assert.equal(saidCode(await market.send("buy", b, { dexid, amount: "400" })), answer);
    assert.equal(await market.held(b), held);
  });
}

for (const word of ["sell", "reqsell"] as const) {
  test(`tokens §1.9: who takes a listing by ${word} cannot do so with what is locked: 5000`, async () => {
    const { node } = market;
    const { dexid } = await market.listed(word);
    const poor = await market.holder({ coins: 29n, gold: 99n });
    const lock = { unlockdate: node.now + 1000 };
    await node.pay(poor, 1000n, lock);
    await market.pay(market.issuer, poor, 1000n, lock);
    const taking = word === "sell" ? "buy" : "acceptreqsell";
    const take = { dexid, amount: "100" };
    assert.equal(saidCode(await market.send(taking, poor, take)), "400 5000");
    await node.pay(poor, 1n);
    await market.pay(market.issuer, poor, 1n);
    assert.equal(saidCode(await market.send(taking, poor, take)), "200");
  });
}

test("tokens §8: the platform of a request is B, who gets its own fee back, or S, who gets it in addition", async () => {
  for (const role of ["b", "s"] as const) {
    const { s, b, ...parties } = await market.parties();
    const { address } = { s, b }[role];
    const params = market.listing1(parties, { platform_address: address });
    const dexid = await market.list("reqsell", b, params);
    assert.equal(await market.held(b), "693 coins, 0 gold");
    const answer = await market.send("acceptreqsell", s, { dexid, amount: "1000" });
    assert.deepEqual(await market.paidIn(answer), [
      `receive_mrc010buy ${b.address}`,
      `receive_mrc010fee ${address}`,
    ]);
    assert.equal(await market.held(b), `${role === "b" ? 700 : 693} coins, 1000 gold`);
    assert.equal(await market.held(s), `${role === "s" ? 307 : 300} coins, 0 gold`);
  }
});

test("tokens §8: the native coin is sold for a token, and a token for another token", async () => {
  const { s, b, p } = await market.parties();
  const silver = await market.issue(s, "1000");
  const coins = { mrc010id: "0", token: silver, amount: "100", price: "2" };
  const sale = await market.list("sell", b, coins);
  assert.equal(saidCode(await market.send("buy", s, { dexid: sale, amount: "60" })), "200");
  const gold = { mrc010id: market.gold, token: silver, amount: "7", price: "3" };
  const request = await market.list("reqsell", b, gold);
  const accepting = await market.send("acceptreqsell", s, { dexid: request, amount: "7" });
  assert.equal(saidCode(accepting), "200");
  assert.deepEqual(await market.node.balances(b), ["0: 900", `${market.gold}: 7`, `${silver}: 99`]);
  assert.deepEqual(await market.node.balances(s), [
    "0: 60",
    `${market.gold}: 993`,
    `${silver}: 901`,
  ]);
  assert.deepEqual(await market.node.balances(p), ["0: 0"]);
});

test("tokens §13 row 26: of two buys of 500 while 600 remain the second is 3004, and 100 remain", async () => {
  const { b, dexid, take } = await market.listed("sell", { taken: ["400"] });
  assert.equal(saidCode(await take("500")), "200");
  assert.equal(saidCode(await take("500")), "400 3004");
  assert.equal((await market.listing(dexid)).remain_amount, "100");
  assert.equal(await market.held(b), "730 coins, 900 gold");
});

test("tokens §13 row 27: a buy with a signature over dexid|tkey: 2010", async () => {
  const { b, dexid } = await market.listed("sell");
  const params = { dexid, address: b.address, amount: "100" };
  const request = await market.node.shortlySigned(b, ["dexid", "tkey"], params);
  assert.equal(saidCode(await market.post("buy", request)), "401 2010");
});

for (const id of ["DEX010_x", `DEX010_${"0".repeat(33)}`, "7", "DEX402_x", "%F0%9F%98%80"]) {
  test(`tokens §13 row 28: GET /token/dex/${id}: 6004`, async () =>
    assert.equal(saidCode(await market.node.get(`/token/dex/${id}`)), "404 6004"));
}

test("tokens §13 row 36: an owner can burn what is in no listing, and no unit is lost on the way", async () => {
  const owner = await market.holder();
  const x = await market.issue(owner, "100");
  const params = { mrc010id: x, amount: "30", token: "0", price: "1" };
  const dexid = await market.list("sell", owner, params);
  const burning = async (amount: string): Promise<string> => {
    const tkey = await market.node.key(owner);
    const request = { token: x, amount, tkey };
    const { tkey: _, ...body } = await market.node.shortlySigned(
      owner,
      ["token", "amount", "tkey"],
      request,
    );
    return saidCode(await market.node.put(`/token/burn/${tkey}`, body));
  };
  const { circulation_supply } = parsed<{ circulation_supply: string }>(
    await market.node.get(`/token/${x}`),
  );
  assert.equal(circulation_supply, "30");
  assert.equal(await burning("71"), "400 5000");
  assert.equal(await burning("70"), "200");
  await market.assertConserved();
  assert.equal(saidCode(await market.send("unsell", owner, { dexid })), "200");
  assert.deepEqual(await market.node.balances(owner, x), ["30"]);
});
