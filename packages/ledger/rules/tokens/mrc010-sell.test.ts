import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import type { Params } from "../../testing/admitted.ts";
import { assertRecords } from "../../testing/shown/expected-records.ts";
import { createToken } from "../../testing/trade/creations.ts";
import { type Parties, PLATFORM, TokenMarket } from "../../testing/trade/token-market.ts";

let market: TokenMarket;
let parties: Parties;
/** The id of the gold that is traded for coins. */
let x: string;
let s: Address;
let b: Address;
let p: Address;
before(async () => {
  market = await TokenMarket.open();
  parties = await market.parties({ gold: 1_000_000n, coins: 1_000_000n });
  x = market.gold;
  s = await market.holder({ coins: 5000n, gold: 100_000n });
  b = await market.holder({ coins: 50_000n, gold: 50n });
  p = await market.holder({ coins: 7n, gold: 7n });
});
after(() => market[Symbol.dispose]());

/** Creates listing 1 or 2; `done`, or the code that refuses it. */
async function creating(word: "sell" | "reqsell", by: Address, p: Address): Promise<string> {
  return (await market.send(`mrc010${word}`, by, market.listing1({ p }))).code;
}

const UNKNOWN = "MTAlice00000000000000000000000005dc33c90";

const MAX = 10n ** 40n;

/** Creates listing 1 or 2 with a change; `done`, or the code that refuses it. */
async function creatingBy(
  word: "sell" | "reqsell",
  by: Address,
  parties: Parties,
  change: Params = {},
): Promise<string> {
  return (await market.send(`mrc010${word}`, by, market.listing1(parties, change))).code;
}

interface Row {
  readonly word: "sell" | "reqsell";
  readonly price: bigint;
  readonly unit: string;
  readonly commission?: string;
  readonly isPlatform?: boolean;
  readonly answer: string;
}

const FORMS = { short: {}, full: { signed: "full" } } as const;

test("tokens §13 row 1: with 999 spendable listing 1 is 5000, with 1000 it takes them and leaves what is locked", async () => {
  const { s, p } = await market.parties({ gold: 999n });
  const unlockdate = market.now + 1000;
  await market.pay(s, 50n, { unlockdate });
  assert.equal(await creating("sell", s, p), "400 5000");
  assert.equal(market.held(s), `0 coins, 999 + 50@${unlockdate} gold`);
  await market.pay(s, 1n);
  assert.equal(await creating("sell", s, p), "done");
  assert.equal(market.held(s), `0 coins, 0 + 50@${unlockdate} gold`);
});

test("accounts §8.4: what was locked until T is in the spendable 1000 at T, not before", async () => {
  const { s, p } = await market.parties({ gold: 999n });
  const unlockdate = market.now + 100;
  await market.pay(s, 1n, { unlockdate });
  market.now = unlockdate - 1;
  assert.equal(await creating("sell", s, p), "400 5000");
  market.now = unlockdate;
  assert.equal(await creating("sell", s, p), "done");
});

for (const { what, change } of [
  { what: "a commission without platform", change: { platform_address: "" } },
  { what: "a platform without commission", change: { platform_commission: "" } },
  { what: "a platform with commission 0", change: { platform_commission: "0" } },
]) {
  test(`tokens §13 row 16: ${what}: 300 in escrow, never a fee`, async () => {
    const two = await market.listed("mrc010reqsell", { change });
    assert.equal(market.listing(two.dexid).buy_price_total, "300");
    const accepted = (await two.take("1000")).told;
    assert.deepEqual(accepted, [`receive_mrc010buy ${two.b}`]);
    const one = await market.listed("mrc010sell", { change });
    assert.deepEqual((await one.take("1000")).told, [`receive_mrc010sell ${one.s}`]);
    assert.equal(market.held(one.s), "300 coins, 0 gold");
    assert.equal(market.held(one.p), "0 coins, 0 gold");
  });
}

for (const { given, answer, shown } of [
  { given: "10", answer: "done", shown: "10" },
  { given: "5.70", answer: "done", shown: "5.7" },
  { given: "10.00", answer: "done", shown: "10" },
  { given: "0.01", answer: "done", shown: "0.01" },
  ...["10.01", "2.555", "-1", "x", "1e0", "+1", "1,5", " 1", "11"].map((given) => ({
    given,
    answer: "400 3005",
    shown: "",
  })),
]) {
  test(`tokens §13 row 17: commission ${JSON.stringify(given)}: ${answer}${shown && `, shown as ${shown}`}`, async () => {
    const parties = await market.parties();
    const params = market.listing1(parties, { platform_commission: given });
    for (const [word, by] of [
      ["sell", parties.s],
      ["reqsell", parties.b],
    ] as const) {
      if (shown === "") {
        assert.equal((await market.send(`mrc010${word}`, by, params)).code, answer);
      } else {
        const dexid = await market.list(`mrc010${word}`, by, params);
        assert.equal(market.listing(dexid).platform_commission, shown);
      }
    }
  });
}

