import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import type { UnitListingShown } from "../../../../ledger/testing/shown/shown-units.ts";
import { ART } from "../../../../ledger/testing/trade/creations.ts";
import { numberOf } from "../../../../ledger/testing/trade/item-terms.ts";
import {
  DAY,
  FORMS,
  listingParams,
  UNIT_AUCTION_MIN,
  type UnitRole,
} from "../../../../ledger/testing/trade/unit-terms.ts";
import { type Race, type Send, testRaces } from "../../../testing/requests/races.ts";
import type { RequestParams } from "../../../testing/requests/signed-request.ts";
import { allOf, type UnitWord, unitsSaid } from "../../../testing/requests/unit-requests.ts";
import { UnitTrade, type UnitTradeWord } from "../../../testing/requests/unit-trade.ts";
import { SeededRandom } from "../../../testing/seeded-random.ts";
import { runMoneta } from "../../../testing/service-process.ts";
import { type Answered, type KeyHolder, parsed, saidCode } from "../../../testing/test-node.ts";

// Several requests for the same units at the same time: one succeeds, the others are refused.

let trade: UnitTrade;
let c: KeyHolder;
let a: KeyHolder;
let b: KeyHolder;
let d: KeyHolder;
let o: KeyHolder;
before(async () => {
  trade = await UnitTrade.open({ tokens: 1 });
  ({ c, a, b, d, o } = trade.cast);
});
after(() => trade[Symbol.asyncDispose]());
afterEach(() => trade.assertConserved());

/** Each has this much of an item, such as `2 + 3 on sale`. */
async function assertHas(
  id: string,
  ...expected: readonly (readonly [KeyHolder, string])[]
): Promise<void> {
  for (const [holder, has] of expected) {
    assert.equal(await trade.units.has(holder, id), has);
  }
}

/** A sells 10 units at 30, of which some have been bought. */
async function sale(bought = 0): Promise<{ x: string; dexid: string }> {
  const x = await trade.x({}, { a: 10 });
  const dexid = await trade.sale(a, x);
  if (bought > 0) {
    assert.equal(unitsSaid(await trade.buy(c, dexid, String(bought))), "200");
  }
  return { x, dexid };
}

/** A has 5 units on auction as in row 49, with or without C's bid of 100. */
async function lot(hasBid = false): Promise<{ x: string; dexid: string; end: number }> {
  const x = await trade.x({}, { a: 5 });
  const dexid = await trade.lot(a, x, {}, hasBid ? [[c, "100"]] : []);
  return { x, dexid, end: trade.node.now + DAY };
}

