import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import type { Answer } from "../../testing/answer.ts";
import { assertRecords, type ExpectedRecord } from "../../testing/shown/expected-records.ts";
import { paidText, payoutRecords } from "../../testing/shown/item-payouts.ts";
import { paymentsText } from "../../testing/shown/payments-text.ts";
import { createProject } from "../../testing/trade/creations.ts";
import { NO_ITEM, NOBODY } from "../../testing/trade/item-terms.ts";
import { ItemTrade, traded } from "../../testing/trade/item-trade.ts";

const AMOUNT_MAX = 10n ** 40n;

let trade: ItemTrade;
let o: Address;
let a: Address;
let b: Address;
let d: Address;
before(async () => {
  trade = await ItemTrade.open({ tokens: 9 });
  ({ o, a, b, d } = trade.cast);
  for (const by of [o, b, d]) {
    await trade.client.pay(by, 10_000n, { token: "2" });
  }
});
after(() => trade[Symbol.dispose]());

test("mrc401 §18 row 68: bids 99; 102; B 100; D 100; D 105: 3004; 3004; B -100; 3004; D -105, B +100", async () => {
  const x = await trade.onAuction({ sell_fee: "2.5" });
  for (const { by, amount, outcome } of [
    { by: b, amount: "99", outcome: "400 3004" },
    { by: b, amount: "102", outcome: "400 3004" },
    { by: b, amount: "100", outcome: "done: b -100" },
    { by: d, amount: "100", outcome: "400 3004" },
    { by: d, amount: "102", outcome: "400 3004" },
    { by: d, amount: "105", outcome: "done: b +100, d -105" },
  ]) {
    assert.equal((await trade.bid(by, x, amount)).outcome, outcome);
  }
  const item = { auction_current_price: "105", auction_current_bidder: d };
  trade.assertItem(x, { ...item, owner: a, last_trade_date: 0 });
});

for (const { by, amount, token, answer } of [
  { by: "d", amount: "110", token: "", answer: "409 7105" },
  { by: "b", amount: "503", token: "", answer: "400 3004" },
  { by: "a", amount: "110", token: "", answer: "400 3004" },
  { by: "b", amount: "110", token: "7", answer: "400 3004" },
  { by: "b", amount: "501", token: "", answer: "400 3004" },
  { by: "b", amount: "500", token: "0", answer: "done: b -500, d +105" },
] as const) {
  test(`mrc401 §18 row 69: then ${by.toUpperCase()} ${amount}${token && ` of token ${token}`}: ${answer}`, async () => {
    const x = await trade.row68();
    const bidding = () => trade.bid(trade.cast[by], x, amount, { token });
    assert.equal((await bidding()).outcome, answer);
  });
}

test("mrc401 §18 row 70: then B 502 with time left: D +105, B -502, O +12, A +490; owner B; last_trade 502 Auction; auction fields reset", async () => {
  const x = await trade.row68();
  const item = trade.shown(x);
  trade.now += 9;
  const outcome = "done: o +12, a +490, b -502, d +105";
  assert.equal((await trade.bid(b, x, "502")).outcome, outcome);
  const won = { ...item, ...traded(b, trade.now, ["Auction", "502"]) };
  assert.deepEqual(trade.shown(x), won);
  assert.equal((await trade.finish(x)).outcome, "409 7106");
});

for (const { spendable, outcome } of [
  { spendable: 396n, outcome: "400 5000" },
  { spendable: 397n, outcome: "done: o +12, a +490, e -397" },
]) {
  test(`mrc401 §18 row 71: after 68 instead D 502 with ${spendable} spendable: ${outcome}`, async () => {
    const e = await trade.newcomer("e", 105n + spendable);
    const x = await trade.onAuction({ sell_fee: "2.5" }, { bids: [[b, "100"]] });
    assert.equal((await trade.bid(e, x, "105")).outcome, "done: b +100, e -105");
    assert.equal((await trade.bid(e, x, "502")).outcome, outcome);
    const owner = outcome === "400 5000" ? a : e;
    trade.assertItem(x, { owner });
  });
}