for (const change of [
  ...["5", "1000000000", "0", "01", "x", "10.0"].map((min_trade_unit) => ({ min_trade_unit })),
  { amount: "15" },
  { min_trade_unit: "100000000", amount: "10" },
]) {
  test(`tokens §13 row 19: ${JSON.stringify(change)}: 3005`, async () => {
    const parties = await market.parties();
    assert.equal(await creatingBy("sell", parties.s, parties, change), "400 3005");
    assert.equal(await creatingBy("reqsell", parties.b, parties, change), "400 3005");
  });
}

test("tokens §13 row 19: a token for itself: 3005, the native coin too", async () => {
  const parties = await market.parties();
  for (const token of [market.gold, "0"]) {
    const change = { mrc010id: token, token };
    assert.equal(await creatingBy("sell", parties.s, parties, change), "400 3005");
    assert.equal(await creatingBy("reqsell", parties.b, parties, change), "400 3005");
  }
});

for (const { word, price, unit, commission, isPlatform, answer } of [
  { word: "sell", price: 2n, unit: "1", answer: "400 1101" },
  { word: "sell", price: 1n, unit: "1", answer: "400 5000" },
  { word: "sell", price: 10n ** 8n, unit: "100000000", answer: "400 5000" },
  { word: "sell", price: 10n ** 8n + 1n, unit: "100000000", answer: "400 1101" },
  { word: "sell", price: 1n, unit: "1", commission: "1", isPlatform: true, answer: "400 5000" },
  { word: "reqsell", price: 1n, unit: "1", commission: "1", isPlatform: true, answer: "400 1101" },
  { word: "reqsell", price: 1n, unit: "1", commission: "1", answer: "400 5000" },
  { word: "reqsell", price: 2n, unit: "1", answer: "400 1101" },
] as const satisfies readonly Row[]) {
  const row = word === "sell" ? 21 : 22;
  const fee = commission === undefined ? "" : `, commission ${commission}`;
  test(`tokens §13 row ${row}: ${word} 10^40, price ${price}, unit ${unit}${fee}${isPlatform ? " for a platform" : ""}: ${answer}`, async () => {
    const parties = await market.parties();
    const change = {
      amount: String(MAX),
      price: String(price),
      min_trade_unit: unit,
      platform_commission: commission ?? "",
      platform_address: isPlatform ? parties.p : "",
    };
    const by = word === "sell" ? parties.s : parties.b;
    assert.equal(await creatingBy(word, by, parties, change), answer);
  });
}

test("tokens §13 row 21: all 10^40 of a token are sold for all 10^40 of another", async () => {
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

for (const { platform_address, answer } of [
  { platform_address: "MTPlatform", answer: "400 3190" },
  { platform_address: UNKNOWN, answer: "404 3090" },
]) {
  test(`tokens §13 row 25: platform_address ${platform_address}: ${answer}`, async () => {
    const parties = await market.parties();
    // The address is checked even if no commission is due.
    const bare = { platform_address, platform_commission: "" };
    assert.equal(await creatingBy("sell", parties.s, parties, bare), answer);
    assert.equal(await creatingBy("sell", parties.s, parties, { platform_address }), answer);
    assert.equal(await creatingBy("reqsell", parties.b, parties, { platform_address }), answer);
  });
}

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
      const answer = await market.send(`mrc010${word}`, by, { ...params, [name]: value });
      assert.equal(answer.said, `${code} ${name}`, value.slice(0, 60));
    }
    const name = "😀".repeat(255);
    const url = `https://example.org/${"a".repeat(235)}`;
    const longest = { ...params, platform_name: name, platform_url: url };
    const { platform_name, platform_url } = market.listing(
      await market.list(`mrc010${word}`, by, longest),
    );
    assert.deepEqual([platform_name, platform_url], [name, url]);
  });
}

for (const word of ["sell", "reqsell"] as const) {
  for (const { what, change } of [
    { what: "with all that can be given", change: PLATFORM },
    { what: "with a rate as it is sent", change: { platform_commission: "2.50" } },
    {
      what: "without what can be left out",
      change: { min_trade_unit: "", platform_commission: "", platform_address: "" },
    },
  ] as readonly { what: string; change: Params }[]) {
    for (const signed of ["short", "full"] as const) {
      test(`tokens §9: ${word} ${what}, signed ${signed}: M and L`, async () => {
        const by = word === "sell" ? s : b;
        const params = market.listing1({ p }, { ...change, ...FORMS[signed] });
        const answer = await market.client.done(`mrc010${word}`, by, params);
        const [dexid = ""] = answer.made;
        const at = (name: string): string => String(params[name] ?? "");
        const parameters = [
          dexid,
          by,
          "1000",
          x,
          "3",
          "0",
          at("platform_name"),
          at("platform_url"),
          at("platform_address"),
          at("platform_commission"),
          at("min_trade_unit"),
          answer.signature,
          answer.tkey,
        ];
        const moved = [word === "sell" ? x : "0"];
        assertRecords(
          market.client,
          answer,
          [
            { type: `mrc010${word}`, of: by, parameters, moved },
            { type: `mrc010_${word}`, of: dexid, parameters },
          ],
          x,
        );
      });
    }
  }
}