const RACES: readonly Race[] = [
  {
    name: "two buyers of 3 of the last 5 units",
    answers: [
      ["200", "400 3004"],
      ["400 3004", "200"],
    ],
    async start() {
      const { x, dexid } = await sale(5);
      const params = { id: dexid, amount: "3" };
      return {
        sends: [await trade.ready("buy", b, params), await trade.ready("buy", d, params)],
        holds: ([first]) =>
          assertHas(
            x,
            [a, "0 + 2 on sale"],
            [b, first === "200" ? "3" : "0"],
            [d, first === "200" ? "0" : "3"],
          ),
      };
    },
  },
  {
    name: "two buyers of all that remains",
    answers: [
      ["200", "409 7102"],
      ["409 7102", "200"],
    ],
    async start() {
      const { x, dexid } = await sale(5);
      const params = { id: dexid, amount: "5" };
      return {
        sends: [await trade.ready("buy", b, params), await trade.ready("buy", d, params)],
        holds: () => assertHas(x, [a, "0"]),
      };
    },
  },
  {
    name: "two buyers of the last unit by item id",
    answers: [
      ["200", "409 7106"],
      ["409 7106", "200"],
    ],
    async start() {
      const { x } = await sale(9);
      const params = { id: x };
      return {
        sends: [await trade.ready("buy", b, params), await trade.ready("buy", d, params)],
        holds: ([first]) => assertHas(x, [a, "0"], [b, first === "200" ? "1" : "0"]),
      };
    },
  },
  {
    name: "two buys of 3 by one who has bought 4 before, while 6 remain",
    answers: [["200", "200"]],
    async start() {
      const { x, dexid } = await sale();
      assert.equal(unitsSaid(await trade.buy(b, dexid, "4")), "200");
      const params = { id: dexid, amount: "3" };
      return {
        sends: [await trade.ready("buy", b, params), await trade.ready("buy", b, params)],
        holds: () => assertHas(x, [a, "0"], [b, "10"]),
      };
    },
  },
  {
    name: "a buy of all and unsell",
    answers: [
      ["200", "409 7102"],
      ["409 7101", "200"],
    ],
    async start() {
      const { x, dexid } = await sale();
      return {
        sends: [
          await trade.ready("buy", b, { id: dexid, amount: "10" }),
          await trade.ready("unsell", a, { id: dexid }),
        ],
        holds: ([bought]) =>
          bought === "200" ? assertHas(x, [a, "0"], [b, "10"]) : assertHas(x, [a, "10"], [b, "0"]),
      };
    },
  },
  {
    name: "a buy of 4 and unsell by item id",
    answers: [
      ["200", "200"],
      ["409 7106", "200"],
    ],
    async start() {
      const { x } = await sale();
      return {
        sends: [
          await trade.ready("buy", b, { id: x, amount: "4" }),
          await trade.ready("unsell", a, { itemdata: [x] }),
        ],
        holds: ([bought]) =>
          bought === "200" ? assertHas(x, [a, "6"], [b, "4"]) : assertHas(x, [a, "10"], [b, "0"]),
      };
    },
  },
  {
    name: "two unsells",
    answers: [
      ["200", "409 7101"],
      ["409 7101", "200"],
    ],
    async start() {
      const { x, dexid } = await sale();
      return {
        sends: [
          await trade.ready("unsell", a, { id: dexid }),
          await trade.ready("unsell", a, { itemdata: [dexid] }),
        ],
        holds: () => assertHas(x, [a, "10"]),
      };
    },
  },
  {
    name: "two sales of 6 of 10 units",
    answers: [
      ["200", "409 7108"],
      ["409 7108", "200"],
    ],
    async start() {
      const x = await trade.x({}, { a: 10 });
      const quantity = listingParams("sell", "quantity", x, { amount: "6" });
      const item = listingParams("auction", "item", x, { amount: "6" });
      return {
        sends: [await trade.ready("sell", a, quantity), await trade.ready("auction", a, item)],
        holds: ([sold]) => assertHas(x, [a, sold === "200" ? "4 + 6 on sale" : "4 + 6 on auction"]),
      };
    },
  },
  {
    name: "a sale and a transfer of all units",
    answers: [
      ["200", "409 7108"],
      ["403 7001", "200"],
    ],
    async start() {
      const x = await trade.x({}, { a: 10 });
      const transfer = { mrc402id: x, toAddr: b.address, amount: "10" };
      return {
        sends: [
          await trade.ready("sell", a, listingParams("sell", "quantity", x)),
          await trade.ready("transfer", a, transfer),
        ],
        holds: ([sold]) =>
          sold === "200" ? assertHas(x, [a, "0 + 10 on sale"]) : assertHas(x, [b, "10"]),
      };
    },
  },
  {
    name: "a sale and a melt of all units",
    answers: [
      ["200", "409 7108"],
      ["403 7001", "200"],
    ],
    async start() {
      const x = await trade.x({ totalsupply: "11" }, { a: 10 });
      const melt = { mrc402id: x, amount: "10" };
      return {
        sends: [
          await trade.ready("sell", a, listingParams("sell", "quantity", x)),
          await trade.ready("melt", a, melt),
        ],
        holds: ([sold]) =>
          sold === "200" ? assertHas(x, [a, "0 + 10 on sale"]) : assertHas(x, [a, "0"]),
      };
    },
  },
  {
    name: "two bids of the same amount",
    answers: [
      ["200", "400 3004"],
      ["400 3004", "200"],
    ],
    async start() {
      const { x, dexid } = await lot(true);
      return {
        sends: [
          await trade.ready("bid", b, { id: dexid, amount: "105" }),
          await trade.ready("bid", d, { id: x, amount: "105" }),
        ],
        holds: ([first]) =>
          trade.assertListing(dexid, {
            auction_current_bidder: (first === "200" ? b : d).address,
            auction_bid_count: 2,
          }),
      };
    },
  },
  {
    name: "a bid of 105 and one of 110",
    answers: [
      ["200", "200"],
      ["400 3004", "200"],
    ],
    async start() {
      const { dexid } = await lot(true);
      return {
        sends: [
          await trade.ready("bid", b, { id: dexid, amount: "105" }),
          await trade.ready("bid", d, { id: dexid, amount: "110" }),
        ],
        holds: () => trade.assertListing(dexid, { auction_current_bidder: d.address }),
      };
    },
  },
  {
    name: "two bids of the buy-now price",
    answers: [
      ["200", "409 7102"],
      ["409 7102", "200"],
    ],
    async start() {
      const { x, dexid } = await lot(true);
      const params = { id: dexid, amount: "500" };
      return {
        sends: [await trade.ready("bid", b, params), await trade.ready("bid", d, params)],
        holds: ([first]) =>
          assertHas(
            x,
            [a, "0"],
            [b, first === "200" ? "5" : "0"],
            [d, first === "200" ? "0" : "5"],
          ),
      };
    },
  },
  {
    name: "a bid and unauction",
    answers: [
      ["200", "409 7104"],
      ["409 7101", "200"],
    ],
    async start() {
      const { x, dexid } = await lot();
      return {
        sends: [
          await trade.ready("bid", b, { id: dexid, amount: "100" }),
          await trade.ready("unauction", a, { itemdata: [x] }),
        ],
        holds: ([bid]) => assertHas(x, [a, bid === "200" ? "0 + 5 on auction" : "5"]),
      };
    },
  },
  {
    name: "a bid and auctionfinish at the end",
    answers: [
      ["409 7202", "200"],
      ["409 7102", "200"],
    ],
    async start() {
      const { x, dexid, end } = await lot(true);
      trade.node.now = end;
      return {
        sends: [
          await trade.ready("bid", b, { id: dexid, amount: "105" }),
          () => trade.finish(dexid),
        ],
        holds: () => assertHas(x, [a, "0"], [b, "0"], [c, "100"]),
      };
    },
  },
  {
    name: "a bid of the buy-now price and auctionfinish in the last second",
    answers: [
      ["200", "409 7201"],
      ["200", "409 7102"],
    ],
    async start() {
      const { x, dexid, end } = await lot(true);
      trade.node.now = end - 1;
      return {
        sends: [
          await trade.ready("bid", b, { id: dexid, amount: "500" }),
          () => trade.finish(dexid),
        ],
        holds: () => assertHas(x, [a, "0"], [b, "5"]),
      };
    },
  },
  {
    name: "auctionfinish by GET and by POST",
    answers: [
      ["200", "409 7102"],
      ["409 7102", "200"],
    ],
    async start() {
      const { x, dexid, end } = await lot(true);
      trade.node.now = end;
      return {
        sends: [() => trade.finish(dexid, "GET"), () => trade.finish(dexid, "POST")],
        holds: () => assertHas(x, [a, "0"], [c, "100"]),
      };
    },
  },
  {
    name: "auctionfinish and unauction after the end without a bidder",
    answers: [
      ["200", "409 7102"],
      ["409 7101", "200"],
    ],
    async start() {
      const { x, dexid, end } = await lot();
      trade.node.now = end;
      return {
        sends: [() => trade.finish(dexid), await trade.ready("unauction", a, { id: dexid })],
        holds: () => assertHas(x, [a, "5"]),
      };
    },
  },
  {
    name: "auctionfinish by item id twice, with two auctions past their end",
    answers: [["200", "200"]],
    async start() {
      const { x } = await lot();
      await trade.units.give(x, c, b, "5");
      await trade.lot(b, x);
      trade.node.now += DAY;
      return {
        sends: [() => trade.finish(x, "GET"), () => trade.finish(x, "POST")],
        holds: () => assertHas(x, [a, "5"], [b, "5"]),
      };
    },
  },
  {
    name: "a buy and making the item Bound",
    answers: [
      ["200", "200"],
      ["409 7109", "200"],
    ],
    async start() {
      const u = await trade.u({ transferable: "Temporary" }, { a: 1 });
      const dexid = await trade.sale(a, u, { amount: "1" });
      const { o, project } = trade.cast;
      const itemdata = [{ id: u, transferable: "Bound" }];
      return {
        sends: [
          await trade.ready("buy", b, { id: dexid, amount: "1" }),
          await trade.ready("itemUpdate", o, { mrc400id: project, itemdata }),
        ],
        holds: ([bought]) => assertHas(u, bought === "200" ? [b, "1"] : [a, "0 + 1 on sale"]),
      };
    },
  },
  {
    name: "a sale by an agent and one by the creator of its only unit",
    answers: [
      ["200", "409 7108"],
      ["409 7108", "200"],
    ],
    async start() {
      const u = await trade.u();
      const { seller, maker } = trade.cast;
      const params = listingParams("sell", "quantity", u, { amount: "1" });
      return {
        sends: [
          await trade.ready("sell", seller, params),
          await trade.ready("sell", maker, params),
        ],
        holds: () => assertHas(u, [maker, "0 + 1 on sale"]),
      };
    },
  },
  {
    name: "a sale and an auction with one temporary key",
    answers: [
      ["200", "409 2021"],
      ["409 2021", "200"],
    ],
    async start() {
      const x = await trade.x({}, { a: 20 });
      const tkey = await trade.node.key(a);
      const [sell, auction] = (["sell", "auction"] as const).map((word) => ({
        ...listingParams(word, "quantity", x, { amount: "3" }),
        tkey,
      }));
      assert.ok(sell !== undefined && auction !== undefined);
      return {
        sends: [await trade.ready("sell", a, sell), await trade.ready("auction", a, auction)],
        holds: ([sold]) =>
          assertHas(x, [a, sold === "200" ? "17 + 3 on sale" : "17 + 3 on auction"]),
      };
    },
  },
];

