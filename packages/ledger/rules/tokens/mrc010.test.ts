import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import type { Params } from "../../testing/admitted.ts";
import { createToken } from "../../testing/trade/creations.ts";
import { type Parties, TokenMarket } from "../../testing/trade/token-market.ts";

// Listings of tokens: what is not as for items and units, which `trades.test.ts` has.

let market: TokenMarket;
let parties: Parties;
before(async () => {
  market = await TokenMarket.open();
  parties = await market.parties({ gold: 1_000_000n, coins: 1_000_000n });
});
after(() => market[Symbol.dispose]());

const UNKNOWN = "MTAlice00000000000000000000000005dc33c90";
const UNKNOWN_LISTING = `DEX010_${"0".repeat(33)}`;
const MAX = 10n ** 40n;
const DAY = 86_400;

/** Creates listing 1 or 2 with a change; `done`, or the code that refuses it. */
async function creatingBy(
  word: "sell" | "reqsell",
  by: Address,
  parties: Pick<Parties, "p">,
  change: Params = {},
): Promise<string> {
  return (await market.send(`mrc010${word}`, by, market.listing1(parties, change))).code;
}

test("tokens §9: with 999 spendable listing 1 is 5000, with 1000 it takes them and leaves what is locked", async () => {
  const { s, p } = await market.parties({ gold: 999n });
  const unlockdate = market.now + 1000;
  await market.pay(s, 50n, { unlockdate });
  assert.equal(await creatingBy("sell", s, { p }), "400 5000");
  assert.equal(market.held(s), `0 coins, 999 + 50@${unlockdate} gold`);
  await market.pay(s, 1n);
  assert.equal(await creatingBy("sell", s, { p }), "done");
  assert.equal(market.held(s), `0 coins, 0 + 50@${unlockdate} gold`);
});

for (const { what, change } of [
  { what: "a commission without platform", change: { platform_address: "" } },
  { what: "a platform without commission", change: { platform_commission: "" } },
  { what: "a platform with commission 0", change: { platform_commission: "0" } },
]) {
  test(`market §1.4: ${what}: 300 in escrow, never a fee`, async () => {
    const two = await market.listed("mrc010reqsell", { change });
    assert.equal(market.listing(two.dexid).buy_price_total, "300");
    const accepted = (await two.take("1000")).notified;
    assert.deepEqual(accepted, [`receive_mrc010buy ${two.b}`]);
    const one = await market.listed("mrc010sell", { change });
    assert.deepEqual((await one.take("1000")).notified, [`receive_mrc010sell ${one.s}`]);
    assert.equal(market.held(one.s), "300 coins, 0 gold");
    assert.equal(market.held(one.p), "0 coins, 0 gold");
  });
}

for (const [given, shown] of [
  ["5.70", "5.7"],
  ["10.00", "10"],
  ["0.01", "0.01"],
] as const) {
  test(`market §1.4: commission ${given} is shown as ${shown}`, async () => {
    const parties = await market.parties();
    const params = market.listing1(parties, { platform_commission: given });
    for (const [word, by] of [
      ["sell", parties.s],
      ["reqsell", parties.b],
    ] as const) {
      const dexid = await market.list(`mrc010${word}`, by, params);
      assert.equal(market.listing(dexid).platform_commission, shown);
    }
  });
}

test("tokens §9: all 10^40 of a token are sold for all 10^40 of another", async () => {
  const [s, b, p] = [await market.holder(), await market.holder(), await market.holder()];
  const [x, y] = [
    await createToken(market.client, s, { totalsupply: String(MAX) }),
    await createToken(market.client, b, { totalsupply: String(MAX) }),
  ];
  const dexid = await market.list("mrc010sell", s, {
    mrc010id: x,
    amount: String(MAX),
    token: y,
    price: "1",
    platform_commission: "2.55",
    platform_address: p,
  });
  assert.equal((await market.send("mrc010buy", b, { dexid, amount: String(MAX) })).code, "done");
  const fee = (MAX * 255n) / 10000n;
  assert.equal(market.client.held(b, x), String(MAX));
  assert.equal(market.client.held(s, y), String(MAX - fee));
  assert.equal(market.client.held(p, y), String(fee));
});

