import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Market } from "../../../testing/requests/market.ts";
import { saidCode } from "../../../testing/test-node.ts";

let market: Market;
before(async () => {
  market = await Market.open({ tokens: 1 });
});
after(() => market[Symbol.asyncDispose]());

test("tokens §13 row 27: a buy with a signature over dexid|tkey: 2010", async () => {
  const cast = await market.cast();
  const dexid = await market.list("sell", cast.s, market.listing1(cast));
  const params = { dexid, address: cast.b.address, amount: "100" };
  const request = await market.node.shortlySigned(cast.b, ["dexid", "tkey"], params);
  assert.equal(saidCode(await market.node.post(`/token/buy/${dexid}`, request)), "401 2010");
});