testRaces("mrc402 §2.2", RACES, { rounds: 4, said: unitsSaid });

test("conventions §5.3: the same buy ten times at once is done once, and answered alike", async () => {
  const { x, dexid } = await sale();
  const send = await trade.ready("buy", b, { id: dexid, amount: "2" });
  const answers = await Promise.all(Array.from({ length: 10 }, send));
  assert.deepEqual(new Set(answers.map(unitsSaid)), new Set(["200"]));
  assert.equal(new Set(answers.map(({ text }) => text)).size, 1);
  await assertHas(x, [a, "0 + 8 on sale"], [b, "2"]);
});

test("mrc402 §13: of 30 buyers at once of one unit each of ten, ten get one, the others 7102", async () => {
  const { x, dexid } = await sale();
  const buyers = await Promise.all(Array.from({ length: 30 }, () => trade.units.holder(30n)));
  const params = { id: dexid, amount: "1" };
  const sends = await Promise.all(buyers.map((buyer) => trade.ready("buy", buyer, params)));
  const answers = (await Promise.all(sends.map((send) => send()))).map(unitsSaid);
  const expected = Array.from({ length: 30 }, (_, at) => (at < 10 ? "200" : "409 7102"));
  assert.deepEqual(answers.toSorted(), expected);
  for (const [at, buyer] of buyers.entries()) {
    const has = answers[at] === "200";
    await assertHas(x, [buyer, has ? "1" : "0"]);
    assert.equal(await trade.units.held(buyer), has ? "0" : "30");
  }
  await trade.assertListing(dexid, { state: "sold", remain_amount: "0" });
});