test("tokens §9: an unknown platform_address is 3090, also if no commission is due", async () => {
  const parties = await market.parties();
  const platform = { platform_address: UNKNOWN };
  const bare = { ...platform, platform_commission: "" };
  assert.equal(await creatingBy("sell", parties.s, parties, bare), "404 3090");
  assert.equal(await creatingBy("sell", parties.s, parties, platform), "404 3090");
  assert.equal(await creatingBy("reqsell", parties.b, parties, platform), "404 3090");
});

for (const word of ["sell", "reqsell"] as const) {
  test(`tokens §9: the order in which ${word} refuses`, async () => {
    const by = await market.holder({ coins: 100n, gold: 100n });
    await market.mending(`mrc010${word}`, by, [
      [
        {
          address: UNKNOWN,
          amount: "01",
          mrc010id: "999999",
          token: "999998",
          price: "2",
          platform_address: UNKNOWN,
          platform_commission: "2.5",
        },
        "400 1101",
      ],
      [{ amount: "0" }, "400 1107"],
      [{ amount: String(MAX), price: "0" }, "400 1104"],
      [{ price: "2", platform_address: "MTx" }, "400 3190"],
      [{ platform_address: UNKNOWN, min_trade_unit: "5" }, "400 3005"],
      [{ min_trade_unit: "" }, "400 1101"],
      [{ amount: "1000" }, "404 3090"],
      [{ address: by }, "404 4001"],
      [{ mrc010id: market.gold }, "404 4001"],
      [{ token: "0" }, "404 3090"],
      [{ platform_address: parties.p }, "key"],
      [{}, "400 5000"],
    ]);
  });
}

test("tokens §13 row 11: listing 2 takes 300 + 7 into escrow, and is 5000 with 306", async () => {
  const parties = await market.parties({ coins: 306n });
  const { b, p } = parties;
  assert.equal(await creatingBy("reqsell", b, { p }), "400 5000");
  await market.client.pay(b, 1n);
  const dexid = await market.list("mrc010reqsell", b, market.listing1(parties));
  assert.equal(market.held(b), "0 coins, 0 gold");
  assert.equal(market.listing(dexid).buy_price_total, "307");
});

test("tokens §9: payment and fee of exactly 10^40 are held, and come back", async () => {
  const [b, p] = [await market.holder(), await market.holder()];
  const y = await createToken(market.client, b, { totalsupply: String(MAX) });
  // 10/11 of 10^40, rounded up, and a fee of 10 % on that add up to 10^40.
  const amount = (MAX * 10n + 10n) / 11n;
  const params = (change: Params): Params => ({
    mrc010id: market.gold,
    amount: String(amount),
    token: y,
    price: "1",
    platform_commission: "10",
    platform_address: p,
    ...change,
  });
  const more = await market.send("mrc010reqsell", b, params({ amount: String(amount + 1n) }));
  assert.equal(more.code, "400 1101");
  const dexid = await market.list("mrc010reqsell", b, params({}));
  assert.equal(market.listing(dexid).buy_price_total, String(MAX));
  assert.equal((await market.send("mrc010unreqsell", b, { dexid })).code, "done");
  assert.equal(market.client.held(b, y), String(MAX));
});

test("tokens §8: the platform is S: two records, of 117 and of 3", async () => {
  const { s, b, ...parties } = await market.parties();
  const params = market.listing1(parties, { platform_address: s });
  const dexid = await market.list("mrc010sell", s, params);
  const answer = await market.send("mrc010buy", b, { dexid, amount: "400" });
  const { effects } = answer;
  assert.deepEqual(
    effects.slice(0, 2).map(({ type, address, parameters }) => [type, address, parameters[2]]),
    [
      ["receive_mrc010sell", s, "117"],
      ["receive_mrc010fee", s, "3"],
    ],
  );
  assert.equal(market.held(s), "120 coins, 0 gold");
});

for (const { payment, fee } of [
  { payment: "9", fee: "0" },
  { payment: "10", fee: "1" },
]) {
  test(`tokens §13 row 18: commission 10 on a payment of ${payment}: fee ${fee}`, async () => {
    const change = { amount: "100", min_trade_unit: "1", price: "1", platform_commission: "10" };
    const one = await market.listed("mrc010sell", { change, taken: [payment] });
    assert.equal(market.held(one.p), `${fee} coins, 0 gold`);
    const two = await market.listed("mrc010reqsell", { change, taken: [payment] });
    assert.equal(market.held(two.p), `${fee} coins, 0 gold`);
  });
}

