import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import type { Params } from "../../testing/admitted.ts";
import { createToken } from "../../testing/trade/creations.ts";
import { TokenMarket } from "../../testing/trade/token-market.ts";

let market: TokenMarket;
before(async () => {
  market = await TokenMarket.open();
});
after(() => market[Symbol.dispose]());

/** Creates listing 1 or 2; `done`, or the code that refuses it. */
async function creating(word: "sell" | "reqsell", by: Address, p: Address): Promise<string> {
  return (await market.send(`mrc010${word}`, by, market.listing1({ p }))).code;
}

const MAX = 10n ** 40n;

test("tokens §13 row 11: listing 2 takes 300 + 7 into escrow, and is 5000 with 306", async () => {
  const parties = await market.parties({ coins: 306n });
  const { b, p } = parties;
  assert.equal(await creating("reqsell", b, p), "400 5000");
  await market.client.pay(b, 1n);
  const dexid = await market.list("mrc010reqsell", b, market.listing1(parties));
  assert.equal(market.held(b), "0 coins, 0 gold");
  assert.equal(market.listing(dexid).buy_price_total, "307");
});

test("tokens §13 row 22: payment and fee of exactly 10^40 are held, and come back", async () => {
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
