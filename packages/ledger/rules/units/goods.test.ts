import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Address, AMOUNT_MAX } from "@moneta/protocol";
import type { Params } from "../../testing/admitted.ts";
import type { Answer } from "../../testing/answer.ts";
import { FORMS, listingParams } from "../../testing/trade/unit-terms.ts";
import { UnitTrade } from "../../testing/trade/unit-trade.ts";

let trade: UnitTrade;
let o: Address;
let p: Address;
let s: Address;
let m: Address;
let a: Address;
let b: Address;
let d: Address;
before(async () => {
  trade = await UnitTrade.open({ tokens: 9 });
  ({ o, partner: p, seller: s, maker: m, a, b, d } = trade.cast);
});
after(() => trade[Symbol.dispose]());

/** Shares of a price, shown by an auction that was won for it: its bid was paid before. */
async function won(id: string, price: string, platform: Params = {}): Promise<string> {
  const terms = {
    amount: "1",
    auction_start_price: price,
    auction_buynow_price: "0",
    ...(platform as Record<string, string>),
  };
  const dexid = await trade.lot(a, id, terms, [[b, price]]);
  trade.untilEnd(dexid);
  return (await trade.finish(dexid)).outcome;
}

/** Amounts of the fees that a transaction has paid. */
function feesIn({ effects }: Answer): readonly string[] {
  return effects
    .filter(({ type }) => type === "receive_mrc402fee")
    .map(({ parameters }) => parameters[2] ?? "");
}

async function boughtOne(id: string, price: string, platform: Params = {}): Promise<string> {
  const terms = { amount: "1", price, ...(platform as Record<string, string>) };
  const dexid = await trade.sale(a, id, terms);
  return (await trade.buy(b, dexid, "1")).outcome;
}

const MOVED = "a -1 on sale, b +1 units";

const WON = "a -1 on auction, b +1 units";

for (const { price, shares, fees } of [
  { price: "199", shares: "a +199, b -199", fees: [] },
  {
    price: "1000",
    shares: "a +991, b -1000, d +1, o +5, partner +3",
    fees: ["5", "1", "3"],
  },
]) {
  test(`mrc402 §2.6: shareholders 0.5, 0.1, 0.33, 0.09, 0; P = ${price}: ${shares}; ${fees.length} fee records`, async () => {
    const shareholder = {
      [o]: "0.5",
      [d]: "0.1",
      [p]: "0.33",
      [s]: "0.09",
      [m]: "0",
    };
    const x = await trade.x({ shareholder }, { a: 2 });
    const dexid = await trade.sale(a, x, { amount: "1", price });
    let answer: Answer | undefined;
    const buying = async () => {
      answer = await trade.buy(b, dexid, "1");
      return answer;
    };
    assert.equal((await buying()).outcome, `done: ${shares}, ${MOVED}`);
    assert.ok(answer !== undefined);
    assert.deepEqual(await feesIn(answer), fees);
    const sold = shares.replace(/, b -\d+/, "");
    assert.equal(await won(x, price), `done: ${sold}, ${WON}`);
  });
}

const row20 = (): object => ({
  sell_fee: "2.5",
  creatorcommission: "5",
  platform_address: p,
  platform_commission: "1.25",
  shareholder: { [s]: "3", [d]: "0.01" },
});

for (const { price, shares } of [
  {
    price: "10000",
    shares: "a +8824, b -10000, d +1, o +250, partner +125, seller +300, maker +500",
  },
  {
    price: "9999",
    shares: "a +8828, b -9999, o +249, partner +124, seller +299, maker +499",
  },
]) {
  test(`mrc402 §2.6: item of P: sell_fee 2.5, creatorcommission 5, platform 1.25, shareholders 3 and 0.01; P = ${price}: ${shares}`, async () => {
    const u = await trade.u({ ...row20(), totalsupply: "2" }, { a: 2 });
    assert.equal(await boughtOne(u, price), `done: ${shares}, ${MOVED}`);
    const sold = shares.replace(/, b -\d+/, "");
    assert.equal(await won(u, price), `done: ${sold}, ${WON}`);
  });
}

for (const { price, shares } of [
  { price: "999", shares: "a +1, b -999, o +949, maker +49" },
  { price: "1000", shares: "b -1000, o +950, maker +50" },
]) {
  test(`mrc402 §18 row 22: sell_fee 95, creatorcommission 5: P = ${price}: ${shares}`, async () => {
    const u = await trade.u({ sell_fee: "95", creatorcommission: "5", totalsupply: "2" }, { a: 2 });
    const dexid = await trade.sale(a, u, { amount: "1", price });
    const sent = await trade.send("buy", b, { id: dexid, amount: "1" });
    assert.equal(sent.outcome, `done: ${shares}, ${MOVED}`);
    const { effects } = sent;
    const paid = effects.map(({ type }) => type).filter((type) => type === "receive_mrc402sell");
    assert.equal(paid.length, price === "999" ? 1 : 0);
  });
}

for (const word of ["sell", "auction"] as const) {
  for (const form of FORMS) {
    test(`mrc402 §2.6: ${word} of that item with platform_commission 0.01, ${form} form: with an address 3005, without accepted, no platform fee`, async () => {
      const u = await trade.u({ sell_fee: "95", creatorcommission: "5" }, { a: 1 });
      const price = word === "sell" ? { price: "999" } : { auction_buynow_price: "999" };
      const terms = { amount: "1", platform_commission: "0.01", ...price };
      const refused = { ...terms, platform_address: p };
      const sending = (change: object) => () =>
        trade.send(word, a, listingParams(word, form, u, { ...change }));
      assert.equal((await sending(refused)()).outcome, "400 3005");
      assert.match((await sending(terms)()).outcome, /^done: a -1 units/);
      const taking = () => (word === "sell" ? trade.buy(b, u) : trade.bid(b, u, "999"));
      const moved = word === "sell" ? MOVED : WON;
      assert.equal((await taking()).outcome, `done: a +1, b -999, o +949, maker +49, ${moved}`);
    });
  }
}

