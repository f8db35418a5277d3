import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { ART, type Element } from "../../../../ledger/testing/trade/creations.ts";
import { NOBODY } from "../../../../ledger/testing/trade/item-terms.ts";
import {
  FORMS,
  type Form,
  LOT,
  listingParams,
  NO_UNIT_ITEM,
  NO_UNIT_LISTING,
  UNIT_AUCTION_MIN,
  unitListingIdOf,
} from "../../../../ledger/testing/trade/unit-terms.ts";
import {
  changed,
  type RequestParams,
  renamed,
  sendRequest,
  signedRequest,
} from "../../../testing/requests/signed-request.ts";
import { Units, unitListing, unitsSaid } from "../../../testing/requests/unit-requests.ts";
import {
  type Answered,
  type KeyHolder,
  parsed,
  signatureOf,
  TestNode,
} from "../../../testing/test-node.ts";

// HTTP of the trade of units: forms, names, signatures, keys and responses.

const UNIT_TRADE_WORDS = ["sell", "unsell", "buy", "auction", "unauction", "bid"] as const;
type UnitTradeWord = (typeof UNIT_TRADE_WORDS)[number];

let trade: Units;
let a: KeyHolder;
let b: KeyHolder;
let d: KeyHolder;
before(async () => {
  trade = await Units.open({ tokens: 9 });
  ({ a, b, d } = await trade.cast({ coins: 1_000_000n }));
});
after(() => trade[Symbol.asyncDispose]());

test("mrc402 §13: price and token are covered by a full signature only", async () => {
  const x = await trade.x({}, { a: 10 });
  await trade.sale(a, x);
  for (const signed of ["full", "short"] as const) {
    const request = await trade.request("mrc402buy", b, { id: x, price: "29" }, { signed });
    const answer = await trade.post(changed(request, { price: "30" }));
    assert.equal(unitsSaid(answer), signed === "full" ? "401 2010" : "200");
  }
});

// §1.2, §1.3: actors, forms and what was signed.

test("mrc402 §18 row 63: buy with buyer absent, key of B, string id|tkey signed by B: B buys", async () => {
  const x = await trade.x({}, { a: 1 });
  await trade.sale(a, x, { amount: "1" });
  const tkey = await trade.node.key(b);
  const signature = signatureOf(`${x}|${tkey}`, b);
  const buying = () => trade.node.post(`/mrc402/buy/${x}`, { tkey, signature });
  assert.equal(unitsSaid(await buying()), "200");
  assert.equal(await trade.has(b, x), "1");
});

test("mrc402 §13: id|tkey does not buy by listing id, and id|address|amount|tkey does not without amount", async () => {
  const x = await trade.x({}, { a: 2 });
  const dexid = await trade.sale(a, x, { amount: "2" });
  for (const { id, amount, string, answer } of [
    { id: dexid, amount: "", string: (tkey: string) => `${dexid}|${tkey}`, answer: "400 1000" },
    { id: dexid, amount: "1", string: (tkey: string) => `${dexid}|${tkey}`, answer: "401 2010" },
    { id: x, amount: "1", string: (tkey: string) => `${x}|${tkey}`, answer: "401 2010" },
    {
      id: x,
      amount: "",
      string: (tkey: string) => `${x}|${b.address}|1|${tkey}`,
      answer: "401 2010",
    },
    { id: x, amount: "1", string: (tkey: string) => `${x}|${b.address}|1|${tkey}`, answer: "200" },
    { id: x, amount: "", string: (tkey: string) => `${x}|${tkey}`, answer: "200" },
  ]) {
    const tkey = await trade.node.key(b);
    const signature = signatureOf(string(tkey), b);
    const params = { buyer: b.address, amount, tkey, signature };
    assert.equal(unitsSaid(await trade.node.post(`/mrc402/buy/${id}`, params)), answer);
  }
});

interface Ready {
  readonly by: KeyHolder;
  readonly params: RequestParams;
}

