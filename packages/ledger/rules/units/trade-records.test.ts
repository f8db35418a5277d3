import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type { Address } from "@moneta/protocol";
import type { Params } from "../../testing/admitted.ts";
import type { Answer } from "../../testing/answer.ts";
import { assertRecords, type ExpectedRecord } from "../../testing/shown/expected-records.ts";
import { type Movement, paymentsText } from "../../testing/shown/payments-text.ts";
import {
  BLANK_UNIT_LISTING,
  type UnitItemShown,
  type UnitListingShown,
} from "../../testing/shown/shown-units.ts";
import {
  DAY,
  FORMS,
  listingParams,
  UNIT_AUCTION_MIN,
  unitListingIdOf,
} from "../../testing/trade/unit-terms.ts";
import { UnitTrade } from "../../testing/trade/unit-trade.ts";

let trade: UnitTrade;
let o: Address;
let p: Address;
let s: Address;
let m: Address;
let c: Address;
let a: Address;
let b: Address;
let d: Address;
beforeEach(async () => {
  trade = await UnitTrade.open({ tokens: 9 });
  ({ o, partner: p, seller: s, maker: m, c, a, b, d } = trade.cast);
  for (const holder of [b, d]) {
    await trade.client.pay(holder, 100_000n, { token: "2" });
  }
});
afterEach(() => trade[Symbol.dispose]());

const PLATFORM_NAMES = [
  "platform_name",
  "platform_url",
  "platform_address",
  "platform_commission",
] as const;

/** An item whose trade pays O 10 %, the maker 5 %, P as its platform 1 %, S 3 % and A 2 %. */
async function item(given = 20): Promise<string> {
  return trade.u(
    {
      totalsupply: "40",
      sell_fee: "10",
      creatorcommission: "5",
      platform_name: "Bazaar",
      platform_url: "https://bazaar.example/",
      platform_address: p,
      platform_commission: "1",
      shareholder: { [s]: "3", [a]: "2" },
    },
    { a: given },
  );
}

/** What a listing of `item` shows of its platform and fee. */
const ofItem = (): Partial<UnitListingShown> => ({
  sell_fee: "10",
  platform_name: "Bazaar",
  platform_url: "https://bazaar.example/",
  platform_address: p,
  platform_commission: "1",
});

const platformOf = (listing: Partial<UnitListingShown>): string[] =>
  PLATFORM_NAMES.map((name) => listing[name] ?? "");

/** Rates of `item` in the order in which they are paid. */
const RATES: readonly (readonly [type: string, to: () => Address, percent: bigint])[] = [
  ["mrc402_recv_fee_owner", () => o, 10n],
  ["mrc402_recv_fee_creator", () => m, 5n],
  ["mrc402_recv_fee_platform", () => p, 1n],
  ["mrc402_recv_fee_shareholder", () => s, 3n],
  ["mrc402_recv_fee_shareholder", () => a, 2n],
];

interface Distribution {
  readonly dexid: string;
  readonly id: string;
  readonly token: string;
  /** P, which goes to A less the fees. */
  readonly price: bigint;
  /** Of the sale or of the auction. */
  readonly of: "sell" | "auction";
  readonly by: Pick<Answer, "signature" | "tkey">;
  /** Whoever is the buyer, too, has units moved and money. */
  readonly buyer: Address;
}

/** Movements of 2.6 and the records of the payees. */
function distribution({ dexid, id, token, price, of, by, buyer }: Distribution): {
  readonly movements: readonly Movement[];
  readonly records: readonly ExpectedRecord[];
} {
  const fees = RATES.map(([type, to, percent]) => ({
    type,
    record: "receive_mrc402fee",
    to: to(),
    amount: (price * percent) / 100n,
  })).filter(({ amount }) => amount > 0n);
  const rest = price - fees.reduce((sum, { amount }) => sum + amount, 0n);
  const all = [
    ...fees,
    { type: `mrc402_recv_${of}`, record: `receive_mrc402${of}`, to: a, amount: rest },
  ];
  return {
    movements: all.map(({ type, to, amount }) => [type, dexid, to, String(amount), token, "paid"]),
    records: all.map(({ record, to, amount }) => ({
      type: record,
      of: to,
      parameters: [dexid, to, String(amount), token, by.signature, "0", "", id, by.tkey],
      moved: [token],
      units: to === a || to === buyer ? [id] : [],
    })),
  };
}