test("mrc402 §2.6: sell_fee 2 while listed, O sets 50, then a purchase of P = 100: O 2; next listing: O 50", async () => {
  const u = await trade.u({ sell_fee: "2", totalsupply: "2" }, { a: 2 });
  const dexid = await trade.sale(a, u, { amount: "1", price: "100" });
  await trade.update(u, { sell_fee: "50" });
  trade.assertListing(dexid, { sell_fee: "2" });
  const buying = () => trade.buy(b, dexid, "1");
  assert.equal((await buying()).outcome, `done: a +98, b -100, o +2, ${MOVED}`);
  assert.equal(await boughtOne(u, "100"), `done: a +50, b -100, o +50, ${MOVED}`);
});

/** Platforms of a listing, and the shares of 100 for an item whose platform is A with 1 %. */
const PLATFORMS: readonly (readonly [
  what: string,
  fields: () => Record<string, string>,
  shares: string,
  shown: () => readonly [address: string, commission: string],
])[] = [
  ["no platform field", () => ({}), "a +1, d +99", () => [a, "1"]],
  [
    "four empty fields",
    () => ({ platform_name: "", platform_commission: "" }),
    "a +1, d +99",
    () => [a, "1"],
  ],
  ["platform_commission 2 only", () => ({ platform_commission: "2" }), "d +100", () => ["", "2"]],
  ["platform_commission 0 only", () => ({ platform_commission: "0" }), "d +100", () => ["", "0"]],
  ["platform_name only", () => ({ platform_name: "Bazaar" }), "d +100", () => ["", "0"]],
  ["platform_url only", () => ({ platform_url: "https://b.example/" }), "d +100", () => ["", "0"]],
  ["platform_address only", () => ({ platform_address: p }), "d +100", () => [p, "0"]],
  [
    "a platform of its own",
    () => ({ platform_address: p, platform_commission: "10" }),
    "d +90, partner +10",
    () => [p, "10"],
  ],
];

for (const [what, fields, shares, shown] of PLATFORMS) {
  for (const form of FORMS) {
    test(`mrc402 §2.6: item platform 1 % to A; listing names ${what}, ${form} form: ${shares}`, async () => {
      const platform = {
        platform_name: "A's",
        platform_url: "https://a.example/shop",
        platform_address: a,
        platform_commission: "1",
      };
      const x = await trade.x(platform, { d: 2 });
      const terms = { amount: "1", price: "100", ...fields() };
      const dexid =
        form === "item"
          ? await trade.list("sell", d, x, terms, "item")
          : await trade.sale(d, x, terms);
      const [platform_address, platform_commission] = shown();
      const isItems = platform_commission === "1";
      trade.assertListing(dexid, {
        platform_address,
        platform_commission,
        platform_name: isItems ? "A's" : (fields()["platform_name"] ?? ""),
        platform_url: isItems ? "https://a.example/shop" : (fields()["platform_url"] ?? ""),
      });
      const moved = "b +1 units, d -1 on sale";
      const [first = "", second] = shares.split(", ");
      const paid = first.startsWith("a") ? `${first}, b -100, ${second}` : `b -100, ${shares}`;
      const buying = () => trade.buy(b, dexid, "1");
      assert.equal((await buying()).outcome, `done: ${paid}, ${moved}`);
      const lot = { amount: "1", ...fields(), auction_buynow_price: "0" };
      const auction =
        form === "item"
          ? await trade.list("auction", d, x, lot, "item")
          : await trade.list("auction", d, x, lot);
      assert.equal((await trade.bid(b, auction, "100")).code, "done");
      trade.untilEnd(auction);
      assert.equal(
        (await trade.finish(auction)).outcome,
        `done: ${shares}, b +1 units, d -1 on auction`,
      );
    });
  }
}

test("mrc402 §2.6: seller A is also a shareholder with 3 %, P = 100: A gets records of 97 and 3", async () => {
  const x = await trade.x({ shareholder: { [a]: "3" } }, { a: 1 });
  const dexid = await trade.sale(a, x, { amount: "1", price: "100" });
  const sent = await trade.send("buy", b, { id: dexid, amount: "1" });
  assert.equal(sent.outcome, `done: a +100, b -100, ${MOVED}`);
  const { effects } = sent;
  const ofA = effects.filter(({ address }) => address === a);
  assert.deepEqual(
    ofA.map(({ type, parameters }) => `${type} ${parameters[2]}`),
    ["receive_mrc402fee 3", "receive_mrc402sell 97"],
  );
});

test("mrc402 §2.6: what is paid in another token is divided in that token, exactly, up to 10^40", async () => {
  const rich = await trade.newcomer("rich", 0n, { "8": AMOUNT_MAX });
  const rates = { sell_fee: "33.3333", creatorcommission: "0.01" };
  const u = await trade.u(rates, { a: 1 });
  const terms = { amount: "1", price: String(AMOUNT_MAX), token: "8" };
  const dexid = await trade.sale(a, u, terms);
  const fee = (AMOUNT_MAX * 333_333n) / 1_000_000n;
  const commission = AMOUNT_MAX / 10_000n;
  const rest = AMOUNT_MAX - fee - commission;
  const shares = `a +${rest} of 8, o +${fee} of 8, maker +${commission} of 8, rich -${AMOUNT_MAX} of 8`;
  assert.equal(
    (await trade.buy(rich, dexid, "1")).outcome,
    `done: ${shares}, a -1 on sale, rich +1 units`,
  );
});
