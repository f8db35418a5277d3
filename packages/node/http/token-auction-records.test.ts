import { after, afterEach, before, test } from "node:test";
import { Market } from "../testing/market.ts";
import { assertRecorded, sendSigned } from "../testing/market-records.ts";
import { dexidOf, paymentsText } from "../testing/market-requests.ts";
import type { KeyHolder } from "../testing/test-node.ts";

// The answers and the records of auctions: tokens §1.6 to §1.8, §12.

let market: Market;
/** The id of the gold that is traded for coins, Y is "0". */
let x: string;
let s: KeyHolder;
let b: KeyHolder;
let b2: KeyHolder;
let p: KeyHolder;
before(async () => {
  market = await Market.open();
  x = market.gold;
  s = await market.holder({ coins: 5000n, gold: 100_000n });
  b = await market.holder({ coins: 50_000n, gold: 50n });
  b2 = await market.holder({ coins: 50_000n });
  p = await market.holder({ coins: 7n, gold: 7n });
});
after(() => market[Symbol.asyncDispose]());
afterEach(() => market.assertConserved());

const PLATFORM = { platform_name: "Börse", platform_url: "https://example.org/p" };

for (const signed of ["short", "full"] as const) {
  for (const isBare of [false, true]) {
    test(`tokens §12: auction ${isBare ? "without" : "with"} what can be left out, signed ${signed}: M and L`, async () => {
      const { now } = market.node;
      const dates = { auction_start_date: String(now), auction_end_date: String(now + 3600) };
      const nothing = {
        auction_bidding_unit: "",
        auction_buynow_price: "",
        platform_commission: "",
        platform_address: "",
      };
      const params = market.listing3({ p }, isBare ? nothing : { ...PLATFORM, ...dates });
      const request = await market.request("auction", s, params, { signed });
      const answer = await market.post("auction", request);
      const dexid = dexidOf(s.address, request.tkey);
      const at = (name: string): string => request[name] ?? "";
      const parameters = [
        dexid,
        s.address,
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
        request.signature,
        request.tkey,
      ];
      await assertRecorded(
        market,
        answer,
        [
          { type: "mrc010auction", of: s, parameters, moved: [x] },
          { type: "mrc010_auction", of: dexid, parameters },
        ],
        { mrc010dexid: dexid },
      );
    });
  }
}

test("tokens §12: unauction: M and L", async () => {
  const dexid = await market.list("auction", s, market.listing3({ p }));
  const { answer, signature, tkey } = await sendSigned(market, "unauction", s, { dexid });
  const parameters = [dexid, s.address, "50", x, "100", "0", signature, tkey];
  await assertRecorded(market, answer, [
    { type: "mrc010unauction", of: s, parameters, moved: [x] },
    { type: "mrc010_unauction", of: dexid, parameters },
  ]);
});

test("tokens §12: bid: M and L; a higher one has A of the refund, too", async () => {
  const dexid = await market.list("auction", s, market.listing3({ p }));
  const first = await sendSigned(market, "bid", b, { dexid, amount: "100" });
  const firstBid = ["mrc010_bid", b.address, dexid, "100", "0", "paid"] as const;
  await assertRecorded(market, first.answer, [
    {
      type: "transfer_mrc010bid",
      of: b,
      parameters: [b.address, dexid, "100", "0", first.signature, "0", "0", x, first.tkey],
      moved: ["0"],
    },
    {
      type: "mrc010_auctionbid",
      of: dexid,
      parameters: [dexid, s.address, b.address, paymentsText(firstBid), x],
    },
  ]);
  const {
    answer,
    signature: S,
    tkey,
  } = await sendSigned(market, "bid", b2, { dexid, amount: "105" });
  const payments = paymentsText(
    ["mrc010_recv_refund", dexid, b.address, "100", "0", "paid"],
    ["mrc010_bid", b2.address, dexid, "105", "0", "paid"],
  );
  await assertRecorded(market, answer, [
    {
      type: "transfer_mrc010bid",
      of: b2,
      parameters: [b2.address, dexid, "105", "0", S, "0", "0", x, tkey],
      moved: ["0"],
    },
    {
      type: "receive_mrc010refund",
      of: b,
      parameters: [dexid, b.address, "100", "0", S, "0", "0", x, tkey],
      moved: ["0"],
    },
    {
      type: "mrc010_auctionbid",
      of: dexid,
      parameters: [dexid, s.address, b2.address, payments, x],
    },
  ]);
});