/** A request of each operation in each form, which would succeed. */
async function ready(word: UnitTradeWord, form: Form): Promise<Ready> {
  const x = await trade.x({}, { a: 20 });
  const isItemForm = form === "item";
  switch (word) {
    case "sell":
    case "auction":
      return { by: a, params: listingParams(word, form, x) };
    case "unsell":
    case "unauction": {
      const id = await trade.list(word === "unsell" ? "sell" : "auction", a, x);
      return { by: a, params: isItemForm ? { itemdata: [x] } : { id } };
    }
    case "buy": {
      const dexid = await trade.sale(a, x);
      return { by: b, params: isItemForm ? { id: x } : { id: dexid, amount: "2" } };
    }
    case "bid": {
      const dexid = await trade.lot(a, x);
      const bid = { amount: "100" };
      return { by: b, params: isItemForm ? { id: x, token: "0", ...bid } : { id: dexid, ...bid } };
    }
  }
}

for (const word of UNIT_TRADE_WORDS) {
  const isBuying = word === "buy" || word === "bid";
  const name = isBuying ? "buyer" : "seller";
  const aliases = word === "bid" ? ["address", "bidder"] : ["address"];
  for (const form of FORMS) {
    test(`mrc402 §1.2: ${word}, ${form} form: its actor is named as ${name} or ${aliases.join(" or ")}, or by its key alone; its place in the string is filled or empty`, async () => {
      for (const isInString of [true, false]) {
        const { by, params } = await ready(word, form);
        const signedAs = { [name]: isInString ? by.address : "" };
        const request = await trade.request(
          `mrc402${word}`,
          by,
          { ...params, [name]: "" },
          { signedAs },
        );
        assert.equal(unitsSaid(await trade.post(request)), "200", `by key, ${isInString}`);
      }
      for (const alias of [name, ...aliases]) {
        const { by, params } = await ready(word, form);
        const request = renamed(await trade.request(`mrc402${word}`, by, params), {
          [name]: alias,
        });
        assert.equal(unitsSaid(await trade.post(request)), "200", alias);
      }
    });
  }
}

test("mrc402 §11: itemdata by its other name is signed as sent", async () => {
  const x = await trade.x({}, { a: 9 });
  const tkey = await trade.node.key(a);
  const itemdata = `[{"id":"${x}", "price":"30", "token":"0"}]`;
  const signature = signatureOf(`|${itemdata}|${tkey}`, a);
  const answer = await trade.node.post("/mrc402/sell", { "itemdata[]": itemdata, tkey, signature });
  assert.equal(unitsSaid(answer), "200");
});

test("conventions §1.8: in a JSON body itemdata may be an array; what is signed is its compact text", async () => {
  const x = await trade.x({}, { a: 5 });
  const tkey = await trade.node.key(a);
  const itemdata = [{ id: x, amount: 2, price: 30, token: 0 }];
  const signature = signatureOf(`${a.address}|${JSON.stringify(itemdata)}|${tkey}`, a);
  const body = { seller: a.address, itemdata, tkey, signature };
  const selling = () => trade.node.postJson("/mrc402/sell", body);
  assert.equal(unitsSaid(await selling()), "200");
  const key = await trade.node.key(b);
  const buy = { amount: 2, tkey: key, signature: signatureOf(`${x}||2|${key}`, b) };
  const buying = () => trade.node.postJson(`/mrc402/buy/${x}`, buy);
  assert.equal(unitsSaid(await buying()), "200");
  assert.equal(await trade.has(b, x), "2");
});

/** Items and listings, also of A, that somebody cannot do everything with. */
async function obstacles() {
  const project = await trade.project({ allowtoken: "7" });
  const terms = { totalsupply: "5", sell_fee: "91" };
  const temporary = { ...terms, transferable: "Temporary" };
  const [foreign, ended, listed, bound, good, second] = [
    await trade.u(terms, { b: 5 }, project),
    await trade.u(terms, { a: 5 }, project),
    await trade.u(terms, { a: 5 }, project),
    await trade.u(temporary, { a: 5 }, project),
    await trade.u(terms, { a: 5 }, project),
    await trade.u(terms, { a: 5 }, project),
  ];
  const melt = { mrc402id: ended, amount: "5" };
  assert.equal(unitsSaid(await trade.send("mrc402melt", a, melt)), "200");
  await trade.sale(a, listed, { amount: "5" });
  const bind = [{ id: bound, transferable: "Bound" }];
  await trade.done("mrc402itemupdate", trade.roles.o, { mrc400id: project, itemdata: bind });
  return { foreign, ended, listed, bound, good, second };
}