test("tokens §13 row 20: unit 100000000, price 1: 200000000 cost 2", async () => {
  const { s, b, p } = await market.parties({ gold: 300_000_000n, coins: 2n });
  const dexid = await market.list("mrc010sell", s, {
    mrc010id: market.gold,
    amount: "300000000",
    token: "0",
    min_trade_unit: "100000000",
    price: "1",
    platform_address: p,
  });
  assert.equal((await market.send("mrc010buy", b, { dexid, amount: "200000000" })).code, "done");
  assert.equal(market.held(b), "0 coins, 200000000 gold");
  assert.equal(market.held(s), "2 coins, 0 gold");
});

test("tokens §11: the order in which acceptreqsell refuses", async () => {
  const by = await market.holder({ coins: 3000n, gold: 1009n });
  const { b, s: seller } = parties;
  const terms = market.listing1(parties);
  const list = async (op: string, of: Address, undo: string): Promise<string> => {
    const dexid = await market.list(op, of, terms);
    await market.client.done(undo, of, { dexid });
    return dexid;
  };
  const ownSale = await market.list("mrc010sell", by, market.listing1(parties, { amount: "10" }));
  const ownCancelled = await list("mrc010reqsell", by, "mrc010unreqsell");
  const sale = await list("mrc010sell", seller, "mrc010unsell");
  const cancelled = await list("mrc010reqsell", b, "mrc010unreqsell");
  const [sold, open] = [
    await market.list("mrc010reqsell", b, terms),
    await market.list("mrc010reqsell", b, terms),
  ];
  await market.client.done("mrc010acceptreqsell", by, { dexid: sold, amount: "990" });
  await market.client.done("mrc010acceptreqsell", parties.s, { dexid: sold, amount: "10" });
  // The remaining coins do not pay for any part of a request.
  await market.mending("mrc010acceptreqsell", by, [
    [{ dexid: UNKNOWN_LISTING, address: UNKNOWN, amount: "01" }, "400 1101"],
    [{ amount: "0" }, "400 1107"],
    [{ amount: "1015", address: "MTx" }, "400 3190"],
    [{ address: UNKNOWN }, "404 6004"],
    [{ dexid: ownSale }, "404 3090"],
    [{ address: by }, "key"],
    [{}, "400 3004"],
    [{ dexid: ownCancelled }, "400 3004"],
    [{ dexid: sale }, "409 7103"],
    [{ dexid: cancelled }, "409 7101"],
    [{ dexid: sold }, "409 7102"],
    [{ dexid: open }, "400 3005"],
    [{ amount: "1010" }, "400 3004"],
    [{ amount: "10" }, "400 5000"],
  ]);
  await market.pay(by, 1n, { from: seller });
  const params = { dexid: open, amount: "10" };
  assert.equal((await market.send("mrc010acceptreqsell", by, params)).code, "done");
});

for (const { row, taken, amount, total, held } of [
  { row: 12, taken: [], amount: "100", total: "277", held: ["30", "0", "693"] },
  { row: 13, taken: ["100"], amount: "400", total: "154", held: ["150", "3", "693"] },
  { row: 14, taken: ["100", "400"], amount: "500", total: "0", held: ["300", "6", "694"] },
]) {
  test(`tokens §13 row ${row}: accept ${amount}: ${total} left in escrow`, async () => {
    const { s, b, p, dexid, take } = await market.listed("mrc010reqsell", { taken });
    const answer = await take(amount);
    const sum = [...taken, amount].reduce((all, part) => all + Number(part), 0);
    assert.deepEqual(
      [s, p, b].map((one) => market.held(one)),
      [
        `${held[0]} coins, ${1000 - sum} gold`,
        `${held[1]} coins, 0 gold`,
        `${held[2]} coins, ${sum} gold`,
      ],
    );
    const listing = market.listing(dexid);
    assert.equal(listing.buy_price_total, total);
    assert.equal(listing.remain_amount, String(1000 - sum));
    assert.equal(listing.state, sum === 1000 ? "sold" : "open");
    const toPlatform = row === 12 ? [] : [`receive_mrc010fee ${p}`];
    const back = row === 14 ? [`receive_mrc010refund ${b}`] : [];
    assert.deepEqual(answer.notified, [`receive_mrc010buy ${b}`, ...toPlatform, ...back]);
  });
}