test("mrc402 §13: two buys at once of one who can pay just one: the other is 5000", async () => {
  const e = await trade.newcomer(100n);
  const { dexid } = await sale();
  const params = { id: dexid, amount: "3" };
  const sends = [await trade.ready("buy", e, params), await trade.ready("buy", e, params)];
  const answers = (await Promise.all(sends.map((send) => send()))).map(unitsSaid);
  assert.deepEqual(answers.toSorted(), ["200", "400 5000"]);
  assert.equal(await trade.units.held(e), "10");
});

test("mrc402 §16: of 20 bids at once the highest leads at the end, and everybody else has its coins back", async () => {
  const x = await trade.x({}, { a: 5 });
  const end = trade.node.now + UNIT_AUCTION_MIN;
  const dexid = await trade.lot(a, x, { auction_end_date: String(end) });
  const bidders = await Promise.all(Array.from({ length: 20 }, () => trade.units.holder(1000n)));
  const sends = await Promise.all(
    bidders.map((bidder, at) =>
      trade.ready("bid", bidder, { id: at % 2 ? x : dexid, amount: String(100 + 5 * at) }),
    ),
  );
  const answers = (await Promise.all(sends.toReversed().map((send) => send()))).map(unitsSaid);
  const isFine = answers.every((answer) => ["200", "400 3004"].includes(answer));
  assert.ok(isFine, answers.join());
  trade.node.now = end;
  assert.equal(unitsSaid(await trade.finish(dexid)), "200");
  const held = await Promise.all(bidders.map((bidder) => trade.units.held(bidder)));
  assert.deepEqual(
    held,
    bidders.map((_, at) => (at === 19 ? "805" : "1000")),
  );
  await assertHas(x, [a, "0"], [bidders[19] as KeyHolder, "5"]);
});