test("mrc401 §16: what is locked does not count, nor does somebody else's bid", async () => {
  const e = await trade.newcomer("e", 109n);
  await trade.client.pay(e, 1000n, { unlockdate: trade.now + 1000 });
  const x = await trade.row68();
  assert.equal((await trade.bid(e, x, "110")).outcome, "400 5000");
  await trade.client.pay(e, 1n);
  assert.equal((await trade.bid(e, x, "110")).outcome, "done: d +105, e -110");
});

test("mrc401 §16: without a buy-now price no bid closes the auction; the step counts from the start price", async () => {
  const x = await trade.onAuction({}, { change: { buynow: "0", bidding: "7", start: "3" } });
  for (const [by, amount, outcome] of [
    [b, "7", "400 3004"],
    [b, "14", "400 3004"],
    [b, "10", "done: b -10"],
    [d, "1003", "400 3004"],
    [d, "1004", "done: b +10, d -1004"],
    [b, "3", "400 3004"],
  ] as const) {
    assert.equal((await trade.bid(by, x, amount)).outcome, outcome, amount);
  }
});

test("mrc401 §16: the buy-now price is bid at once, or by who leads", async () => {
  const x = await trade.onAuction();
  assert.equal((await trade.bid(b, x, "502")).outcome, "done: o +50, a +452, b -502");
  const y = await trade.row68();
  assert.equal((await trade.bid(d, y, "502")).outcome, "done: o +12, a +490, d -397");
  trade.assertItem(y, traded(d, trade.now, ["Auction", "502"]));
});

test("mrc401 §16: bids are in the auction's token, up to 10^40, and refunded in it", async () => {
  const all = String(AMOUNT_MAX);
  const x = await trade.onAuction(
    { sell_fee: "99.9999" },
    { change: { token: "8", start: "1", bidding: "1", buynow: "0" } },
  );
  await trade.client.pay(d, AMOUNT_MAX, { token: "8" });
  assert.equal((await trade.bid(b, x, "1", { token: "8" })).outcome, "400 5000");
  assert.equal((await trade.bid(d, x, "1", { token: "0" })).outcome, "400 3004");
  assert.equal((await trade.bid(d, x, all, { token: "8" })).outcome, `done: d -${all} of 8`);
  assert.equal((await trade.bid(b, x, all)).outcome, "400 3004");
  trade.assertItem(x, { auction_current_price: all, auction_token: "8" });
  trade.untilEnd(x);
  assert.equal(
    (await trade.finish(x)).outcome,
    `done: o +9999990000000000000000000000000000000000 of 8, a +${10n ** 34n} of 8`,
  );
  trade.assertItem(x, traded(d, trade.now, ["Auction", all, "8"]));
});

for (const amount of ["0", "01", "x", "-1", String(AMOUNT_MAX + 1n)]) {
  test(`mrc401 §16: a bid of ${amount}: 1101`, async () =>
    assert.equal((await trade.bid(b, await trade.onAuction(), amount)).said, "400 1101 amount"));
}

test("mrc401 §2.4: fees of auctions: none if O is the holder; O who bids gets its fee back; frozen when the auction began", async () => {
  const f1 = await trade.fresh({ sell_fee: "50" });
  assert.equal((await trade.auction(o, f1)).code, "done");
  assert.equal((await trade.bid(b, f1, "502")).outcome, "done: o +502, b -502");
  const x = await trade.onAuction();
  assert.equal((await trade.update(x, { sell_fee: "50" })).code, "done");
  trade.assertItem(x, { sell_fee: "50", listing_fee: "10" });
  assert.equal((await trade.bid(o, x, "100")).outcome, "done: o -100");
  trade.untilEnd(x);
  assert.equal((await trade.finish(x)).outcome, "done: o +10, a +90");
  trade.assertItem(x, traded(o, trade.now, ["Auction", "100"]));
  const y = await trade.onAuction({ melt_fee: "50" });
  assert.equal((await trade.bid(o, y, "502")).outcome, "done: o -452, a +452");
});