/** Whether a sentence names the position of an element, by any way of counting, and its id. */
function namesElement(answer: Answered, id: string): boolean {
  const { detail } = parsed<{ detail: string }>(answer);
  return detail.includes(id) && /itemdata\[1\]|\b(1|2|second)\b/.test(detail.replaceAll(id, ""));
}

test("mrc402 §1.1: detail names position and id of the element that is to blame, in sell", async () => {
  const { foreign, ended, listed, bound, good, second } = await obstacles();
  const plain = (id: string) => ({ id, price: "30", token: "0", amount: "1" });
  const unnamed: string[] = [];
  for (const [change, answer] of [
    [{ price: "0" }, "400 1101"],
    [{ amount: "0" }, "400 1107"],
    [{ platform_commission: "11" }, "400 3005"],
    [{ platform_address: "MTx" }, "400 3190"],
    [{ id: good }, "400 3004"],
    [{ id: NO_UNIT_ITEM }, "404 6004"],
    [{ platform_address: NOBODY }, "404 3090"],
    [{ token: "99" }, "404 4001"],
    [{ token: "9" }, "400 3005"],
    [{ platform_address: b.address, platform_commission: "10" }, "400 3005"],
    [{ id: foreign }, "403 7001"],
    [{ id: ended }, "409 7110"],
    [{ id: bound }, "409 7109"],
    [{ id: listed }, "409 7108"],
    [{ amount: "6" }, "400 5000"],
  ] as const) {
    const bad = { ...plain(second), ...change };
    const answered = await trade.send("mrc402sell", a, { itemdata: [plain(good), bad] });
    assert.equal(unitsSaid(answered), answer);
    unnamed.push(...(namesElement(answered, bad.id) ? [] : [answered.text]));
  }
  assert.deepEqual(unnamed, []);
});

test("mrc402 §1.1: detail names position and id of the element that is to blame, in unsell", async () => {
  const x = await trade.x({}, { a: 40, b: 10 });
  const several = await trade.x({}, { a: 20 });
  const [good, cancelled, sold, foreign] = [
    await trade.sale(a, x),
    await trade.sale(a, x),
    await trade.sale(a, x),
    await trade.sale(b, x),
  ];
  const other = await trade.lot(a, x);
  await Promise.all([trade.sale(a, several), trade.sale(a, several)]);
  const unnamed: string[] = [];
  assert.equal(unitsSaid(await trade.send("mrc402unsell", a, { id: cancelled })), "200");
  assert.equal(unitsSaid(await trade.buy(d, sold, "10")), "200");
  for (const [id, answer] of [
    [good, "400 3004"],
    [NO_UNIT_LISTING, "404 6004"],
    [foreign, "403 7001"],
    [await trade.x({}, { a: 1 }), "409 7106"],
    [several, "409 7107"],
    [other, "409 7103"],
    [cancelled, "409 7101"],
    [sold, "409 7102"],
  ] as const) {
    const answered = await trade.send("mrc402unsell", a, { itemdata: [good, id] });
    assert.equal(unitsSaid(answered), answer);
    unnamed.push(...(namesElement(answered, id) ? [] : [answered.text]));
  }
  assert.deepEqual(unnamed, []);
});

/** The U of row 51, of which A has put 5 units on auction as in row 49, and what was bid. */
async function row49(
  bids: readonly (readonly [KeyHolder, string])[] = [],
  { terms = {}, lot = {} }: { terms?: Element; lot?: Record<string, string> } = {},
): Promise<{ u: string; dexid: string }> {
  const rates = { creatorcommission: "2.5", sell_fee: "10", totalsupply: "5" };
  const u = await trade.u({ ...rates, ...terms }, { a: 5 });
  return { u, dexid: await trade.lot(a, u, lot, bids) };
}

test("mrc402 §18 row 55: bid with token 7 in an auction for 0: 3004; item form without token, string id|100||tkey: accepted", async () => {
  const { u, dexid } = await row49();
  for (const id of [u, dexid]) {
    assert.equal(
      unitsSaid(await trade.send("mrc402bid", b, { id, amount: "100", token: "7" })),
      "400 3004",
    );
  }
  const tkey = await trade.node.key(b);
  const signature = signatureOf(`${u}|100||${tkey}`, b);
  const bidding = () => trade.node.post(`/mrc402/bid/${u}`, { amount: "100", tkey, signature });
  assert.equal(unitsSaid(await bidding()), "200");
});