test("mrc402 §2.1: two creations at once of one item number: one is done, the other 7111", async () => {
  const { project } = trade.cast;
  const element = { item_id: numberOf(5), initialreserve: { "0": "10" } };
  const params = { mrc400id: project, itemdata: [element] };
  const ready = await Promise.all(
    (["o", "partner", "maker"] as const).map((role) =>
      trade.ready("createItems", trade.cast[role], params),
    ),
  );
  const answers = await Promise.all(ready.map((send) => send()));
  assert.deepEqual(answers.map(saidCode).sort(), ["200", "409 7111", "409 7111"]);
});

test("mrc402 §4: two creations at once with one balance: one is done, the other 5000", async () => {
  const e = await trade.newcomer(1000n);
  const x = { ...ART, totalsupply: "2", initialreserve: { "0": "300" } };
  const ready = await Promise.all([trade.ready("create", e, x), trade.ready("create", e, x)]);
  const answers = await Promise.all(ready.map((send) => send()));
  assert.deepEqual(answers.map(saidCode).sort(), ["200", "400 5000"]);
  assert.equal(await trade.units.held(e), "400");
});

/** Sends requests at the same time; what they are answered, sorted. */
async function atOnce(
  ...of: readonly (readonly [word: UnitWord, by: KeyHolder, params: RequestParams])[]
): Promise<string[]> {
  const ready = await Promise.all(of.map(([word, by, params]) => trade.ready(word, by, params)));
  return (await Promise.all(ready.map((send) => send()))).map(unitsSaid).sort();
}

test("mrc402 §2.2: two transfers of the same unit at once: one is done, the other 7001; of the same units of several 5000", async () => {
  for (let n = 0; n < 5; n++) {
    const u = await trade.x({ totalsupply: "2" }, { a: 1 });
    const one = await atOnce(
      ["transfer", a, { mrc402id: u, toAddr: b.address }],
      ["transfer", a, { mrc402id: u, toAddr: d.address }],
    );
    assert.deepEqual(one, ["200", "403 7001"]);
    const x = await trade.x({ totalsupply: "4" }, { a: 3 });
    const several = await atOnce(
      ["transfer", a, { mrc402id: x, toAddr: b.address, amount: "2" }],
      ["transfer", a, { mrc402id: x, toAddr: d.address, amount: "2" }],
    );
    assert.deepEqual(several, ["200", "400 5000"]);
  }
});

test("mrc402 §2.2: thirty transfers at once of ten units: ten are done", async () => {
  const x = await trade.x({ totalsupply: "11" }, { a: 10 });
  const receivers = [b, d, o];
  const all = Array.from({ length: 30 }, (_, n) => {
    const { address } = receivers[n % 3] as KeyHolder;
    return ["transfer", a, { mrc402id: x, toAddr: address }] as const;
  });
  const answers = await atOnce(...all);
  assert.equal(answers.filter((answer) => answer === "200").length, 10);
  assert.ok(answers.every((answer) => /^(200|403 7001)$/.test(answer)));
  const held = await Promise.all(
    [a, b, d, o].map(async (by) => Number(await trade.units.has(by, x))),
  );
  assert.equal(held[0], 0);
  assert.equal(
    held.reduce((sum, n) => sum + n),
    10,
  );
});