function assertIs(dexid: string, fields: Partial<UnitListingShown>): void {
  const expected = { ...BLANK_UNIT_LISTING, dexid, ...fields };
  assert.deepEqual(trade.listing(dexid), expected);
}

for (const form of FORMS) {
  test(`mrc402 §3: a sale made in ${form} form, at each stage: open, partly bought, sold; another, cancelled`, async () => {
    const u = await item();
    trade.now += 3;
    const regdate = trade.now;
    const make = () =>
      form === "item" ? trade.list("sell", a, u, {}, "item") : trade.list("sell", a, u);
    const [first, second] = [await make(), await make()];
    const terms = {
      ...ofItem(),
      mrc402: u,
      side: "sell",
      seller: a,
      amount: "10",
      sell_price: "30",
      regdate,
    };
    const open = { ...terms, state: "open", remain_amount: "10", job_type: "mrc402_sell" };
    assertIs(first, open);
    assertIs(second, open);
    trade.now += 1;
    assert.equal((await trade.buy(b, first, "4")).code, "done");
    const partly = { ...open, remain_amount: "6", buyer: b, job_type: "mrc402_buy" };
    assertIs(first, partly);
    trade.now += 1;
    assert.equal((await trade.buy(d, first, "6")).code, "done");
    const sold = { buyer: d, remain_amount: "0", sell_date: trade.now };
    assertIs(first, { ...partly, state: "sold", ...sold });
    assert.equal((await trade.buy(b, second, "1")).code, "done");
    trade.now += 1;
    assert.equal((await trade.unsell(a, second)).code, "done");
    assertIs(second, {
      ...open,
      state: "cancelled",
      buyer: b,
      remain_amount: "9",
      cancel_date: trade.now,
      job_type: "mrc402_unsell",
    });
  });

  test(`mrc402 §3: an auction made in ${form} form, at each stage: open, bid, won; others bought at once, failed, cancelled`, async () => {
    const u = await item();
    trade.now += 3;
    const { now } = trade;
    const make = () =>
      form === "item" ? trade.list("auction", a, u, {}, "item") : trade.list("auction", a, u);
    const [won, boughtNow, failed, cancelled] = [
      await make(),
      await make(),
      await make(),
      await make(),
    ];
    const open = {
      ...ofItem(),
      mrc402: u,
      side: "auction",
      state: "open",
      seller: a,
      amount: "5",
      remain_amount: "5",
      regdate: now,
      auction_start_date: now,
      auction_end_date: now + (form === "item" ? UNIT_AUCTION_MIN : DAY),
      auction_bidding_unit: "5",
      auction_start_price: "100",
      auction_buynow_price: "500",
      job_type: "mrc402_auction",
    };
    for (const dexid of [won, boughtNow, failed, cancelled]) {
      assertIs(dexid, open);
    }
    trade.now += 1;
    assert.equal((await trade.bid(b, won, "100")).code, "done");
    const bid = { auction_current_price: "100", auction_current_bidder: b };
    const job = { job_type: "mrc402_auctionbid", auction_bid_count: 1 };
    assertIs(won, { ...open, ...bid, ...job });
    assert.equal((await trade.bid(d, won, "120")).code, "done");
    const outbid = {
      ...open,
      auction_current_price: "120",
      auction_current_bidder: d,
      auction_bid_count: 2,
    };
    assertIs(won, { ...outbid, job_type: "mrc402_auctionbid" });
    assert.equal((await trade.bid(b, boughtNow, "500")).code, "done");
    const done = {
      state: "sold",
      remain_amount: "0",
      sell_date: trade.now,
      auction_settle_date: trade.now,
    };
    assertIs(boughtNow, {
      ...open,
      ...done,
      buyer: b,
      auction_current_price: "500",
      auction_current_bidder: b,
      auction_bid_count: 1,
      job_type: "mrc402_auctionbuynow",
    });
    assert.equal((await trade.unauction(a, cancelled)).code, "done");
    const cancel_date = trade.now;
    const undone = { state: "cancelled", cancel_date, job_type: "mrc402_unauction" };
    assertIs(cancelled, { ...open, ...undone });
    trade.untilEnd(won);
    trade.now += 7;
    for (const dexid of [won, failed]) {
      assert.equal((await trade.finish(dexid)).code, "done");
    }
    const auction_settle_date = trade.now;
    assertIs(won, {
      ...outbid,
      ...done,
      buyer: d,
      sell_date: auction_settle_date,
      auction_settle_date,
      job_type: "mrc402_auctionwinning",
    });
    const over = { state: "failed", auction_settle_date, job_type: "mrc402_auctionfailure" };
    assertIs(failed, { ...open, ...over });
  });
}