test("tokens §10: unsell after row 2: S +900, cancelled, remain_amount stays 900; then unsell and buy are 7101", async () => {
  const { s, b, dexid, take } = await market.listed("mrc010sell", { taken: ["100"] });
  assert.equal((await market.send("mrc010unsell", s, { dexid })).code, "done");
  assert.equal(market.held(s), "30 coins, 900 gold");
  const { state, remain_amount, cancel_date } = market.listing(dexid);
  assert.deepEqual([state, remain_amount, cancel_date], ["cancelled", "900", market.now]);
  assert.equal((await market.send("mrc010unsell", s, { dexid })).code, "409 7101");
  assert.equal((await take("10")).code, "409 7101");
  assert.equal(market.held(s), "30 coins, 900 gold");
  assert.equal(market.held(b), "970 coins, 100 gold");
});

for (const { word, own, other } of [
  { word: "unsell", own: "sell", other: "reqsell" },
  { word: "unreqsell", own: "reqsell", other: "sell" },
] as const) {
  test(`tokens §10: the order in which ${word} refuses`, async () => {
    const by = await market.holder({ coins: 10_000n, gold: 10_000n });
    const terms = market.listing1(parties);
    const [foreign, cancelled, sold] = [
      await market.list(`mrc010${other}`, by, terms),
      await market.list(`mrc010${own}`, by, terms),
      await market.list(`mrc010${own}`, by, terms),
    ];
    const undo = other === "sell" ? "unsell" : "unreqsell";
    assert.equal((await market.send(`mrc010${undo}`, by, { dexid: foreign })).code, "done");
    assert.equal((await market.send(`mrc010${word}`, by, { dexid: cancelled })).code, "done");
    const taker = word === "unsell" ? parties.b : parties.s;
    const take = word === "unsell" ? "buy" : "acceptreqsell";
    const taken = await market.send(`mrc010${take}`, taker, { dexid: sold, amount: "1000" });
    assert.equal(taken.code, "done");
    await market.mending(`mrc010${word}`, by, [
      [{ dexid: UNKNOWN_LISTING }, "404 6004"],
      [{ dexid: foreign }, "key"],
      [{}, "409 7103"],
      [{ dexid: cancelled }, "409 7101"],
      [{ dexid: sold }, "key"],
      [{}, "409 7102"],
      [{ dexid: await market.list(`mrc010${own}`, by, terms) }, "key"],
      [{}, "done"],
    ]);
  });
}

test("tokens §10: unreqsell after row 13: B +154, nothing in escrow, cancelled; again 7101", async () => {
  const { s, b, dexid, take } = await market.listed("mrc010reqsell", { taken: ["100", "400"] });
  assert.equal((await market.send("mrc010unreqsell", b, { dexid })).code, "done");
  assert.equal(market.held(b), "847 coins, 500 gold");
  const { state, buy_price_total, remain_amount, cancel_date } = market.listing(dexid);
  assert.deepEqual([state, buy_price_total, remain_amount], ["cancelled", "0", "500"]);
  assert.equal(cancel_date, market.now);
  assert.equal((await market.send("mrc010unreqsell", b, { dexid })).code, "409 7101");
  assert.equal((await take("100")).code, "409 7101");
  assert.equal(market.held(s), "150 coins, 500 gold");
});

test("tokens §12: the order in which auction refuses", async () => {
  const by = await market.holder({ gold: 10n });
  const { now } = market;
  await market.mending("mrc010auction", by, [
    [
      {
        address: UNKNOWN,
        amount: "01",
        mrc010id: "999999",
        token: "999998",
        auction_start_price: "100",
        auction_buynow_price: "100",
        auction_end_date: String(now + 1),
        platform_address: UNKNOWN,
      },
      "400 1101",
    ],
    [{ amount: "50" }, "400 3005"],
    [{ auction_buynow_price: "" }, "404 3090"],
    [{ address: by }, "404 4001"],
    [{ mrc010id: market.gold }, "404 4001"],
    [{ token: "0" }, "404 3090"],
    [{ platform_address: parties.p }, "key"],
    [{}, "400 1102"],
    [{ auction_end_date: "" }, "400 5000"],
  ]);
});