test("mrc402 §2.2: units go round at once without one being lost", async () => {
  const x = await trade.units.alone(c, { totalsupply: "9" });
  const ring = [a, b, d] as const;
  for (const holder of ring) {
    await trade.units.give(x, c, holder, "3");
  }
  const moves = Array.from({ length: 30 }, (_, n) => {
    const [from, to] = [ring[n % 3], ring[(n + 1) % 3]] as [KeyHolder, KeyHolder];
    return [
      "transfer",
      from,
      { mrc402id: x, toAddr: to.address, amount: String((n % 2) + 1) },
    ] as const;
  });
  const answers = await atOnce(...moves);
  assert.ok(
    answers.every((answer) => /^(200|403 7001|400 5000)$/.test(answer)),
    answers.join(),
  );
  const held = await Promise.all(ring.map(async (by) => Number(await trade.units.has(by, x))));
  assert.equal(
    held.reduce((sum, n) => sum + n),
    9,
  );
});

test("C5.3: one transfer ten times at once: one answer, one transfer", async () => {
  const x = await trade.x({ totalsupply: "5" }, { a: 5 });
  const params = { mrc402id: x, toAddr: b.address, amount: "2" };
  const send = await trade.ready("transfer", a, params);
  const answers = await Promise.all(Array.from({ length: 10 }, () => send()));
  assert.equal(new Set(answers.map((answer) => parsed<{ txid: string }>(answer).txid)).size, 1);
  assert.deepEqual([await trade.units.has(a, x), await trade.units.has(b, x)], ["3", "2"]);
});

test("mrc402 §2.1: melt against burn of the last units at once: one is done, the other 7110", async () => {
  const e = await trade.newcomer(1000n);
  for (let n = 0; n < 5; n++) {
    const x = await trade.units.alone(e, { totalsupply: "2", initialreserve: { "0": "1" } });
    const all = { mrc402id: x, amount: "2" };
    assert.deepEqual(await atOnce(["melt", e, all], ["burn", e, all]), ["200", "409 7110"]);
    const { owner } = await trade.record(x);
    assert.match(owner, /^(MELTED|BURNED)$/);
  }
  assert.equal(await trade.units.held(e), "1000");
});

test("mrc402 §2.1: the last units of two holders go at once, melted and burned: both, and the item has ended", async () => {
  const x = await trade.x({ totalsupply: "3" }, { a: 1 });
  const melt = ["melt", a, { mrc402id: x }] as const;
  const burn = ["burn", c, { mrc402id: x, amount: "2" }] as const;
  assert.deepEqual(await atOnce(melt, burn), ["200", "200"]);
  const { owner, totalsupply, meltedamount, burnedamount } = await trade.record(x);
  assert.match(owner, /^(MELTED|BURNED)$/);
  assert.deepEqual([totalsupply, meltedamount, burnedamount], ["1", "1", "2"]);
});

test("mrc402 §7: two mints at the limit at once: one is done, the other 3005", async () => {
  const x = await trade.units.alone(c, { totalsupply: "99999990" });
  const mint = ["mint", c, { mrc402id: x, amount: "9" }] as const;
  assert.deepEqual(await atOnce(mint, mint), ["200", "400 3005"]);
  await trade.assertItem(x, { totalsupply: "99999999" });
});

test("mrc402 §7: ten mints at once with coins for three: three are done, the others 5000", async () => {
  const e = await trade.newcomer(1250n);
  const x = await trade.units.alone(e, { initialreserve: { "0": "300" } });
  const mint = ["mint", e, { mrc402id: x, amount: "1" }] as const;
  const answers = await atOnce(...Array.from({ length: 10 }, () => mint));
  assert.deepEqual(answers, [...Array(3).fill("200"), ...Array(7).fill("400 5000")]);
  await trade.assertItem(x, { totalsupply: "4", reserve: { "0": "1200" } });
});

test("mrc402 §8: five melts at once of three units: three are done, the others 7001; transfer, sale and melt of the same unit: one", async () => {
  const x = await trade.x({ totalsupply: "9", initialreserve: { "0": "1" } }, { a: 3 });
  const melt = ["melt", a, { mrc402id: x }] as const;
  const answers = await atOnce(melt, melt, melt, melt, melt);
  assert.deepEqual(answers, ["200", "200", "200", "403 7001", "403 7001"]);
  await trade.units.give(x, c, a);
  const contest = await atOnce(
    melt,
    ["transfer", a, { mrc402id: x, toAddr: b.address }],
    ["sell", a, { id: x, amount: "1", price: "1", token: "0" }],
  );
  assert.equal(contest.filter((answer) => answer === "200").length, 1, contest.join());
});

