import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { Market } from "../testing/market.ts";
import { assertRecorded, sendSigned } from "../testing/market-records.ts";
import { dexidOf, paymentsText } from "../testing/market-requests.ts";
import { type KeyHolder, type Params, transactionIdOf } from "../testing/test-node.ts";

// The answers and the records of trades at a fixed price: tokens §1.6 to §1.8, §9 to §11.

let market: Market;
/** The id of the gold that is traded for coins, Y is "0". */
let x: string;
let s: KeyHolder;
let b: KeyHolder;
let p: KeyHolder;
before(async () => {
  market = await Market.open();
  x = market.gold;
  s = await market.holder({ coins: 5000n, gold: 100_000n });
  b = await market.holder({ coins: 50_000n, gold: 50n });
  p = await market.holder({ coins: 7n, gold: 7n });
});
after(() => market[Symbol.asyncDispose]());
afterEach(() => market.assertConserved());

const PLATFORM = { platform_name: "Börse", platform_url: "https://example.org/p" };

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
        const request = await market.request(word, by, market.listing1({ p }, change), { signed });
        const answer = await market.post(word, request);
        const dexid = dexidOf(by.address, request.tkey);
        const at = (name: string): string => request[name] ?? "";
        const parameters = [
          dexid,
          by.address,
          "1000",
          x,
          "3",
          "0",
          at("platform_name"),
          at("platform_url"),
          at("platform_address"),
          at("platform_commission"),
          at("min_trade_unit"),
          request.signature,
          request.tkey,
        ];
        const moved = [word === "sell" ? x : "0"];
        await assertRecorded(
          market,
          answer,
          [
            { type: `mrc010${word}`, of: by, parameters, moved },
            { type: `mrc010_${word}`, of: dexid, parameters },
          ],
          { mrc010dexid: dexid },
        );
        assert.match(answer.headers.get("replay-nonce") ?? "", /^[A-Za-z][0-9A-Za-z]{39,63}$/);
      });
    }
  }
}

test("tokens §10: unsell: M and L", async () => {
  const dexid = await market.list("sell", s, market.listing1({ p }));
  await sendSigned(market, "buy", b, { dexid, amount: "100" });
  const { answer, signature, tkey } = await sendSigned(market, "unsell", s, { dexid });
  const parameters = [dexid, s.address, "900", x, "3", "0", signature, tkey];
  await assertRecorded(market, answer, [
    { type: "mrc010unsell", of: s, parameters, moved: [x] },
    { type: "mrc010_unsell", of: dexid, parameters },
  ]);
});

test("tokens §10: unreqsell: M and L have what was refunded", async () => {
  const dexid = await market.list("reqsell", b, market.listing1({ p }));
  await sendSigned(market, "acceptreqsell", s, { dexid, amount: "500" });
  const { answer, signature, tkey } = await sendSigned(market, "unreqsell", b, { dexid });
  const parameters = [dexid, b.address, "500", x, "154", "0", signature, tkey];
  await assertRecorded(market, answer, [
    { type: "mrc010unreqsell", of: b, parameters, moved: ["0"] },
    { type: "mrc010_unreqsell", of: dexid, parameters },
  ]);
});

