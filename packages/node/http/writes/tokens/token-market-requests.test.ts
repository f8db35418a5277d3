import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { Market, type Parties } from "../../../testing/requests/market.ts";
import { saidCode } from "../../../testing/test-node.ts";

// What holds for every signed operation of the market: parameters, signatures, temporary keys, repeats. Conventions §1, §4, §5.

let market: Market;
let parties: Parties;
before(async () => {
  market = await Market.open();
  parties = await market.parties({ gold: 1_000_000n, coins: 1_000_000n });
});
after(() => market[Symbol.asyncDispose]());
afterEach(() => market.assertConserved());

async function listed(word: "sell" | "reqsell" | "auction"): Promise<string> {
  const { s, b } = parties;
  const params = word === "auction" ? market.listing3(parties) : market.listing1(parties);
  return market.list(word, word === "reqsell" ? b : s, params);
}

test("tokens §13 row 27: a buy with a signature over dexid|tkey: 2010", async () => {
  const { b } = parties;
  const params = { dexid: await listed("sell"), address: b.address, amount: "100" };
  const request = await market.node.shortlySigned(b, ["dexid", "tkey"], params);
  assert.equal(saidCode(await market.post("buy", request)), "401 2010");
});
