import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import { assertRecords } from "../../testing/shown/expected-records.ts";
import { paymentsText } from "../../testing/shown/payments-text.ts";
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

async function assertHeld(expected: ReadonlyMap<Address, string>): Promise<void> {
  for (const [holder, held] of expected) {
    assert.equal(market.held(holder), held);
  }
}

for (const { row, taken, amount, total, held } of [
  { row: 12, taken: [], amount: "100", total: "277", held: ["30", "0", "693"] },
  { row: 13, taken: ["100"], amount: "400", total: "154", held: ["150", "3", "693"] },
  { row: 14, taken: ["100", "400"], amount: "500", total: "0", held: ["300", "6", "694"] },
]) {
  test(`tokens §13 row ${row}: accept ${amount}: ${total} left in escrow`, async () => {
    const { s, b, p, dexid, take } = await market.listed("mrc010reqsell", { taken });
    const answer = await take(amount);
    const sum = [...taken, amount].reduce((all, part) => all + Number(part), 0);
    await assertHeld(
      new Map([
        [s, `${held[0]} coins, ${1000 - sum} gold`],
        [p, `${held[1]} coins, 0 gold`],
        [b, `${held[2]} coins, ${sum} gold`],
      ]),
    );
    const listing = market.listing(dexid);
    assert.equal(listing.buy_price_total, total);
    assert.equal(listing.remain_amount, String(1000 - sum));
    assert.equal(listing.state, sum === 1000 ? "sold" : "open");
    const toPlatform = row === 12 ? [] : [`receive_mrc010fee ${p}`];
    const back = row === 14 ? [`receive_mrc010refund ${b}`] : [];
    assert.deepEqual(answer.told, [`receive_mrc010buy ${b}`, ...toPlatform, ...back]);
  });
}

test("tokens §8: the platform of a request is B, who gets its own fee back, or S, who gets it in addition", async () => {
  for (const role of ["b", "s"] as const) {
    const { s, b, ...parties } = await market.parties();
    const platform = { s, b }[role];
    const params = market.listing1(parties, { platform_address: platform });
    const dexid = await market.list("mrc010reqsell", b, params);
    assert.equal(market.held(b), "693 coins, 0 gold");
    const answer = await market.send("mrc010acceptreqsell", s, { dexid, amount: "1000" });
    assert.deepEqual(answer.told, [`receive_mrc010buy ${b}`, `receive_mrc010fee ${platform}`]);
    assert.equal(market.held(b), `${role === "b" ? 700 : 693} coins, 1000 gold`);
    assert.equal(market.held(s), `${role === "s" ? 307 : 300} coins, 0 gold`);
  }
});

for (const { taken, amount, payment, fee, rest } of [
  { taken: [], amount: "100", payment: "30", fee: "0", rest: "0" },
  { taken: [], amount: "400", payment: "120", fee: "3", rest: "0" },
  { taken: [], amount: "1000", payment: "300", fee: "7", rest: "0" },
  { taken: ["100", "400"], amount: "500", payment: "150", fee: "3", rest: "1" },
]) {
  test(`tokens §11: acceptreqsell ${[...taken, amount].join(", then ")}: M, A(buyer), A(platform) of a fee, A(buyer) of a rest, L`, async () => {
    const dexid = await market.list("mrc010reqsell", b, market.listing1({ p }));
    for (const part of taken) {
      await market.client.done("mrc010acceptreqsell", s, { dexid, amount: part });
    }
    const answer = await market.client.done("mrc010acceptreqsell", s, { dexid, amount });
    const { signature: S, tkey } = answer;
    const [isFee, isRest] = [fee !== "0", rest !== "0"];
    const payments = paymentsText(
      ["mrc010_sell", s, dexid, amount, x, "traded"],
      ["mrc010_send_item", dexid, s, payment, "0", "paid"],
      ...(isFee ? [["mrc010_recv_fee_platform", dexid, p, fee, "0", "paid"] as const] : []),
      ["mrc010_recv_buy", dexid, b, amount, x, "traded"],
      ...(isRest ? [["mrc010_recv_fee_remain", dexid, b, rest, "0", "paid"] as const] : []),
    );
    const toPlatform = [dexid, p, fee, "0", S, "0", "0", x, tkey];
    const back = [dexid, b, rest, "0", S, "0", "0", x, tkey];
    const movedAtBuyer = isRest ? ["0", x] : [x];
    assertRecords(
      market.client,
      answer,
      [
        {
          type: "transfer_mrc010sell",
          of: s,
          parameters: [s, dexid, payment, "0", S, "0", amount, x, tkey],
          moved: ["0", x],
        },
        {
          type: "receive_mrc010buy",
          of: b,
          parameters: [dexid, b, "0", "0", S, "0", amount, x, tkey],
          moved: movedAtBuyer,
        },
        ...(isFee
          ? [{ type: "receive_mrc010fee", of: p, parameters: toPlatform, moved: ["0"] }]
          : []),
        ...(isRest
          ? [{ type: "receive_mrc010refund", of: b, parameters: back, moved: movedAtBuyer }]
          : []),
        {
          type: "mrc010_acceptreqsell",
          of: dexid,
          parameters: [dexid, b, s, payments, x],
        },
      ],
      x,
    );
  });
}