test("mrc402 §3: a listing of an item that says nothing, by the only holder: nothing of it applies", async () => {
  const x = await trade.x();
  const dexid = await trade.sale(c, x, { token: "2" });
  assertIs(dexid, {
    mrc402: x,
    side: "sell",
    state: "open",
    seller: c,
    amount: "10",
    remain_amount: "10",
    sell_price: "30",
    sell_token: "2",
    regdate: trade.now,
    job_type: "mrc402_sell",
  });
});

test("mrc402 §2.1: ids of listings: of the actor, its key and the position in itemdata", async () => {
  const [x, u] = [await trade.x({}, { a: 9 }), await trade.u({ totalsupply: "3" })];
  const itemdata = [x, u].map((id) => ({ id, price: "7", token: "0" }));
  const both = itemdata.map((element) => ({ ...element, amount: "2" }));
  await trade.give(u, m, a, "3");
  for (const word of ["sell", "auction"] as const) {
    const elements = both.map(({ price, ...element }) => ({
      ...element,
      [word === "sell" ? "price" : "start"]: price,
      amount: "1",
    }));
    const { made, tkey } = await trade.done(word, a, { itemdata: elements });
    const ids = [0, 1].map((n) => unitListingIdOf(a, tkey, n));
    assert.deepEqual(made, ids);
    for (const [n, id] of [x, u].entries()) {
      trade.assertListing(ids[n] ?? "", { mrc402: id, amount: "1", remain_amount: "1" });
    }
  }
});

test("mrc402 §3: what an item shows of its listings: the oldest open one of each side, and how many", async () => {
  const x = await trade.x({}, { a: 50, b: 20 });
  const item = trade.record(x);
  const shown = async (fields: Partial<UnitItemShown>): Promise<void> =>
    assert.deepEqual(trade.record(x), { ...item, ...fields });
  trade.now += 5;
  const first = await trade.sale(a, x);
  const ofFirst = {
    sell_date: trade.now,
    sell_price: "30",
    sell_token: "0",
    sell_dexid: first,
  };
  await shown({ ...ofFirst, sell_count: 1 });
  trade.now += 5;
  const second = await trade.sale(b, x, { price: "20", token: "2" });
  const ofSecond = {
    sell_date: trade.now,
    sell_price: "20",
    sell_token: "2",
    sell_dexid: second,
  };
  await shown({ ...ofFirst, sell_count: 2 });
  assert.equal((await trade.unsell(a, first)).code, "done");
  await shown({ ...ofSecond, sell_count: 1 });
  assert.equal((await trade.unsell(b, second)).code, "done");
  await shown({});
  trade.now += 5;
  const auction_date = trade.now;
  const lots = [await trade.lot(a, x), await trade.lot(b, x, { token: "2" })] as const;
  const ofLot = {
    auction_date,
    auction_end: auction_date + DAY,
    auction_token: "0",
    auction_bidding_unit: "5",
    auction_start_price: "100",
    auction_buynow_price: "500",
    auction_dexid: lots[0],
    auction_count: 2,
  };
  await shown(ofLot);
  assert.equal((await trade.bid(d, lots[0], "105")).code, "done");
  const bid = { auction_current_price: "105", auction_current_bidder: d };
  await shown({ ...ofLot, ...bid });
  assert.equal((await trade.bid(d, lots[0], "500")).code, "done");
  const trade1 = {
    last_trade_date: trade.now,
    last_trade_amount: "500",
    last_trade_token: "0",
    last_trade_type: "Auction",
    holders: 4,
  };
  const ofSecondLot = { auction_dexid: lots[1], auction_token: "2", auction_count: 1 };
  await shown({ ...ofLot, ...ofSecondLot, ...trade1 });
  assert.equal((await trade.unauction(b, lots[1])).code, "done");
  await shown(trade1);
});

