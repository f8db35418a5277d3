import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import { assertRecords } from "../../testing/shown/expected-records.ts";
import { TokenMarket } from "../../testing/trade/token-market.ts";

let market: TokenMarket;
/** The id of the gold that is traded for coins. */
let x: string;
let s: Address;
let b: Address;
let p: Address;
before(async () => {
  market = await TokenMarket.open();
  x = market.gold;
  s = await market.holder({ coins: 5000n, gold: 100_000n });
  b = await market.holder({ coins: 50_000n, gold: 50n });
  p = await market.holder({ coins: 7n, gold: 7n });
});
after(() => market[Symbol.dispose]());

test("tokens §13 row 15: unreqsell after row 13: B +154, nothing in escrow, cancelled; again 7101", async () => {
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

test("tokens §10: unreqsell: M and L have what was refunded", async () => {
  const dexid = await market.list("mrc010reqsell", b, market.listing1({ p }));
  await market.client.done("mrc010acceptreqsell", s, { dexid, amount: "500" });
  const answer = await market.client.done("mrc010unreqsell", b, { dexid });
  const parameters = [dexid, b, "500", x, "154", "0", answer.signature, answer.tkey];
  assertRecords(
    market.client,
    answer,
    [
      { type: "mrc010unreqsell", of: b, parameters, moved: ["0"] },
      { type: "mrc010_unreqsell", of: dexid, parameters },
    ],
    x,
  );
});