for (const { amount, payment, fee } of [
  { amount: "100", payment: "30", fee: "0" },
  { amount: "400", payment: "120", fee: "3" },
  { amount: "1000", payment: "300", fee: "7" },
]) {
  test(`tokens §11: buy ${amount}: M, A(seller)${fee === "0" ? "" : ", A(platform)"} and L with payments`, async () => {
    const dexid = await market.list("sell", s, market.listing1({ p }));
    const { answer, signature: S, tkey } = await sendSigned(market, "buy", b, { dexid, amount });
    const sellers = String(Number(payment) - Number(fee));
    const isFee = fee !== "0";
    const payments = paymentsText(
      ["mrc010_buy", b.address, dexid, payment, "0", "paid"],
      ["mrc010_recv_item", dexid, b.address, amount, x, "traded"],
      ...(isFee ? [["mrc010_recv_fee_platform", dexid, p.address, fee, "0", "paid"] as const] : []),
      ["mrc010_recv_sell", dexid, s.address, sellers, "0", "paid"],
    );
    const toPlatform = [dexid, p.address, fee, "0", S, "0", "0", x, tkey];
    await assertRecorded(market, answer, [
      {
        type: "transfer_mrc010buy",
        of: b,
        parameters: [b.address, dexid, payment, "0", S, "0", amount, x, tkey],
        moved: ["0", x],
      },
      {
        type: "receive_mrc010sell",
        of: s,
        parameters: [dexid, s.address, sellers, "0", S, "0", "0", x, tkey],
        moved: ["0"],
      },
      ...(isFee
        ? [{ type: "receive_mrc010fee", of: p, parameters: toPlatform, moved: ["0"] }]
        : []),
      { type: "mrc010_buy", of: dexid, parameters: [dexid, s.address, b.address, payments, x] },
    ]);
  });
}

for (const { taken, amount, payment, fee, rest } of [
  { taken: [], amount: "100", payment: "30", fee: "0", rest: "0" },
  { taken: [], amount: "400", payment: "120", fee: "3", rest: "0" },
  { taken: [], amount: "1000", payment: "300", fee: "7", rest: "0" },
  { taken: ["100", "400"], amount: "500", payment: "150", fee: "3", rest: "1" },
]) {
  test(`tokens §11: acceptreqsell ${[...taken, amount].join(", then ")}: M, A(buyer), A(platform) of a fee, A(buyer) of a rest, L`, async () => {
    const dexid = await market.list("reqsell", b, market.listing1({ p }));
    for (const part of taken) {
      await sendSigned(market, "acceptreqsell", s, { dexid, amount: part });
    }
    const {
      answer,
      signature: S,
      tkey,
    } = await sendSigned(market, "acceptreqsell", s, { dexid, amount });
    const [isFee, isRest] = [fee !== "0", rest !== "0"];
    const payments = paymentsText(
      ["mrc010_sell", s.address, dexid, amount, x, "traded"],
      ["mrc010_send_item", dexid, s.address, payment, "0", "paid"],
      ...(isFee ? [["mrc010_recv_fee_platform", dexid, p.address, fee, "0", "paid"] as const] : []),
      ["mrc010_recv_buy", dexid, b.address, amount, x, "traded"],
      ...(isRest ? [["mrc010_recv_fee_remain", dexid, b.address, rest, "0", "paid"] as const] : []),
    );
    const toPlatform = [dexid, p.address, fee, "0", S, "0", "0", x, tkey];
    const back = [dexid, b.address, rest, "0", S, "0", "0", x, tkey];
    const movedAtBuyer = isRest ? ["0", x] : [x];
    await assertRecorded(market, answer, [
      {
        type: "transfer_mrc010sell",
        of: s,
        parameters: [s.address, dexid, payment, "0", S, "0", amount, x, tkey],
        moved: ["0", x],
      },
      {
        type: "receive_mrc010buy",
        of: b,
        parameters: [dexid, b.address, "0", "0", S, "0", amount, x, tkey],
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
        parameters: [dexid, b.address, s.address, payments, x],
      },
    ]);
  });
}

test("tokens §1.8: values have the free entries of the tokens that were moved, and no locked one that was not touched", async () => {
  const c = await market.holder({ coins: 100n });
  await market.node.pay(c, 9n, { unlockdate: market.node.now + 1000 });
  const dexid = await market.list("sell", s, market.listing1({ p: c }));
  const { answer } = await sendSigned(market, "buy", c, { dexid, amount: "100" });
  const { values } = await market.node.transaction(transactionIdOf(answer));
  assert.deepEqual(values, {
    balance: [
      { token: "0", balance: "70", unlockdate: 0 },
      { token: x, balance: "100", unlockdate: 0 },
    ],
  });
});