// §11 to §17: records.

/** The terms that a listing has, as its record L gives them. */
function termsOf(dexid: string): readonly string[] {
  const listing = trade.listing(dexid);
  const { seller, amount, mrc402, sell_price, sell_token } = listing;
  const own =
    listing.side === "sell"
      ? [sell_price, sell_token]
      : [
          listing.auction_start_price,
          sell_token,
          listing.auction_bidding_unit,
          listing.auction_buynow_price,
          String(listing.auction_start_date),
          String(listing.auction_end_date),
        ];
  return [dexid, seller, amount, mrc402, ...own, ...platformOf(listing)];
}

for (const word of ["sell", "auction"] as const) {
  const price = word === "sell" ? "price" : "auction_start_price";
  for (const { what, change } of [
    { what: "and nothing but what it must have", change: {} },
    {
      what: "and everything",
      change: {
        platform_name: "Fair",
        platform_url: "https://fair.example/",
        platform_address: "S",
        platform_commission: "2.5",
        ...(word === "sell" ? {} : { auction_bidding_unit: "5", auction_buynow_price: "500" }),
      },
    },
  ]) {
    test(`mrc402 §11, §14: ${word} in quantity form, ${what}: M as sent, L as it applies`, async () => {
      const u = await item();
      const now = trade.now;
      const dates = { auction_start_date: String(now + 9), auction_end_date: String(now + 9999) };
      const params: Record<string, string> = {
        amount: "5",
        [price]: "30",
        token: "2",
        ...change,
        ...("platform_address" in change ? { platform_address: s } : {}),
        ...("auction_bidding_unit" in change ? dates : {}),
      };
      const all = { id: u, ...params };
      const answer = await trade.done(word, a, all);
      const { signature, tkey } = answer;
      const dexid = unitListingIdOf(a, tkey);
      const names = [
        price,
        "token",
        ...(word === "sell"
          ? []
          : [
              "auction_bidding_unit",
              "auction_buynow_price",
              "auction_start_date",
              "auction_end_date",
            ]),
        ...PLATFORM_NAMES,
      ];
      const asSent = names.map((name) => params[name] ?? "");
      const first = [dexid, a, "5", u];
      assertRecords(
        trade.client,
        answer,
        [
          {
            type: `mrc402${word}`,
            of: a,
            parameters: [...first, ...asSent, signature, tkey],
            units: [u],
          },
          {
            type: `mrc402_${word}`,
            of: dexid,
            parameters: [...termsOf(dexid), signature, tkey],
          },
        ],
        "2",
      );
      const ofSent = {
        platform_name: "Fair",
        platform_commission: "2.5",
        platform_address: s,
      };
      trade.assertListing(dexid, "platform_name" in change ? ofSent : ofItem());
    });
  }

  test(`mrc402 §11, §14: ${word} of several in item form: M with itemdata as sent, L of each with what applies`, async () => {
    const [u, x] = [await item(), await trade.x({}, { a: 5 })];
    const own = word === "sell" ? `"price":30` : `"start":30`;
    const itemdata = `[ {"id":"${u}",${own},"token":"0"}, {"id":"${x}", ${own},"token":0,"amount":"5","platform_name":"é"} ]`;
    const answer = await trade.done(word, a, { itemdata });
    const { signature, tkey } = answer;
    const ids = [unitListingIdOf(a, tkey, 0), unitListingIdOf(a, tkey, 1)];
    const listings = await Promise.all(
      ids.map(async (dexid) => ({
        type: `mrc402_${word}`,
        of: dexid,
        parameters: [...termsOf(dexid), signature, tkey],
      })),
    );
    assertRecords(trade.client, answer, [
      {
        type: `mrc402${word}`,
        of: a,
        parameters: [itemdata, a, signature, tkey],
        units: [u, x],
      },
      ...listings,
    ]);
    assert.deepEqual(
      listings.map(({ parameters }) => parameters.slice(1, 4)),
      [
        [a, "1", u],
        [a, "5", x],
      ],
    );
  });

  const undo = word === "sell" ? "unsell" : "unauction";
  test(`mrc402 §12, §15: ${undo} by listing, partly bought or not: M and L with what went back`, async () => {
    const u = await item();
    const dexid = await trade.list(word, a, u, { token: "2" });
    if (word === "sell") {
      assert.equal((await trade.buy(b, dexid, "4")).code, "done");
    }
    const answer = await trade.done(undo, a, { id: dexid });
    const { signature, tkey } = answer;
    const terms = word === "sell" ? ["6", u, "30", "2"] : ["5", u, "100", "2"];
    const parameters = [dexid, a, ...terms, signature, tkey];
    assertRecords(
      trade.client,
      answer,
      [
        { type: `mrc402${undo}`, of: a, parameters, units: [u] },
        { type: `mrc402_${undo}`, of: dexid, parameters },
      ],
      "2",
    );
  });

  test(`mrc402 §12, §15: ${undo} of several, by item and by listing: M with itemdata as sent, L of each`, async () => {
    const [u, x] = [await item(), await trade.x({}, { a: 10 })];
    const ids = [await trade.list(word, a, u), await trade.list(word, a, x)] as const;
    const itemdata = ` ["${u}",  "${ids[1]}"]`;
    const answer = await trade.done(undo, a, { itemdata, seller: "" });
    const { signature, tkey } = answer;
    const terms = word === "sell" ? ["10", "30"] : ["5", "100"];
    const [amount = "", price1 = ""] = terms;
    assertRecords(trade.client, answer, [
      {
        type: `mrc402${undo}`,
        of: a,
        parameters: [itemdata, a, signature, tkey],
        units: [u, x],
      },
      ...[u, x].map((id, n) => ({
        type: `mrc402_${undo}`,
        of: ids[n] ?? "",
        parameters: [ids[n] ?? "", a, amount, id, price1, "0", signature, tkey],
      })),
    ]);
  });

  for (const form of FORMS) {
    test(`mrc402 §2.3: ${word} and ${undo} by an agent, ${form} form: one more A(creator), of M's type, with L's parameters`, async () => {
      const u = await trade.u({ totalsupply: "9" });
      const params = listingParams(word, form, u, { amount: "3" });
      const listed = await trade.done(word, s, params);
      const dexid = unitListingIdOf(s, listed.tkey);
      const undoing: Params = form === "item" ? { itemdata: [u] } : { id: dexid };
      const terms = [...termsOf(dexid), listed.signature, listed.tkey];
      assertAgent(listed, word, dexid, terms, u);
      const undone = await trade.done(undo, s, undoing);
      const unit = word === "sell" ? "30" : "100";
      const back = [dexid, m, "3", u, unit, "0", undone.signature, undone.tkey];
      assertAgent(undone, undo, dexid, back, u);
    });
  }
}

