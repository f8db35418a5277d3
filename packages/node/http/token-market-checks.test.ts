import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { Market, type Parties } from "../testing/market.ts";
import type { MarketWord } from "../testing/market-requests.ts";
import { type KeyHolder, type Params, said, saidCode } from "../testing/test-node.ts";

// What the operations of the market refuse, in the order in which it answers: the lists of checks of tokens §9 to §12.

const UNKNOWN = "MTAlice00000000000000000000000005dc33c90";
const UNKNOWN_LISTING = `DEX010_${"0".repeat(33)}`;
const MAX = 10n ** 40n;
const DAY = 86_400;

let market: Market;
let parties: Parties;
before(async () => {
  market = await Market.open();
  parties = await market.parties({ gold: 1_000_000n, coins: 1_000_000n });
});
after(() => market[Symbol.asyncDispose]());
afterEach(() => market.assertConserved());

/** Sends a request whose faults are mended one after the other: each change is answered with the next fault. */
async function mending(
  word: MarketWord,
  by: KeyHolder,
  changes: readonly (readonly [change: Params, answer: string])[],
): Promise<void> {
  const { s, b } = parties;
  const stranger = by === s ? b : s;
  const tkey = await market.node.key(by);
  // A temporary key is used up by what moves nothing.
  const greeting = [{ address: stranger.address, amount: "0", unlockdate: "0", memo: "hello" }];
  const greeted = await market.node.multitransfer(by, greeting);
  assert.equal(said(await market.node.post("/multitransfer", greeted)), "200");
  const steps: readonly (readonly [Params, string, Params])[] = changes.flatMap(
    ([change, answer]) =>
      answer !== "key"
        ? [[change, answer, {}]]
        : [
            [change, "401 2020", { tkey: "abc" }],
            [{}, "401 2020", { tkey: greeted.signature.slice(0, 46) }],
            [{}, "409 2021", { tkey: greeted.checkkey }],
            [{}, "401 2230", { signature: "abc!" }],
            [{}, "401 2010", { by: "a stranger" }],
          ],
  );
  let params: Params = {};
  for (const [change, answer, { by: isStranger, signature, ...once }] of steps) {
    params = { ...params, ...change };
    const sent = { ...params, tkey, ...once };
    const signing = isStranger === undefined ? {} : { by: stranger };
    const request = await market.request(word, by, sent, signing);
    const given = signature === undefined ? request : { ...request, signature };
    const what = JSON.stringify({ ...change, ...once });
    assert.equal(saidCode(await market.post(word, given)), answer, what);
  }
}

for (const word of ["sell", "reqsell"] as const) {
  test(`tokens §9: the order in which ${word} refuses`, async () => {
    const by = await market.holder({ coins: 100n, gold: 100n });
    await mending(word, by, [
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
      [{ address: by.address }, "404 4001"],
      [{ mrc010id: market.gold }, "404 4001"],
      [{ token: "0" }, "404 3090"],
      [{ platform_address: parties.p.address }, "key"],
      [{}, "400 5000"],
    ]);
  });

  test(`tokens §9: ${word} names the parameter to blame`, async () => {
    const by = word === "sell" ? parties.s : parties.b;
    const params = market.listing1(parties);
    for (const [name, value, code] of [
      ["mrc010id", "x", "400 1101"],
      ["mrc010id", "01", "400 1101"],
      ["mrc010id", "999999", "404 4001"],
      ["token", "x", "400 1101"],
      ["token", String(MAX + 1n), "400 1101"],
      ["token", "999999", "404 4001"],
      ["amount", String(MAX + 1n), "400 1101"],
      ["price", "1.5", "400 1101"],
      ["price", String(MAX + 1n), "400 1101"],
      ["address", "MTx", "400 3190"],
      ["platform_name", "a|b", "400 3005"],
      ["platform_name", "é".repeat(256), "400 3005"],
      ["platform_name", "a\u0000", "400 1006"],
      ["platform_url", "https://example.org/a|b", "400 3005"],
      ["platform_url", `https://example.org/${"a".repeat(236)}`, "400 3005"],
      ["platform_url", "ftp://example.org", "400 3005"],
      ["platform_url", "example.org", "400 3005"],
      ["platform_url", "ipfs://x", "400 3005"],
      ["platform_commission", "10.01", "400 3005"],
      ["min_trade_unit", "5", "400 3005"],
      ["signed", "short", "400 3005"],
    ] as const) {
      const answer = await market.send(word, by, { ...params, [name]: value });
      assert.equal(said(answer), `${code} ${name}`, value.slice(0, 60));
    }
    const name = "😀".repeat(255);
    const url = `https://example.org/${"a".repeat(235)}`;
    const longest = { ...params, platform_name: name, platform_url: url };
    const { platform_name, platform_url } = await market.listing(
      await market.list(word, by, longest),
    );
    assert.deepEqual([platform_name, platform_url], [name, url]);
  });
}

