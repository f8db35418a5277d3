import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createToken } from "../../testing/creations.ts";
import { TokenMarket } from "../../testing/token-market.ts";

let market: TokenMarket;
before(async () => {
  market = await TokenMarket.open();
});
after(() => market[Symbol.dispose]());

test("tokens §13 row 36: an owner can burn what is in no listing, and gets back what was in one", async () => {
  const owner = await market.holder();
  const x = await createToken(market.client, owner, { totalsupply: "100" });
  const params = { mrc010id: x, amount: "30", token: "0", price: "1" };
  const dexid = await market.list("mrc010sell", owner, params);
  const burning = async (amount: string): Promise<string> =>
    (await market.send("tokenburn", owner, { token: x, amount })).code;
  assert.equal(await burning("71"), "400 5000");
  assert.equal(await burning("70"), "done");
  assert.equal((await market.send("mrc010unsell", owner, { dexid })).code, "done");
  assert.equal(market.client.held(owner, x), "30");
});