test("C5.2: one key twice at once, with different amounts: one is done, the other 2021", async () => {
  const x = await trade.units.alone(c, { totalsupply: "9" });
  const tkey = await trade.node.key(c);
  const answers = await atOnce(
    ["burn", c, { mrc402id: x, amount: "1", tkey }],
    ["burn", c, { mrc402id: x, amount: "2", tkey }],
  );
  assert.deepEqual(answers, ["200", "409 2021"]);
});

test("C5.3: one request ten times at once: one answer, one burn", async () => {
  const x = await trade.units.alone(c, { totalsupply: "9" });
  const send = await trade.ready("burn", c, { mrc402id: x, amount: "1" });
  const answers = await Promise.all(Array.from({ length: 10 }, () => send()));
  const ids = answers.map((answer) => parsed<{ txid: string }>(answer).txid);
  assert.equal(new Set(ids).size, 1);
  assert.equal(await trade.units.has(c, x), "8");
});

test("mrc402 §9: a copyright field set by two at once: one is done, the other 3005", async () => {
  const x = await trade.units.alone(c);
  const ready = await Promise.all(
    ["IGE", "DPMA"].map((copyright_registrar) =>
      trade.ready("update", c, { mrc402id: x, copyright_registrar }),
    ),
  );
  const answers = (await Promise.all(ready.map((send) => send()))).map(unitsSaid);
  assert.deepEqual(answers.toSorted(), ["200", "400 3005"]);
  const set = answers[0] === "200" ? "IGE" : "DPMA";
  await trade.assertItem(x, { copyright_registrar: set });
});

test("mrc402 §2.4: Bound and Permanent at once: one is done, the other 3005; Bound and a transfer at once: the unit is where the answers say", async () => {
  const { project } = trade.cast;
  const u = await trade.u({ transferable: "Temporary" }, { a: 1 });
  const set = (transferable: string): Promise<() => Promise<Answered>> =>
    trade.ready("itemUpdate", o, { mrc400id: project, itemdata: [{ id: u, transferable }] });
  const ready = await Promise.all([set("Bound"), set("Permanent")]);
  const answers = (await Promise.all(ready.map((send) => send()))).map(unitsSaid);
  assert.deepEqual(answers.toSorted(), ["200", "400 3005"]);
  const v = await trade.u({ transferable: "Temporary" }, { a: 1 });
  const binding = { mrc400id: project, itemdata: [{ id: v, transferable: "Bound" }] };
  const both = await Promise.all([
    trade.ready("itemUpdate", o, binding),
    trade.ready("transfer", a, { mrc402id: v, toAddr: b.address }),
  ]);
  const [bound, moved] = (await Promise.all(both.map((send) => send()))).map(unitsSaid);
  assert.equal(bound, "200");
  assert.match(moved ?? "", /^(200|409 7109)$/);
  const { address } = moved === "200" ? b : a;
  await trade.assertItem(v, { owner: address, transferable: "Bound" });
});

const BATCHES = 40;
const BATCH = 10;
/** What a well-formed and rightly signed request may be refused with. Source: mrc402 §6 to §17. */
const REFUSALS =
  /^(200|400 (3004|3005|3201|5000)|403 (7001|7002)|409 (7101|7102|7103|7104|7105|7106|7107|7108|7110|7201|7202|7203))$/;

/** Seeded random operations on units and listings by the cast. */
class Traders {
  readonly random = new SeededRandom();
  readonly #items: readonly string[];
  #listings: UnitListingShown[] = [];

  constructor(items: readonly string[]) {
    this.#items = items;
  }