for (const { what, start, end, answer } of [
  { what: "end_date = start + 3599", end: 3599, answer: "400 1102" },
  { what: "end_date = start + 1814401", end: 1_814_401, answer: "400 1102" },
  { what: "start in the past", start: -1, answer: "400 1102" },
  { what: "start in the past, end allowed", start: -1, end: DAY, answer: "400 1102" },
  { what: "start 1814401 from now", start: 1_814_401, answer: "400 1102" },
  { what: "end before start", start: 10_000, end: -1, answer: "400 1102" },
  { what: "a later start, end 3600 from now", start: 10, end: 3590, answer: "400 1102" },
  { what: "end_date = start + 3600", end: 3600, answer: "done" },
  { what: "end_date = start + 1814400", end: 1_814_400, answer: "done" },
  { what: "start now", start: 0, answer: "done" },
  { what: "start 1814400 from now", start: 1_814_400, answer: "done" },
  {
    what: "the latest start and the latest end",
    start: 1_814_400,
    end: 1_814_400,
    answer: "done",
  },
] as readonly { what: string; start?: number; end?: number; answer: string }[]) {
  test(`market §3.1: ${what}: ${answer}`, async () => {
    const { now } = market;
    const begun = now + (start ?? 0);
    const change = {
      auction_start_date: start === undefined ? "" : String(begun),
      auction_end_date: end === undefined ? "" : String(begun + end),
    };
    const parties = await market.parties({ gold: 50n });
    const sent = await market.send("mrc010auction", parties.s, market.listing3(parties, change));
    assert.equal(sent.code, answer);
    if (answer === "done") {
      const listing = market.listing(sent.made[0] as string);
      assert.equal(listing.auction_start_date, begun);
      assert.equal(listing.auction_end_date, begun + (end ?? DAY));
    }
  });
}

test("tokens §12: the order in which unauction refuses", async () => {
  const by = await market.holder({ gold: 10_000n });
  const terms = market.listing3(parties);
  const [sale, cancelled, sold, contested, open] = [
    await market.list("mrc010sell", by, market.listing1(parties)),
    await market.list("mrc010auction", by, terms),
    await market.list("mrc010auction", by, terms),
    await market.list("mrc010auction", by, terms),
    await market.list("mrc010auction", by, terms),
  ];
  for (const [word, dexid] of [
    ["unsell", sale],
    ["unauction", cancelled],
  ] as const) {
    assert.equal((await market.send(`mrc010${word}`, by, { dexid })).code, "done");
  }
  for (const [dexid, amount] of [
    [sold, "500"],
    [contested, "100"],
  ] as const) {
    assert.equal((await market.send("mrc010bid", parties.b, { dexid, amount })).code, "done");
  }
  market.now += DAY;
  await market.mending("mrc010unauction", by, [
    [{ dexid: UNKNOWN_LISTING }, "404 6004"],
    [{ dexid: sale }, "key"],
    [{}, "409 7103"],
    [{ dexid: cancelled }, "409 7101"],
    [{ dexid: sold }, "409 7102"],
    [{ dexid: contested }, "409 7104"],
    [{ dexid: open }, "key"],
    [{}, "409 7202"],
  ]);
});

test("market §3.5: unauction without a bidder gives the lot back; then all is 7101", async () => {
  const { s, b, dexid, end } = await market.auctioned();
  market.now = end - 1;
  assert.equal((await market.send("mrc010unauction", s, { dexid })).code, "done");
  assert.equal(market.held(s), "0 coins, 50 gold");
  const { state, cancel_date, auction_settle_date } = market.listing(dexid);
  assert.deepEqual([state, cancel_date, auction_settle_date], ["cancelled", end - 1, 0]);
  assert.equal((await market.send("mrc010unauction", s, { dexid })).code, "409 7101");
  assert.equal(await market.bid(b, dexid, "100"), "409 7101");
  assert.equal((await market.finish(dexid)).code, "409 7101");
  market.now = end;
  assert.equal((await market.finish(dexid)).code, "409 7101");
  assert.equal(market.held(s), "0 coins, 50 gold");
});

test("market §3.5: unauction with a bidder is 7104, after the end too; after the end without 7202", async () => {
  const one = await market.auctioned({ bids: ["100"] });
  assert.equal(
    (await market.send("mrc010unauction", one.s, { dexid: one.dexid })).code,
    "409 7104",
  );
  const two = await market.auctioned();
  market.now = Math.max(one.end, two.end);
  assert.equal(
    (await market.send("mrc010unauction", one.s, { dexid: one.dexid })).code,
    "409 7104",
  );
  assert.equal(
    (await market.send("mrc010unauction", two.s, { dexid: two.dexid })).code,
    "409 7202",
  );
});
