import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { ART } from "../../../../ledger/testing/trade/creations.ts";
import { NOBODY } from "../../../../ledger/testing/trade/item-terms.ts";
import {
  LOT,
  NO_UNIT_ITEM,
  UNIT_AUCTION_MIN,
  unitListingIdOf,
} from "../../../../ledger/testing/trade/unit-terms.ts";
import {
  type RequestParams,
  sendRequest,
  signedRequest,
} from "../../../testing/requests/signed-request.ts";
import {
  type UnitCast,
  Units,
  unitListing,
  unitsSummary,
} from "../../../testing/requests/unit-requests.ts";
import {
  type Answered,
  type KeyHolder,
  type Params,
  parsed,
  signatureOf,
  summaryOf,
  TestNode,
} from "../../../testing/test-node.ts";

// HTTP of units: routes, keys and messages. Signed strings and other names of parameters: test-vectors.ci.test.ts, request-matrix.test.ts.

let trade: Units;
let a: KeyHolder;
let b: KeyHolder;
let c: KeyHolder;
let o: KeyHolder;
let cast: UnitCast;
before(async () => {
  trade = await Units.open({ tokens: 9 });
  cast = await trade.cast({ coins: 1_000_000n });
  ({ a, b, c, o } = cast);
});
after(() => trade[Symbol.asyncDispose]());

test("mrc402 §18 row 63: buy with buyer absent, key of B, string id|tkey signed by B: B buys", async () => {
  const x = await trade.x({}, { a: 1 });
  await trade.sale(a, x, { amount: "1" });
  const tkey = await trade.node.key(b);
  const signature = signatureOf(`${x}|${tkey}`, b);
  const buying = () => trade.node.post(`/mrc402/buy/${x}`, { tkey, signature });
  assert.equal(unitsSummary(await buying()), "200");
  assert.equal(await trade.has(b, x), "1");
});

/** Items and listings, some of A, each with another obstacle. */
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
  assert.equal(unitsSummary(await trade.send("mrc402melt", a, melt)), "200");
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
    assert.equal(unitsSummary(answered), answer);
    unnamed.push(...(namesElement(answered, bad.id) ? [] : [answered.text]));
  }
  assert.deepEqual(unnamed, []);
});

test("mrc402 §17: a node that finishes auctions settles each that is over, and no other", async () => {
  await using node = await TestNode.start("--finish-auctions", "yes");
  const [seller, bidder] = [await node.holder(), await node.holder({ coins: 1000n })];
  const sent = async (operation: string, by: KeyHolder, params: RequestParams) => {
    const request = await signedRequest(node, operation, by, params);
    const answer = await sendRequest(node, request);
    assert.equal(unitsSummary(answer), "200");
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

test("mrc402 §5: POST /mrc402/{mrc400id} and POST /mrc402 with mrc400id are the same; without it 1000, without itemdata 1000", async () => {
  for (const signed of ["short", "full"] as const) {
    const params = { mrc400id: cast.project, itemdata: "[{}]" };
    const inPath = await trade.request("mrc402create", o, params, { signed });
    assert.equal(summaryOf(await trade.post(inPath)), "200");
    const inBody = await trade.request("mrc402create", o, params, { signed });
    const body = { ...inBody.params, mrc400id: cast.project };
    const answer = await trade.node.post("/mrc402", body);
    assert.equal(summaryOf(answer), "200");
    const again = await trade.post(inBody);
    assert.deepEqual([again.status, again.text], [200, answer.text], "a repeat, too");
    const other = { ...inBody.params, mrc400id: `MRC400_${"0".repeat(33)}` };
    assert.equal(summaryOf(await trade.node.post(inBody.path, other)), "400 1005 mrc400id");
  }
  const { params } = await trade.request("mrc402create", o, { itemdata: "[{}]" });
  assert.equal(summaryOf(await trade.node.post("/mrc402", params)), "400 1000 mrc400id");
  for (const itemdata of ["", undefined]) {
    const { itemdata: _, ...rest } = params as Params;
    const body = { ...rest, ...(itemdata === undefined ? {} : { itemdata }) };
    const answer = await trade.node.post(`/mrc402/${cast.project}`, body);
    assert.equal(summaryOf(answer), "400 1000 itemdata");
  }
});

// Forms of requests.

test("mrc402 §9: PUT /mrc402/{mrc402id} is PUT /mrc402/update/{mrc402id}, in short and full signature", async () => {
  const x = await trade.alone(c);
  for (const signed of ["short", "full"] as const) {
    const params = { mrc402id: x, data: signed };
    const request = await trade.request("mrc402update", c, params, { signed });
    assert.equal(summaryOf(await trade.post({ ...request, path: `/mrc402/${x}` })), "200");
    assert.equal((await trade.record(x)).data, signed);
  }
});