  async look(): Promise<void> {
    this.#listings = await allOf(trade.node, "/mrc402/dex", { state: "all" });
    this.#listings = this.#listings
      .filter(({ mrc402 }) => this.#items.includes(mrc402))
      .slice(0, 30);
  }

  next(): Promise<Send> {
    const { random } = this;
    const roles: readonly UnitRole[] = ["c", "a", "b", "d", "o", "partner", "seller", "maker"];
    const by = trade.cast[random.pick(roles)];
    const item = random.pick(this.#items);
    const amount = String(random.integer({ min: 1, max: 6 }));
    const listing = random.pick(this.#listings.length === 0 ? [undefined] : this.#listings);
    const kind = random.integer({ min: 0, max: 11 });
    if (kind === 0) {
      const toAddr = trade.cast[random.pick(roles)].address;
      return trade.ready("transfer", by, { mrc402id: item, toAddr, amount });
    }
    if (kind === 1) {
      const word = random.pick(["mint", "burn", "melt"] as const);
      return trade.ready(word, by, { mrc402id: item, amount });
    }
    if (kind < 6 || listing === undefined) {
      const word = random.pick(["sell", "auction"] as const);
      const form = random.pick(FORMS);
      const end = String(trade.node.now + UNIT_AUCTION_MIN + random.integer({ min: 0, max: 900 }));
      const platform = { platform_address: by.address, platform_commission: "2.5" };
      const terms = {
        amount,
        token: random.pick(["0", "1"]),
        ...(word === "auction" ? { auction_end_date: end } : { price: random.pick(["7", "199"]) }),
        ...random.pick([{}, platform]),
      };
      return trade.ready(word, by, listingParams(word, form, item, terms));
    }
    return this.#onListing(listing, by, amount);
  }

  /** What may be done with a listing, by its own id or by its item's, mostly of the right kind. */
  #onListing(listing: UnitListingShown, by: KeyHolder, amount: string): Promise<Send> {
    const { random } = this;
    const { dexid, mrc402, side, seller } = listing;
    const isWrong = random.integer({ min: 0, max: 9 }) === 0;
    const isSale = (side === "sell") !== isWrong;
    const id = random.pick([dexid, mrc402]);
    const what = random.integer({ min: 0, max: 5 });
    if (what === 0) {
      return Promise.resolve(() => trade.finish(id));
    }
    if (what === 1) {
      const word: UnitTradeWord = isSale ? "unsell" : "unauction";
      const owner = Object.values(trade.cast).find(
        (one): one is KeyHolder => typeof one !== "string" && one.address === seller,
      );
      const params: RequestParams = id === dexid ? { id } : { itemdata: [id] };
      return trade.ready(word, owner ?? by, params);
    }
    const current = Number(listing.auction_current_price || listing.auction_start_price);
    const bid = random.pick([500, current + 5 * random.integer({ min: 0, max: 4 })]);
    return isSale
      ? trade.ready("buy", by, { id, amount })
      : trade.ready("bid", by, { id, amount: String(Math.max(bid, 1)) });
  }
}

test(`mrc402 §18 row 66: of ${BATCH * BATCHES} random requests, ${BATCH} at a time, none creates or loses a unit, and the blocks verify`, async () => {
  const { project: _, ...others } = trade.cast;
  const shareholder = { [a.address]: "3", [b.address]: "0.01" };
  const rates = { creatorcommission: "2.5", shareholder };
  const given = { a: 20, b: 20, d: 20 };
  await Promise.all(Object.values(others).map((holder) => trade.units.pay(holder, "1", 5000n)));
  const items = [
    await trade.x({ ...rates, initialreserve: { "0": "5", "1": "2" } }, given),
    await trade.u(
      { ...rates, sell_fee: "10", melt_fee: "33.3333", initial_reserve: "3", totalsupply: "70" },
      given,
    ),
    await trade.u({ totalsupply: "30", sell_fee: "1.5" }),
  ];
  const traders = new Traders(items);
  const counts = new Map<string, number>();
  try {
    for (let batch = 0; batch < BATCHES; batch += 1) {
      await traders.look();
      const sends = await Promise.all(Array.from({ length: BATCH }, () => traders.next()));
      for (const answer of await Promise.all(sends.map((send) => send()))) {
        const said = unitsSaid(answer);
        assert.match(said, REFUSALS, answer.text);
        const id = answer.headers.get("transaction-id");
        const of = id === null ? said : (await trade.node.transaction(id)).type;
        counts.set(of, (counts.get(of) ?? 0) + 1);
      }
      for (const id of items) {
        trade.units.follow({ status: 200, headers: new Headers(), text: id });
      }
      await trade.assertConserved();
      trade.node.now += traders.random.integer({ min: 0, max: 300 });
    }
    await trade.node.stop();
    const { exitCode, output } = await runMoneta("verify", trade.node.data);
    await trade.node.resume();
    assert.equal(exitCode, 0, output);
    assert.ok(counts.size > 15, JSON.stringify(Object.fromEntries(counts)));
  } catch (thrown) {
    console.error(`seed: TEST_SEED=${traders.random.seed}`);
    throw thrown;
  }
});