test("mrc402 §16: by item |0| and || are different strings; by listing the token is not signed, but must fit", async () => {
  const { u, dexid } = await row49();
  for (const { id, token, string, answer } of [
    { id: u, token: "0", string: (tkey: string) => `${u}|100||${tkey}`, answer: "401 2010" },
    { id: u, token: "", string: (tkey: string) => `${u}|100|0|${tkey}`, answer: "401 2010" },
    {
      id: u,
      token: "0",
      string: (tkey: string) => `${u}|${b.address}|100|${tkey}`,
      answer: "401 2010",
    },
    {
      id: dexid,
      token: "0",
      string: (tkey: string) => `${dexid}|100|0|${tkey}`,
      answer: "401 2010",
    },
    {
      id: dexid,
      token: "7",
      string: (tkey: string) => `${dexid}|${b.address}|100|${tkey}`,
      answer: "400 3004",
    },
    {
      id: dexid,
      token: "0",
      string: (tkey: string) => `${dexid}|${b.address}|100|${tkey}`,
      answer: "200",
    },
  ]) {
    const tkey = await trade.node.key(b);
    const signature = signatureOf(string(tkey), b);
    const params = { bidder: b.address, amount: "100", token, tkey, signature };
    assert.equal(unitsSaid(await trade.node.post(`/mrc402/bid/${id}`, params)), answer);
  }
});

for (const method of ["GET", "POST"] as const) {
  test(`mrc402 §17: ${method} auctionfinish: what it refuses and returns`, async () => {
    const x = await trade.x({}, { a: 5 });
    const dexid = await trade.lot(a, x);
    for (const [id, answer] of [
      [NO_UNIT_LISTING, "404 6004"],
      [NO_UNIT_ITEM, "404 6004"],
      ["DEX402_x", "404 6004"],
      ["sell", "404 6004"],
      [dexid, "409 7201"],
      [x, "409 7201"],
    ] as const) {
      assert.equal(unitsSaid(await trade.finish(id, method)), answer, id);
    }
    trade.node.now = (await trade.listing(dexid)).auction_end_date;
    const answer = await trade.finish(method === "GET" ? x : dexid, method);
    assert.equal(unitsSaid(answer), "200");
    const id = answer.headers.get("transaction-id");
    assert.deepEqual(parsed(answer), { transaction_id: id, txid: id });
    assert.match(answer.headers.get("content-type") ?? "", /^application\/json/);
    assert.match(answer.headers.get("cache-control") ?? "", /no-store/);
    assert.equal(answer.headers.has("replay-nonce"), false);
  });
}

test("mrc402 §17: a node that finishes auctions settles each that is over, and no other", async () => {
  await using node = await TestNode.start("--finish-auctions", "yes");
  const [seller, bidder] = [await node.holder(), await node.holder({ coins: 1000n })];
  const sent = async (operation: string, by: KeyHolder, params: RequestParams) => {
    const request = await signedRequest(node, operation, by, params);
    const answer = await sendRequest(node, request);
    assert.equal(unitsSaid(answer), "200");
    return { answer, tkey: request.tkey };
  };
  const created = await sent("mrc402create", seller, { ...ART, totalsupply: "15" });
  const { mrc402id: id } = parsed<{ mrc402id: string }>(created.answer);
  const end = node.now + UNIT_AUCTION_MIN;
  const lot = async (after: number) => {
    const terms = { ...LOT, auction_end_date: String(end + after) };
    const { tkey } = await sent("mrc402auction", seller, { id, ...terms });
    return unitListingIdOf(seller.address, tkey);
  };
  const dexids = [await lot(0), await lot(0), await lot(100)] as const;
  await sent("mrc402bid", bidder, { id: dexids[0], amount: "105" });
  node.now = end;
  const states = async () =>
    (await Promise.all(dexids.map((dexid) => unitListing(node, dexid)))).map(({ state }) => state);
  const opened = async () => (await states()).filter((state) => state === "open").length;
  for (const end = Date.now() + 120_000; (await opened()) > 1; ) {
    assert.ok(Date.now() < end, "auctions close by themselves");
    await node.pay(bidder, 1n);
    await setTimeout(100);
  }
  assert.deepEqual(await states(), ["sold", "failed", "open"]);
  assert.deepEqual(await node.balances(seller, "0"), ["105"]);
});