/** M of the agent S, for whom nothing moved; A of the creator and L, with equal parameters. */
function assertAgent(
  { record, effects }: Answer,
  word: string,
  dexid: string,
  parameters: readonly string[],
  u: string,
): void {
  const brief = (type: string, address: string, item?: string) => ({
    type,
    address,
    item,
    parameters,
  });
  assert.deepEqual(
    effects
      .map(({ type, address, item, parameters: given }) => ({
        type,
        address,
        item,
        parameters: given,
      }))
      .toSorted((one, other) => (one.type < other.type ? -1 : 1)),
    [brief(`mrc402_${word}`, "", dexid), brief(`mrc402${word}`, m)],
  );
  assert.deepEqual([record.type, record.address], [`mrc402${word}`, s]);
  assert.deepEqual(record.values, {}, "nothing has moved at the agent");
  const ofCreator = effects.find(({ address }) => address === m);
  const { moved, ...values } = ofCreator?.values ?? {};
  assert.deepEqual(values, { mrc402: { [u]: trade.client.holding(m, u) } });
  assert.deepEqual(
    (moved as readonly object[]).map((move) => Object.keys(move)),
    [["amount", "mrc402id"]],
  );
}

for (const { what, token, buyer, form, price, amount } of [
  { what: "for coins", token: "0", buyer: () => b, form: "quantity", price: "30", amount: "4" },
  { what: "for token 2", token: "2", buyer: () => b, form: "quantity", price: "30", amount: "10" },
  { what: "by item id", token: "2", buyer: () => b, form: "item", price: "999", amount: "1" },
  { what: "too cheap for fees", token: "0", buyer: () => d, form: "item", price: "9", amount: "1" },
  {
    what: "by the MRC400 owner",
    token: "0",
    buyer: () => o,
    form: "quantity",
    price: "30",
    amount: "4",
  },
  {
    what: "by a shareholder",
    token: "0",
    buyer: () => s,
    form: "quantity",
    price: "100",
    amount: "3",
  },
] as const) {
  test(`mrc402 §13: buy ${what}: M, A of each payee, L with payments`, async () => {
    const u = await item();
    const dexid = await trade.sale(a, u, { price, token });
    const by = buyer();
    const params: Params = form === "item" ? { id: u } : { id: dexid, amount };
    const sent = await trade.done("buy", by, params);
    const P = BigInt(price) * BigInt(amount);
    const { signature, tkey } = sent;
    const paid = distribution({ dexid, id: u, token, price: P, of: "sell", by: sent, buyer: by });
    const payments = paymentsText(
      ["mrc402_buy", by, dexid, String(P), token, "paid"],
      ["mrc402_recv_item", dexid, by, amount, u, "traded"],
      ...paid.movements,
    );
    assertRecords(
      trade.client,
      sent,
      [
        {
          type: "transfer_mrc402buy",
          of: by,
          parameters: [by, dexid, String(P), token, signature, "0", amount, u, tkey],
          moved: [token],
          units: [u],
        },
        ...paid.records,
        {
          type: "mrc402_buy",
          of: dexid,
          parameters: [dexid, a, by, payments, u],
        },
      ],
      token,
    );
  });
}