for (const { what, earlier } of [
  { what: "as the first bid", earlier: [] },
  { what: "after a bid of another", earlier: ["b2"] },
  { what: "after an own bid", earlier: ["b"] },
] as const) {
  test(`tokens §12: a bid of the buy-now price ${what}: M with the lot, A of refund, seller and platform, L`, async () => {
    const dexid = await market.list("auction", s, market.listing3({ p }));
    const refunded = earlier[0] === undefined ? undefined : { b, b2 }[earlier[0]];
    if (refunded !== undefined) {
      await sendSigned(market, "bid", refunded, { dexid, amount: "100" });
    }
    const {
      answer,
      signature: S,
      tkey,
    } = await sendSigned(market, "bid", b, { dexid, amount: "500" });
    const back = refunded?.address ?? "";
    const isBack = refunded !== undefined;
    const payments = paymentsText(
      ...(isBack ? [["mrc010_recv_refund", dexid, back, "100", "0", "paid"] as const] : []),
      ["mrc010_bid", b.address, dexid, "500", "0", "paid"],
      ["mrc010_recv_item", dexid, b.address, "50", x, "traded"],
      ["mrc010_recv_fee_platform", dexid, p.address, "5", "0", "paid"],
      ["mrc010_recv_auction", dexid, s.address, "495", "0", "paid"],
    );
    await assertRecorded(market, answer, [
      {
        type: "transfer_mrc010bid",
        of: b,
        parameters: [b.address, dexid, "500", "0", S, "0", "50", x, tkey],
        moved: ["0", x],
      },
      ...(isBack
        ? [
            {
              type: "receive_mrc010refund",
              of: refunded,
              parameters: [dexid, back, "100", "0", S, "0", "0", x, tkey],
              moved: refunded === b ? ["0", x] : ["0"],
            },
          ]
        : []),
      {
        type: "receive_mrc010auction",
        of: s,
        parameters: [dexid, s.address, "495", "0", S, "0", "0", x, tkey],
        moved: ["0"],
      },
      {
        type: "receive_mrc010fee",
        of: p,
        parameters: [dexid, p.address, "5", "0", S, "0", "0", x, tkey],
        moved: ["0"],
      },
      {
        type: "mrc010_auctionbuynow",
        of: dexid,
        parameters: [dexid, s.address, b.address, payments, x],
      },
    ]);
  });
}

for (const { bid, fee, sellers } of [
  { bid: "105", fee: "1", sellers: "104" },
  { bid: "100", fee: "0", sellers: "100" },
]) {
  test(`tokens §12: auctionfinish with a bid of ${bid}, fee ${fee}: M of the winner, A of the seller, A of a fee, L`, async () => {
    const isFee = fee !== "0";
    const params = market.listing3({ p }, isFee ? {} : { platform_commission: "0.5" });
    const dexid = await market.list("auction", s, params);
    await sendSigned(market, "bid", b, { dexid, amount: bid });
    market.node.now += 86_400;
    const payments = paymentsText(
      ["mrc010_recv_item", dexid, b.address, "50", x, "traded"],
      ...(isFee ? [["mrc010_recv_fee_platform", dexid, p.address, fee, "0", "paid"] as const] : []),
      ["mrc010_recv_auction", dexid, s.address, sellers, "0", "paid"],
    );
    const toPlatform = [dexid, p.address, fee, "0", "", "0", "0", x, ""];
    await assertRecorded(market, await market.finish(dexid), [
      {
        type: "receive_mrc010item",
        of: b,
        parameters: [dexid, b.address, "0", "0", "", "0", "50", x, ""],
        moved: [x],
      },
      {
        type: "receive_mrc010auction",
        of: s,
        parameters: [dexid, s.address, sellers, "0", "", "0", "0", x, ""],
        moved: ["0"],
      },
      ...(isFee
        ? [{ type: "receive_mrc010fee", of: p, parameters: toPlatform, moved: ["0"] }]
        : []),
      {
        type: "mrc010_auctionwinning",
        of: dexid,
        parameters: [dexid, s.address, b.address, payments, x],
      },
    ]);
  });
}

test("tokens §12: auctionfinish without a bid: M of the seller, and L", async () => {
  const dexid = await market.list("auction", s, market.listing3({ p }));
  market.node.now += 86_400;
  const parameters = [dexid, s.address, "50", x];
  await assertRecorded(market, await market.finish(dexid, "GET"), [
    { type: "mrc010auctionfailure", of: s, parameters, moved: [x] },
    { type: "mrc010_auctionfailure", of: dexid, parameters },
  ]);
});