test("mrc401 §2.5: S auctions F1, and may bid for it; O, for whom it acts, may not", async () => {
  const f1 = await trade.fresh();
  const { s } = trade.cast;
  assert.equal((await trade.auction(s, f1)).code, "done");
  assert.equal((await trade.bid(o, f1, "100")).outcome, "400 3004");
  assert.equal((await trade.bid(s, f1, "100")).outcome, "done: s -100");
  trade.untilEnd(f1);
  assert.equal((await trade.finish(f1)).outcome, "done: o +100");
  trade.assertItem(f1, { owner: s });
});

test("mrc401 §2.4: an allowtoken that comes later leaves an auction as it is", async () => {
  const project = await createProject(trade.client, o);
  const x = await trade.x({}, project);
  assert.equal((await trade.auction(a, x, { token: "9" })).code, "done");
  await trade.done("mrc400update", o, { mrc400id: project, allowtoken: "7" });
  await trade.client.pay(b, 100n, { token: "9" });
  assert.equal((await trade.bid(b, x, "100")).outcome, "done: b -100 of 9");
  trade.untilEnd(x);
  assert.equal((await trade.finish(x)).outcome, "done: o +10 of 9, a +90 of 9");
  assert.equal((await trade.auction(b, x, { token: "9" })).outcome, "400 3005");
});

test("mrc401 §16: the order in which bid refuses", async () => {
  const e = await trade.newcomer("e", 310n);
  const [own, melted, idle] = [await trade.x(), await trade.x(), await trade.x()];
  assert.equal((await trade.transfer(a, own, e)).code, "done");
  assert.equal((await trade.melt(a, melted)).code, "done");
  const bound = await trade.onAuction({ transferable: "Temporary" }, { bids: [[e, "100"]] });
  await trade.bind(bound);
  const [led, over] = [
    await trade.onAuction({}, { bids: [[e, "100"]] }),
    await trade.onAuction({}, { bids: [[b, "100"]] }),
  ];
  trade.untilEnd(over);
  const open = await trade.onAuction({}, { bids: [[b, "100"]] });
  const leading = await trade.onAuction({}, { bids: [[e, "100"]] });
  await trade.mending("mrc401bid", e, [
    [{ mrc401id: NO_ITEM, amount: "", buyer: "MTx", token: "x" }, "400 1000 amount"],
    [{ amount: "x", token: "9" }, "400 1101 amount"],
    [{ amount: "503", token: "x" }, "400 1101 token"],
    [{ token: "9", transferable: "Temporary" }, "400 3190 buyer"],
    [{ buyer: NOBODY }, "400 3005 transferable"],
    [{ signed: "full" }, "404 6004 mrc401id"],
    [{ mrc401id: own }, "404 3090 buyer"],
    [{ buyer: e }, "key"],
    [{}, "400 3004"],
    [{ mrc401id: melted }, "409 7110"],
    [{ mrc401id: idle }, "409 7106"],
    [{ mrc401id: bound }, "409 7112 transferable"],
    [{ transferable: "" }, "409 7109"],
    [{ mrc401id: led }, "409 7105"],
    [{ mrc401id: over }, "409 7202"],
    [{ mrc401id: leading }, "409 7105"],
    [{ mrc401id: open }, "400 3004"],
    [{ amount: "105" }, "400 3004"],
    [{ token: "0", amount: "503" }, "400 3004"],
    [{ amount: "107" }, "400 3004"],
    [{ amount: "100" }, "400 3004"],
    [{ amount: "105" }, "400 5000"],
  ]);
  await trade.client.pay(e, 95n);
  assert.equal((await trade.bid(e, open, "105")).outcome, "done: b +100, e -105");
});