/** Records of a bid, of an earlier bidder's refund, and at the buy-now price of the payees. */
function assertBid(
  sent: Answer,
  by: Address,
  bid: string,
  {
    u,
    dexid,
    token,
    earlier,
    isBuyNow = false,
  }: {
    readonly u: string;
    readonly dexid: string;
    readonly token: string;
    readonly earlier?: readonly [Address, string];
    readonly isBuyNow?: boolean;
  },
): void {
  const { signature, tkey } = sent;
  const units = isBuyNow ? [u] : [];
  const paid = isBuyNow
    ? distribution({ dexid, id: u, token, price: BigInt(bid), of: "auction", by: sent, buyer: by })
    : { movements: [], records: [] };
  const refund: Movement[] = earlier
    ? [["mrc402_recv_refund", dexid, earlier[0], earlier[1], token, "paid"]]
    : [];
  const lot: Movement[] = isBuyNow ? [["mrc402_recv_item", dexid, by, "5", u, "traded"]] : [];
  const payments = paymentsText(
    ...refund,
    ["mrc402_bid", by, dexid, bid, token, "paid"],
    ...lot,
    ...paid.movements,
  );
  const listing = isBuyNow
    ? { type: "mrc402_auctionbuynow", parameters: [dexid, a, by, payments, u] }
    : {
        type: "mrc402_auctionbid",
        parameters: [dexid, a, by, payments, signature, tkey],
      };
  const lotParameter = isBuyNow ? "5" : "";
  const refunded: ExpectedRecord[] = earlier
    ? [
        {
          type: "receive_mrc402refund",
          of: earlier[0],
          parameters: [dexid, earlier[0], earlier[1], token, signature, "0", "", u, tkey],
          moved: [token],
          units: earlier[0] === by ? units : [],
        },
      ]
    : [];
  assertRecords(
    trade.client,
    sent,
    [
      {
        type: "transfer_mrc402bid",
        of: by,
        parameters: [by, dexid, bid, token, signature, "0", lotParameter, u, tkey],
        moved: [token],
        units,
      },
      ...refunded,
      ...paid.records,
      { ...listing, of: dexid },
    ],
    token,
  );
}

