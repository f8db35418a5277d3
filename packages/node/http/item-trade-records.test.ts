import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import {
  assertRecorded,
  assertRecords,
  createProject,
  type ExpectedRecord,
  type ItemParams,
  type ItemRequest,
  type ItemWord,
  type Payment,
  paymentsText,
} from "../testing/item-requests.ts";
import { AUCTION, ItemTrade } from "../testing/item-trade.ts";
import { type Answered, type KeyHolder, parsed, saidCode } from "../testing/test-node.ts";

// Answers and records of mrc401 §9 to §17: M, A and I exactly, with payments and values as they are then.

let trade: ItemTrade;
let q: string;
let o: KeyHolder;
let p: KeyHolder;
let s: KeyHolder;
let a: KeyHolder;
let b: KeyHolder;
let d: KeyHolder;
before(async () => {
  trade = await ItemTrade.open({ tokens: 2 });
  ({ q, o, p, s, a, b, d } = trade.cast);
  await Promise.all([b, d, o].map((holder) => trade.collection.pay(holder, "2", 10_000n)));
});
after(() => trade[Symbol.asyncDispose]());
afterEach(() => trade.assertConserved());

interface Sent {
  readonly answer: Answered;
  readonly signature: string;
  readonly tkey: string;
  readonly params: ItemRequest["params"];
}

/** Signs and sends, and answers what records have of the request, too. */
async function sent(
  word: ItemWord,
  by: KeyHolder,
  params: ItemParams,
  signed: "short" | "full" = "short",
): Promise<Sent> {
  const request = await trade.collection.request(word, by, params, { signed });
  const { signature, tkey } = request.params;
  return { answer: await trade.collection.post(request), signature, tkey, params: request.params };
}

type Records = readonly [ExpectedRecord, ...ExpectedRecord[]];

function assertAre(answer: Answered, records: Records, token = "0"): Promise<void> {
  return assertRecorded(trade.node, answer, records, { token });
}

/** Records of a payment for an item: to the owner of its project, and to its holder. */
function paidOut(
  {
    id,
    of: [feeType, restType],
    token,
  }: { id: string; of: readonly [string, string]; token: string },
  [feeFrom, restFrom]: readonly [string, string],
  [fee, rest]: readonly [string, string],
  to: KeyHolder,
  { signature, tkey }: { readonly signature: string; readonly tkey: string },
): ExpectedRecord[] {
  const recordOf = (type: string, from: string, of: KeyHolder, amount: string): ExpectedRecord[] =>
    amount === "0"
      ? []
      : [
          {
            type,
            of,
            parameters: [from, of.address, amount, token, signature, "0", "", id, tkey],
            moved: [token],
          },
        ];
  return [...recordOf(feeType, feeFrom, o, fee), ...recordOf(restType, restFrom, to, rest)];
}

/** Movements of 0 are left out. */
function payments(...movements: readonly Payment[]): string {
  return paymentsText(...movements.filter(([, , , amount]) => amount !== "0"));
}

for (const signed of ["short", "full"] as const) {
  test(`mrc401 §9: transfer, signed ${signed}: M, I, A(toAddr)`, async () => {
    const mrc401id = await trade.x();
    const request = { mrc401id, toAddr: b.address };
    const { answer, signature, tkey } = await sent("transfer", a, request, signed);
    const parameters = [mrc401id, a.address, b.address, signature, tkey];
    await assertAre(answer, [
      { type: "mrc401transfer", of: a, parameters },
      { type: "mrc401_transfer", of: mrc401id, parameters },
      { type: "receive_mrc401", of: b, parameters },
    ]);
  });

  test(`mrc401 §9: transfer of several, signed ${signed}: M with itemdata as sent; I and A(toAddr) of each`, async () => {
    const ids = [await trade.fresh(), await trade.fresh()];
    const itemdata = JSON.stringify(ids).replace(",", ", ");
    const request = { itemdata, toAddr: b.address };
    const { answer, signature, tkey } = await sent("transferBatch", o, request, signed);
    const by = [o.address, b.address, signature, tkey];
    await assertAre(answer, [
      { type: "mrc401transfer", of: o, parameters: [itemdata, ...by] },
      ...ids.flatMap((id): ExpectedRecord[] => [
        { type: "mrc401_transfer", of: id, parameters: [id, ...by] },
        { type: "receive_mrc401", of: b, parameters: [id, ...by] },
      ]),
    ]);
  });
}