/** Record A of an earlier bidder that gets its bid back. */
function refunded(id: string, to: Address, bid: string, token: string, by: Answer): ExpectedRecord {
  const { signature, tkey } = by;
  const parameters = [id, to, bid, token, signature, "0", "", id, tkey];
  return { type: "receive_mrc401refund", of: to, parameters, moved: [token] };
}

test("mrc401 §16: bids: M, A of the earlier bidder, I with payments", async () => {
  const id = await trade.onAuction({}, { change: { token: "2" } });
  const first = await trade.done("mrc401bid", b, { mrc401id: id, amount: "100", buyer: "" });
  const bidding = (by: Address, bid: string, { signature, tkey }: Answer): ExpectedRecord => ({
    type: "transfer_mrc401bid",
    of: by,
    parameters: [by, id, bid, "2", signature, "0", "", id, tkey],
    moved: ["2"],
  });
  const one = paymentsText(["mrc401_bid", b, id, "100", "2"]);
  const parameters = [id, b, one, first.signature, first.tkey];
  assertRecords(
    trade.client,
    first,
    [bidding(b, "100", first), { type: "mrc401_auctionbid", of: id, parameters }],
    "2",
  );
  const second = await trade.done("mrc401bid", d, {
    mrc401id: id,
    amount: "105",
    token: "2",
    signed: "full",
  });
  const two = paymentsText(
    ["mrc401_recv_refund", id, b, "100", "2"],
    ["mrc401_bid", d, id, "105", "2"],
  );
  assertRecords(
    trade.client,
    second,
    [
      bidding(d, "105", second),
      refunded(id, b, "100", "2", second),
      {
        type: "mrc401_auctionbid",
        of: id,
        parameters: [id, d, two, second.signature, second.tkey],
      },
    ],
    "2",
  );
});

for (const { what, earlier, fee, rest, fresh } of [
  { what: "without an earlier bid", earlier: undefined, fee: "50", rest: "452", fresh: false },
  { what: "after D's bid", earlier: () => d, fee: "50", rest: "452", fresh: false },
  { what: "after the bidder's own bid", earlier: () => b, fee: "50", rest: "452", fresh: false },
  { what: "for F1", earlier: () => d, fee: "0", rest: "502", fresh: true },
]) {
  test(`mrc401 §16: a bid of the buy-now price ${what}: M, A of the earlier bidder, A of what was paid, I`, async () => {
    const [id, h] = [await (fresh ? trade.fresh() : trade.x()), fresh ? o : a];
    assert.equal((await trade.auction(h, id, { token: "2" })).code, "done");
    const before = earlier?.();
    if (before !== undefined) {
      assert.equal((await trade.bid(before, id, "105")).code, "done");
    }
    const answer = await trade.done("mrc401bid", b, { mrc401id: id, amount: "502" });
    const { signature, tkey } = answer;
    const text = paidText(
      ["mrc401_recv_refund", id, before ?? "", before === undefined ? "0" : "105", "2"],
      ["mrc401_bid", b, id, "502", "2"],
      ["mrc401_recv_fee", id, o, fee, "2"],
      ["mrc401_recv_auction", id, h, rest, "2"],
    );
    const of = ["receive_mrc401fee", "receive_mrc401auction"] as const;
    const token = "2";
    const paying = [b, id, "502", token, signature, "0", "", id, tkey];
    assertRecords(
      trade.client,
      answer,
      [
        { type: "transfer_mrc401bid", of: b, parameters: paying, moved: [token] },
        ...(before === undefined ? [] : [refunded(id, before, "105", token, answer)]),
        ...payoutRecords(
          {
            id,
            token,
            paid: [
              [of[0], h, o, fee],
              [of[1], b, h, rest],
            ],
          },
          answer,
        ),
        {
          type: "mrc401_auctionbuynow",
          of: id,
          parameters: [id, b, text, signature, tkey],
        },
      ],
      token,
    );
  });
}