for (const token of ["0", "2"]) {
  for (const form of FORMS) {
    test(`mrc402 §16: bids for token ${token}, ${form} form: M, A of the earlier bidder, L with payments`, async () => {
      const u = await item();
      const dexid = await trade.lot(a, u, { token });
      const id = form === "item" ? u : dexid;
      const first = await trade.done("bid", b, { id, amount: "100", buyer: "" });
      assertBid(first, b, "100", { u, dexid, token });
      const params = { id, amount: "105", token };
      const second = await trade.done("bid", d, params);
      assertBid(second, d, "105", { u, dexid, token, earlier: [b, "100"] });
    });

    for (const { what, earlier } of [
      { what: "without an earlier bid", earlier: undefined },
      { what: "after D's bid", earlier: () => d },
      { what: "after the bidder's own bid", earlier: () => b },
    ]) {
      test(`mrc402 §16: a bid of the buy-now price for token ${token}, ${form} form, ${what}: M, A of the earlier bidder and of the payees, L`, async () => {
        const u = await item();
        const before1 = earlier?.();
        const bids = before1 === undefined ? [] : ([[before1, "105"]] as const);
        const dexid = await trade.lot(a, u, { token }, bids);
        const id = form === "item" ? u : dexid;
        const sent = await trade.done("bid", b, { id, amount: "500" });
        const refund: { earlier?: readonly [Address, string] } =
          before1 === undefined ? {} : { earlier: [before1, "105"] };
        assertBid(sent, b, "500", { u, dexid, token, ...refund, isBuyNow: true });
      });
    }
  }
}

for (const { what, bid, winner } of [
  { what: "won by B", bid: "105", winner: () => b },
  { what: "won by B, too cheap for fees", bid: "9", winner: () => b },
  { what: "won by the MRC400 owner, who is paid, too", bid: "105", winner: () => o },
]) {
  for (const by of ["item", "listing"]) {
    test(`mrc402 §17: auctionfinish by ${by} of what was ${what}: M of the winner, A of each payee, L with payments`, async () => {
      const u = await item();
      const [token, w] = ["0", winner()];
      const dexid = await trade.lot(a, u, { auction_start_price: bid }, [[w, bid]]);
      trade.untilEnd(dexid);
      const answer = await trade.finish(by === "item" ? u : dexid);
      const paid = distribution({
        dexid,
        id: u,
        token,
        price: BigInt(bid),
        of: "auction",
        by: { signature: "", tkey: "" },
        buyer: w,
      });
      const payments = paymentsText(
        ["mrc402_recv_item", dexid, w, "5", u, "traded"],
        ...paid.movements,
      );
      assertRecords(
        trade.client,
        answer,
        [
          {
            type: "receive_mrc402item",
            of: w,
            parameters: [dexid, w, "0", token, "", "0", "5", u, ""],
            units: [u],
            moved: w === o ? [token] : [],
          },
          ...paid.records,
          {
            type: "mrc402_auctionwinning",
            of: dexid,
            parameters: [dexid, a, w, payments, u],
          },
        ],
        token,
      );
    });
  }
}

test("mrc402 §17: auctionfinish without a bid: M of the seller, L, with nothing but the lot", async () => {
  const u = await item();
  const dexid = await trade.lot(a, u, { token: "2" });
  trade.untilEnd(dexid);
  const parameters = [dexid, a, "5", u];
  assertRecords(
    trade.client,
    await trade.finish(dexid),
    [
      { type: "mrc402auctionfailure", of: a, parameters, units: [u] },
      { type: "mrc402_auctionfailure", of: dexid, parameters },
    ],
    "2",
  );
});

test("mrc402 §3: the payments of a purchase as its record shows them", async () => {
  const x = await trade.x({ creatorcommission: "10" }, { a: 5 });
  const dexid = await trade.sale(a, x, { amount: "5" });
  const { effects } = await trade.done("buy", b, { id: dexid, amount: "2" });
  const movement = (type: string, from: string, to: string, paid: string, traded = "") =>
    `{"from_addr":"${from}","to_addr":"${to}","amount":"${paid}","token":"${paid && "0"}","trade_amount":"${traded}","trade_id":"${traded && x}","type":"${type}"}`;
  const payments = [
    movement("mrc402_buy", b, dexid, "60"),
    movement("mrc402_recv_item", dexid, b, "", "2"),
    movement("mrc402_recv_fee_creator", dexid, c, "6"),
    movement("mrc402_recv_sell", dexid, a, "54"),
  ];
  assert.deepEqual(effects.at(-1), {
    type: "mrc402_buy",
    address: "",
    item: dexid,
    token: 0,
    parameters: [dexid, a, b, `[${payments.join()}]`, x],
    values: { buyer: b, job_type: "mrc402_buy", remain_amount: "3" },
  });
});