test("tokens §12: the order in which auction refuses", async () => {
  const by = await market.holder({ gold: 10n });
  const { now } = market.node;
  await mending("auction", by, [
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
    [{ address: by.address }, "404 4001"],
    [{ mrc010id: market.gold }, "404 4001"],
    [{ token: "0" }, "404 3090"],
    [{ platform_address: parties.p.address }, "key"],
    [{}, "400 1102"],
    [{ auction_end_date: "" }, "400 5000"],
  ]);
});

for (const { word, own, other } of [
  { word: "unsell", own: "sell", other: "reqsell" },
  { word: "unreqsell", own: "reqsell", other: "sell" },
] as const) {
  test(`tokens §10: the order in which ${word} refuses`, async () => {
    const by = await market.holder({ coins: 10_000n, gold: 10_000n });
    const terms = market.listing1(parties);
    const [foreign, cancelled, sold] = [
      await market.list(other, by, terms),
      await market.list(own, by, terms),
      await market.list(own, by, terms),
    ];
    const undo = other === "sell" ? "unsell" : "unreqsell";
    assert.equal(saidCode(await market.send(undo, by, { dexid: foreign })), "200");
    assert.equal(saidCode(await market.send(word, by, { dexid: cancelled })), "200");
    const taker = word === "unsell" ? parties.b : parties.s;
    const take = word === "unsell" ? "buy" : "acceptreqsell";
    const taken = await market.send(take, taker, { dexid: sold, amount: "1000" });
    assert.equal(saidCode(taken), "200");
    await mending(word, by, [
      [{ dexid: UNKNOWN_LISTING }, "404 6004"],
      [{ dexid: foreign }, "key"],
      [{}, "409 7103"],
      [{ dexid: cancelled }, "409 7101"],
      [{ dexid: sold }, "key"],
      [{}, "409 7102"],
      [{ dexid: await market.list(own, by, terms) }, "key"],
      [{}, "200"],
    ]);
  });
}

for (const { word, own, other } of [
  { word: "buy", own: "sell", other: "reqsell" },
  { word: "acceptreqsell", own: "reqsell", other: "sell" },
] as const) {
  test(`tokens §11: the order in which ${word} refuses`, async () => {
    const by = await market.holder({ coins: 3000n, gold: 3000n });
    const creator = word === "buy" ? parties.s : parties.b;
    const undo = own === "sell" ? "unsell" : "unreqsell";
    const terms = market.listing1(parties);
    const ownForeign = await market.list(other, by, terms);
    const ownCancelled = await market.list(own, by, terms);
    assert.equal(saidCode(await market.send(undo, by, { dexid: ownCancelled })), "200");
    const foreign = await market.list(other, word === "buy" ? parties.b : parties.s, terms);
    const foreignUndo = other === "sell" ? "unsell" : "unreqsell";
    const [cancelled, sold, open] = [
      await market.list(own, creator, terms),
      await market.list(own, creator, terms),
      await market.list(own, creator, terms),
    ];
    assert.equal(saidCode(await market.send(undo, creator, { dexid: cancelled })), "200");
    const all = { dexid: sold, amount: "1000" };
    assert.equal(saidCode(await market.send(word, by, all)), "200");
    const owner = word === "buy" ? parties.b : parties.s;
    assert.equal(saidCode(await market.send(foreignUndo, owner, { dexid: foreign })), "200");
    // Now it has less than any part of a listing costs.
    const [token, rest] = word === "buy" ? ["0", 2n] : [market.gold, 9n];
    const [had = "0"] = await market.node.balances(by, token);
    await market.pay(by, creator, BigInt(had) - rest, { token });
    await mending(word, by, [
      [{ dexid: UNKNOWN_LISTING, address: UNKNOWN, amount: "01" }, "400 1101"],
      [{ amount: "0" }, "400 1107"],
      [{ amount: "1015", address: "MTx" }, "400 3190"],
      [{ address: UNKNOWN }, "404 6004"],
      [{ dexid: ownForeign }, "404 3090"],
      [{ address: by.address }, "key"],
      [{}, "400 3004"],
      [{ dexid: ownCancelled }, "400 3004"],
      [{ dexid: foreign }, "409 7103"],
      [{ dexid: cancelled }, "409 7101"],
      [{ dexid: sold }, "409 7102"],
      [{ dexid: open }, "400 3005"],
      [{ amount: "1010" }, "400 3004"],
      [{ amount: "10" }, "400 5000"],
    ]);
    await market.pay(creator, by, 1n, { token });
    assert.equal(saidCode(await market.send(word, by, { dexid: open, amount: "10" })), "200");
  });
}

