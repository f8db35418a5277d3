import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import type { Params } from "../../testing/admitted.ts";
import { assertRecords } from "../../testing/shown/expected-records.ts";
import { type Parties, PLATFORM, TokenMarket } from "../../testing/trade/token-market.ts";

let market: TokenMarket;
let parties: Parties;
/** The id of the gold that is traded for coins. */
let x: string;
let s: Address;
let p: Address;
before(async () => {
  market = await TokenMarket.open();
  parties = await market.parties({ gold: 1_000_000n, coins: 1_000_000n });
  x = market.gold;
  s = await market.holder({ coins: 5000n, gold: 100_000n });
  p = await market.holder({ coins: 7n, gold: 7n });
});
after(() => market[Symbol.dispose]());

const UNKNOWN = "MTAlice00000000000000000000000005dc33c90";

const MAX = 10n ** 40n;

const DAY = 86_400;

const FORMS = { short: {}, full: { signed: "full" } } as const;

/**
 * A seller who has 50 of gold creates listing 3 with a change; `done`, or the code that refuses it.
 */
async function auctioning(change: Params): Promise<string> {
  const parties = await market.parties({ gold: 50n });
  return (await market.send("mrc010auction", parties.s, market.listing3(parties, change))).code;
}

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

for (const signed of ["short", "full"] as const) {
  for (const isBare of [false, true]) {
    test(`tokens §12: auction ${isBare ? "without" : "with"} what can be left out, signed ${signed}: M and L`, async () => {
      const { now } = market;
      const dates = { auction_start_date: String(now), auction_end_date: String(now + 3600) };
      const nothing = {
        auction_bidding_unit: "",
        auction_buynow_price: "",
        platform_commission: "",
        platform_address: "",
      };
      const given = isBare ? nothing : { ...PLATFORM, ...dates };
      const params = market.listing3({ p }, { ...given, ...FORMS[signed] });
      const answer = await market.client.done("mrc010auction", s, params);
      const [dexid = ""] = answer.made;
      const at = (name: string): string => String(params[name] ?? "");
      const parameters = [
        dexid,
        s,
        "50",
        x,
        "100",
        "0",
        at("auction_bidding_unit"),
        at("auction_buynow_price"),
        at("auction_start_date"),
        at("auction_end_date"),
        at("platform_name"),
        at("platform_url"),
        at("platform_address"),
        at("platform_commission"),
        answer.signature,
        answer.tkey,
      ];
      assertRecords(
        market.client,
        answer,
        [
          { type: "mrc010auction", of: s, parameters, moved: [x] },
          { type: "mrc010_auction", of: dexid, parameters },
        ],
        x,
      );
    });
  }
}

test("tokens §12: an auction takes the lot into escrow, and not what is locked", async () => {
  const { s, b, p } = await market.parties({ gold: 49n });
  const unlockdate = market.now + DAY;
  await market.pay(s, 50n, { unlockdate });
  const auction = (): Promise<string> =>
    market.send("mrc010auction", s, market.listing3({ p })).then(({ code }) => code);
  assert.equal(await auction(), "400 5000");
  await market.pay(s, 1n);
  assert.equal(await auction(), "done");
  assert.equal(market.held(s), `0 coins, 0 + 50@${unlockdate} gold`);
  assert.equal(market.held(b), "1000 coins, 0 gold");
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
  test(`tokens §13 row 35: ${what}: ${answer}`, async () => {
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

test("tokens §12: dates of 0 mean now and a day later", async () => {
  const { now } = market;
  const change = { auction_start_date: "0", auction_end_date: "0" };
  const parties = await market.parties({ gold: 50n });
  const dexid = await market.list("mrc010auction", parties.s, market.listing3(parties, change));
  const { auction_start_date, auction_end_date } = market.listing(dexid);
  assert.deepEqual([auction_start_date, auction_end_date], [now, now + DAY]);
});

for (const { what, change, answer } of [
  ...["x", "01", "-1", "1.5", String(MAX + 1n)].flatMap((value) =>
    [
      "amount",
      "auction_start_price",
      "auction_bidding_unit",
      "auction_buynow_price",
      "auction_start_date",
      "auction_end_date",
    ].map((name) => ({ what: `${name} ${value}`, change: { [name]: value }, answer: "400 1101" })),
  ),
  { what: "amount 0", change: { amount: "0" }, answer: "400 1107" },
  { what: "start price 0", change: { auction_start_price: "0" }, answer: "400 1104" },
  { what: "unit 0", change: { auction_bidding_unit: "0" }, answer: "400 1104" },
  { what: "buy-now = start", change: { auction_buynow_price: "100" }, answer: "400 3005" },
  { what: "buy-now below start", change: { auction_buynow_price: "99" }, answer: "400 3005" },
  { what: "buy-now = start + 1", change: { auction_buynow_price: "101" }, answer: "done" },
  { what: "buy-now 0", change: { auction_buynow_price: "0" }, answer: "done" },
  { what: "buy-now 10^40", change: { auction_buynow_price: String(MAX) }, answer: "done" },
  {
    what: "start price and unit 10^40",
    change: {
      auction_start_price: String(MAX),
      auction_bidding_unit: String(MAX),
      auction_buynow_price: "",
    },
    answer: "done",
  },
  { what: "commission 10.01", change: { platform_commission: "10.01" }, answer: "400 3005" },
  { what: "a huge date", change: { auction_end_date: String(MAX) }, answer: "400 1102" },
]) {
  test(`tokens §12: an auction with ${what}: ${answer}`, async () =>
    assert.equal(await auctioning(change), answer));
}