const TERMS = {
  sell: { price: "300", token: "2" },
  auction: { start: "100", token: "2", bidding: "5", buynow: "502", end: "7" },
};

for (const { who, seller, fresh, isByRole } of [
  { who: "A, its holder", seller: () => a, fresh: false, isByRole: false },
  { who: "O, the holder of fresh items", seller: () => o, fresh: true, isByRole: false },
  { who: "P by role", seller: () => p, fresh: true, isByRole: true },
  { who: "S by role", seller: () => s, fresh: true, isByRole: true },
]) {
  for (const { word, undo } of [
    { word: "sell", undo: "unsell" },
    { word: "auction", undo: "unauction" },
  ] as const) {
    test(`mrc401 §10, §11, §14, §15: ${word} and ${undo} by ${who}: M, I of each${isByRole ? ", A(MRC400 owner) at last" : ""}`, async () => {
      const by = seller();
      const ids = fresh
        ? [await trade.fresh(), await trade.fresh()]
        : [await trade.x(), await trade.x()];
      const elements = ids.map((id) => ({ id, ...TERMS[word] }));
      for (const what of [word, undo] as const) {
        const itemdata = JSON.stringify(what === word ? elements : ids);
        const request = { itemdata, ...(fresh ? {} : { seller: "" }) };
        const { answer, signature, tkey } = await sent(what, by, request);
        const parameters = [itemdata, by.address, signature, tkey];
        const terms = {
          sell: ["300", "2"],
          auction: ["100", "2", "502", "5"],
          unsell: [],
          unauction: [],
        }[what];
        await assertAre(answer, [
          { type: `mrc401${what}`, of: by, parameters },
          ...ids.map((id) => ({
            type: `mrc401_${what}`,
            of: id,
            parameters: [id, by.address, ...terms, signature, tkey],
          })),
          ...(isByRole ? [{ type: `mrc401${what}`, of: o, parameters }] : []),
        ]);
      }
    });
  }
}

test("mrc401 §1.9: one element by role is enough for one A(MRC400 owner); what P holds is listed as a holder", async () => {
  const own = await trade.fresh();
  assert.equal(saidCode(await trade.transfer(o, own, p)), "200");
  for (const ids of [[own], [own, await trade.fresh(), await trade.fresh()]]) {
    const itemdata = JSON.stringify(ids.map((id) => ({ id, ...TERMS.sell })));
    const { answer, signature, tkey } = await sent("sell", p, { itemdata });
    const parameters = [itemdata, p.address, signature, tkey];
    const by = [p.address, "300", "2", signature, tkey];
    await assertAre(answer, [
      { type: "mrc401sell", of: p, parameters },
      ...ids.map((id) => ({ type: "mrc401_sell", of: id, parameters: [id, ...by] })),
      ...(ids.length > 1 ? [{ type: "mrc401sell", of: o, parameters }] : []),
    ]);
    assert.equal(saidCode(await trade.unsell(p, ...ids)), "200");
  }
});

test("mrc401 §1.9: items of several projects by role: an A for the owner of each of them, once", async () => {
  const partner = { [s.address]: "seller" };
  const theirs = await createProject(trade.node, d, { partner });
  const ids = [
    await trade.fresh(),
    await trade.collection.item(theirs, d),
    await trade.fresh(),
    await trade.collection.item(theirs, d),
  ];
  const itemdata = JSON.stringify(ids.map((id) => ({ id, price: "1", token: "0" })));
  const { answer } = await sent("sell", s, { itemdata });
  assert.equal(answer.status, 200, answer.text);
  const id = parsed<{ txid: string }>(answer).txid;
  const { effects } = await trade.node.transaction(id);
  const seen = effects.map(({ type, address }) => `${type} ${address}`);
  const owners = [o, d].map(({ address }) => `mrc401sell ${address}`);
  assert.deepEqual(seen.toSorted(), [...Array(4).fill("mrc401_sell "), ...owners].toSorted());
  assert.deepEqual(seen.slice(0, 4), Array(4).fill("mrc401_sell "));
});