test("tokens §12: the order in which unauction refuses", async () => {
  const by = await market.holder({ gold: 10_000n });
  const terms = market.listing3(parties);
  const [sale, cancelled, sold, contested, open] = [
    await market.list("sell", by, market.listing1(parties)),
    await market.list("auction", by, terms),
    await market.list("auction", by, terms),
    await market.list("auction", by, terms),
    await market.list("auction", by, terms),
  ];
  for (const [word, dexid] of [
    ["unsell", sale],
    ["unauction", cancelled],
  ] as const) {
    assert.equal(saidCode(await market.send(word, by, { dexid })), "200");
  }
  for (const [dexid, amount] of [
    [sold, "500"],
    [contested, "100"],
  ] as const) {
    assert.equal(saidCode(await market.send("bid", parties.b, { dexid, amount })), "200");
  }
  market.node.now += DAY;
  await mending("unauction", by, [
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

test("tokens §12: the order in which bid refuses", async () => {
  const by = await market.holder({ coins: 300n, gold: 2000n });
  const { s } = parties;
  const terms = market.listing3(parties);
  const own = await market.list("sell", by, market.listing1(parties));
  const sale = await market.list("sell", s, market.listing1(parties));
  assert.equal(saidCode(await market.send("unsell", s, { dexid: sale })), "200");
  const over = await market.list("auction", s, terms);
  const [cancelled, sold] = [
    await market.list("auction", s, terms),
    await market.list("auction", s, terms),
  ];
  assert.equal(saidCode(await market.send("unauction", s, { dexid: cancelled })), "200");
  const bidding = async (dexid: string, amount: string, bidder = by): Promise<string> =>
    saidCode(await market.send("bid", bidder, { dexid, amount }));
  assert.equal(await bidding(sold, "500", parties.b), "200");
  assert.equal(await bidding(over, "100"), "200");
  market.node.now += DAY;
  const later = { ...terms, auction_start_date: String(market.node.now + 10) };
  const early = await market.list("auction", s, later);
  const [leading, open] = [
    await market.list("auction", s, terms),
    await market.list("auction", s, terms),
  ];
  assert.equal(await bidding(leading, "100"), "200");
  await mending("bid", by, [
    [{ dexid: UNKNOWN_LISTING, address: UNKNOWN, amount: "01" }, "400 1101"],
    [{ amount: "0" }, "400 1107"],
    [{ amount: "501", address: "MTx" }, "400 3190"],
    [{ address: UNKNOWN }, "404 6004"],
    [{ dexid: own }, "404 3090"],
    [{ address: by.address }, "key"],
    [{}, "400 3004"],
    [{ dexid: sale }, "409 7103"],
    [{ dexid: cancelled }, "409 7101"],
    [{ dexid: sold }, "409 7102"],
    [{ dexid: early }, "409 7203"],
    [{ dexid: over }, "409 7202"],
    [{ dexid: leading }, "409 7105"],
    [{ dexid: open }, "400 3004"],
    [{ amount: "300", dexid: leading }, "409 7105"],
    [{ dexid: open, amount: "499" }, "400 3004"],
    [{ amount: "105" }, "400 5000"],
  ]);
  assert.equal(await bidding(open, "100"), "200");
});