test("mrc401 §14: auction with nothing but what it must have: I has the defaults filled in; names and numbers as sent in M only", async () => {
  const id = await trade.x();
  const itemdata = `[{"bnynow":101,"id":"${id}","start":100,"token":2}]`;
  const { answer, signature, tkey } = await sent("auction", a, { itemdata });
  const terms = ["100", "2", "101", "1", signature, tkey];
  await assertAre(answer, [
    { type: "mrc401auction", of: a, parameters: [itemdata, a.address, signature, tkey] },
    { type: "mrc401_auction", of: id, parameters: [id, a.address, ...terms] },
  ]);
  const other = await trade.x();
  const least = [{ id: other, start: "7", token: "0" }];
  const second = await sent("auction", a, { itemdata: least });
  const by = [second.signature, second.tkey];
  await assertAre(second.answer, [
    { type: "mrc401auction", of: a, parameters: [JSON.stringify(least), a.address, ...by] },
    {
      type: "mrc401_auction",
      of: other,
      parameters: [other, a.address, "7", "0", "0", "1", ...by],
    },
  ]);
});

// biome-ignore format: a line for each case
for (const { what, price, fee, rest, buyer, fresh, token } of [
  { what: "row 41", price: "300", fee: "30", rest: "270", buyer: () => b, fresh: false, token: "0" },
  { what: "token 2", price: "300", fee: "30", rest: "270", buyer: () => b, fresh: false, token: "2" },
  { what: "row 42, no fee", price: "9", fee: "0", rest: "9", buyer: () => b, fresh: false, token: "0" },
  { what: "row 44, F1", price: "300", fee: "0", rest: "300", buyer: () => b, fresh: true, token: "0" },
  { what: "row 45, O buys", price: "300", fee: "30", rest: "270", buyer: () => o, fresh: false, token: "2" },
]) {
  for (const signed of ["short", "full"] as const) {
    test(`mrc401 §12: buy, ${what}, signed ${signed}: M, A of what was paid, I with payments`, async () => {
      const [id, h, by] = [await (fresh ? trade.fresh() : trade.x()), fresh ? o : a, buyer()];
      assert.equal(saidCode(await trade.sell(h, id, { price, token })), "200");
      const named = signed === "full" ? {} : { buyer: "" };
      const { answer, signature, tkey } = await sent("buy", by, { mrc401id: id, ...named }, signed);
      const of = ["receive_mrc401fee", "receive_mrc401sell"] as const;
      const text = payments(
        ["mrc401_buy", by.address, id, price, token],
        ["mrc401_recv_fee", id, o.address, fee, token],
        ["mrc401_recv_sell", id, h.address, rest, token],
      );
      const paying = [by.address, id, price, token, signature, "0", "", id, tkey];
      await assertAre(
        answer,
        [
          { type: "transfer_mrc401buy", of: by, parameters: paying, moved: [token] },
          ...paidOut({ id, of, token }, [h.address, by.address], [fee, rest], h, {
            signature,
            tkey,
          }),
          {
            type: "mrc401_buy",
            of: id,
            parameters: [id, h.address, by.address, text, signature, tkey],
          },
        ],
        token,
      );
    });
  }
}

for (const { reserve, rate, fee, rest, fresh, token } of [
  { reserve: "1000", rate: "12.5", fee: "125", rest: "875", fresh: false, token: "2" },
  { reserve: "7", rate: "10", fee: "0", rest: "7", fresh: false, token: "0" },
  { reserve: "0", rate: "50", fee: "0", rest: "0", fresh: false, token: "0" },
  { reserve: "0", rate: "50", fee: "0", rest: "0", fresh: false, token: "2" },
  { reserve: "1000", rate: "12.5", fee: "0", rest: "1000", fresh: true, token: "0" },
]) {
  test(`mrc401 §13: melt of ${reserve} of token ${token}, melt_fee ${rate}${fresh ? ", fresh" : ""}: M, A of what was paid, I`, async () => {
    const terms = { initial_reserve: reserve, initial_token: token, melt_fee: rate };
    const [id, h] = [await (fresh ? trade.fresh(terms) : trade.x(terms)), fresh ? o : a];
    const named = fresh ? { address: "" } : {};
    const { answer, signature, tkey } = await sent("melt", h, { mrc401id: id, ...named });
    const text = payments(
      ["mrc401_recv_meltfee", id, o.address, fee, token],
      ["mrc401_recv_melt", id, h.address, rest, token],
    );
    const parameters = [id, h.address, text, signature, tkey];
    const of = ["receive_meltfee", "receive_melt"] as const;
    const moved = rest === "0" ? [] : [token];
    await assertAre(
      answer,
      [
        { type: "mrc401_melt", of: h, parameters, moved },
        ...paidOut({ id, of, token }, [id, id], [fee, rest], h, { signature, tkey }),
        { type: "mrc401_melt", of: id, parameters },
      ],
      token,
    );
  });
}

/** Record A of an earlier bidder that gets its bid back. */
function refunded(id: string, to: KeyHolder, bid: string, token: string, by: Sent): ExpectedRecord {
  const { signature, tkey } = by;
  const parameters = [id, to.address, bid, token, signature, "0", "", id, tkey];
  return { type: "receive_mrc401refund", of: to, parameters, moved: [token] };
}

test("mrc401 §16: bids: M, A of the earlier bidder, I with payments", async () => {
  const id = await trade.onAuction({}, { change: { token: "2" } });
  const first = await sent("bid", b, { mrc401id: id, amount: "100", buyer: "" });
  const bidding = (by: KeyHolder, bid: string, { signature, tkey }: Sent): ExpectedRecord => ({
    type: "transfer_mrc401bid",
    of: by,
    parameters: [by.address, id, bid, "2", signature, "0", "", id, tkey],
    moved: ["2"],
  });
  const one = paymentsText(["mrc401_bid", b.address, id, "100", "2"]);
  const parameters = [id, b.address, one, first.signature, first.tkey];
  await assertAre(
    first.answer,
    [bidding(b, "100", first), { type: "mrc401_auctionbid", of: id, parameters }],
    "2",
  );
  const second = await sent("bid", d, { mrc401id: id, amount: "105", token: "2" }, "full");
  const two = paymentsText(
    ["mrc401_recv_refund", id, b.address, "100", "2"],
    ["mrc401_bid", d.address, id, "105", "2"],
  );
  await assertAre(
    second.answer,
    [
      bidding(d, "105", second),
      refunded(id, b, "100", "2", second),
      {
        type: "mrc401_auctionbid",
        of: id,
        parameters: [id, d.address, two, second.signature, second.tkey],
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
    assert.equal(saidCode(await trade.auction(h, id, { token: "2" })), "200");
    const before = earlier?.();
    if (before !== undefined) {
      assert.equal(saidCode(await trade.bid(before, id, "105")), "200");
    }
    const request = await sent("bid", b, { mrc401id: id, amount: "502" });
    const { answer, signature, tkey } = request;
    const text = payments(
      ["mrc401_recv_refund", id, before?.address ?? "", before === undefined ? "0" : "105", "2"],
      ["mrc401_bid", b.address, id, "502", "2"],
      ["mrc401_recv_fee", id, o.address, fee, "2"],
      ["mrc401_recv_auction", id, h.address, rest, "2"],
    );
    const of = ["receive_mrc401fee", "receive_mrc401auction"] as const;
    const token = "2";
    const paying = [b.address, id, "502", token, signature, "0", "", id, tkey];
    await assertAre(
      answer,
      [
        { type: "transfer_mrc401bid", of: b, parameters: paying, moved: [token] },
        ...(before === undefined ? [] : [refunded(id, before, "105", token, request)]),
        ...paidOut({ id, of, token }, [h.address, b.address], [fee, rest], h, { signature, tkey }),
        {
          type: "mrc401_auctionbuynow",
          of: id,
          parameters: [id, b.address, text, signature, tkey],
        },
      ],
      token,
    );
  });
}

/** R without a temporary key, and exactly these records. */
async function assertFinished(answer: Answered, records: Records, token: string): Promise<void> {
  assert.equal(answer.status, 200, answer.text);
  const id = answer.headers.get("transaction-id") ?? "";
  assert.deepEqual(parsed(answer), { transaction_id: id, txid: id });
  assert.equal(answer.headers.has("replay-nonce"), false);
  await assertRecords(trade.node, id, records, token);
}

// biome-ignore format: a line for each case
for (const { what, bid, fee, rest, fresh, winner } of [
  { what: "X", bid: "105", fee: "10", rest: "95", fresh: false, winner: () => b },
  { what: "X with an auction too cheap for a fee", bid: "9", fee: "0", rest: "9", fresh: false, winner: () => b },
  { what: "F1", bid: "105", fee: "0", rest: "105", fresh: true, winner: () => b },
  { what: "X won by O", bid: "105", fee: "10", rest: "95", fresh: false, winner: () => o },
]) {
  for (const method of ["GET", "POST"] as const) {
    test(`mrc401 §17: ${method} auctionfinish of ${what}: M of the winner, A of what was paid, I, all without signature and key`, async () => {
      const [id, h, w] = [await (fresh ? trade.fresh() : trade.x()), fresh ? o : a, winner()];
      const token = "2";
      assert.equal(saidCode(await trade.auction(h, id, { start: bid, token })), "200");
      assert.equal(saidCode(await trade.bid(w, id, bid)), "200");
      await trade.untilEnd(id);
      const text = payments(
        ["mrc401_recv_fee", id, o.address, fee, token],
        ["mrc401_recv_auction", id, h.address, rest, token],
      );
      const parameters = [id, w.address, text, "", ""];
      const of = ["receive_mrc401fee", "receive_mrc401auction"] as const;
      const nobody = { signature: "", tkey: "" };
      const movedAtWinner = w === o ? [token] : [];
      await assertFinished(
        await trade.finish(id, method),
        [
          { type: "mrc401_auctionwinning", of: w, parameters, moved: movedAtWinner },
          ...paidOut({ id, of, token }, [h.address, w.address], [fee, rest], h, nobody),
          { type: "mrc401_auctionwinning", of: id, parameters },
        ],
        token,
      );
    });
  }
}

for (const fresh of [false, true]) {
  test(`mrc401 §17: auctionfinish of ${fresh ? "F1" : "X"} without a bid: M of the holder, and I`, async () => {
    const [id, h] = [await (fresh ? trade.fresh() : trade.x()), fresh ? o : a];
    assert.equal(saidCode(await trade.auction(h, id, { ...AUCTION, token: "2" })), "200");
    await trade.untilEnd(id);
    const parameters = [id, h.address, "", "[]", "", ""];
    await assertFinished(
      await trade.finish(id),
      [
        { type: "mrc401_auctionfailure", of: h, parameters },
        { type: "mrc401_auctionfailure", of: id, parameters },
      ],
      "2",
    );
  });
}

test("mrc401 §12: the record of a purchase of row 41 as GET /transaction shows it", async () => {
  const id = await trade.onSale();
  const { answer, signature, tkey } = await sent("buy", b, { mrc401id: id });
  const transaction = await trade.node.transaction(answer.headers.get("transaction-id") ?? "");
  const item = transaction.effects.at(-1);
  assert.deepEqual(item, {
    type: "mrc401_buy",
    address: "",
    item: id,
    token: 0,
    parameters: [
      id,
      a.address,
      b.address,
      `[{"from_addr":"${b.address}","to_addr":"${id}","amount":"300","token":"0","trade_amount":"","trade_id":"","type":"mrc401_buy"},` +
        `{"from_addr":"${id}","to_addr":"${o.address}","amount":"30","token":"0","trade_amount":"","trade_id":"","type":"mrc401_recv_fee"},` +
        `{"from_addr":"${id}","to_addr":"${a.address}","amount":"270","token":"0","trade_amount":"","trade_id":"","type":"mrc401_recv_sell"}]`,
      signature,
      tkey,
    ],
    values: {
      last_trade_amount: "300",
      last_trade_date: trade.node.now,
      last_trade_type: "Sell",
      listing_fee: "0",
      owner: b.address,
      sell_date: 0,
      sell_price: "0",
    },
  });
  assert.equal((await trade.record(id)).mrc400, q);
});
