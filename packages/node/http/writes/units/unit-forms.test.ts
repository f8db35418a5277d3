import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ART } from "../../../../ledger/testing/trade/creations.ts";
import {
  LOT,
  NO_UNIT_ITEM,
  UNIT_AUCTION_MIN,
  unitListingIdOf,
} from "../../../../ledger/testing/trade/unit-terms.ts";
import { createItems } from "../../../testing/requests/item-requests.ts";
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
  type KeyHolder,
  type Params,
  parsed,
  signatureOf,
  summaryOf,
  TestNode,
} from "../../../testing/test-node.ts";
import { until } from "../../../testing/until.ts";

// HTTP of units: routes and keys. Signed strings and other names of parameters: request-matrix.test.ts.

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

test("conventions §8.6: buy with buyer absent, key of B, string id|tkey signed by B: B buys", async () => {
  const x = await trade.x({}, { a: 1 });
  await trade.sale(a, x, { amount: "1" });
  const tkey = await trade.node.key(b);
  const signature = signatureOf(`${x}|${tkey}`, b);
  const buying = () => trade.node.post(`/mrc402/buy/${x}`, { tkey, signature });
  assert.equal(unitsSummary(await buying()), "200");
  assert.equal(await trade.has(b, x), "1");
});

test("mrc402 §1.1: detail names position and id of the element with the fault, in sell", async () => {
  const [good, second] = [await trade.x({}, { a: 5 }), await trade.x({}, { a: 5 })];
  const plain = (id: string) => ({ id, price: "30", token: "0", amount: "1" });
  for (const [change, answer] of [
    [{ price: "0" }, "400 1101"],
    [{ id: NO_UNIT_ITEM }, "404 6004"],
    [{ amount: "6" }, "400 5000"],
  ] as const) {
    const bad = { ...plain(second), ...change };
    const answered = await trade.send("mrc402sell", a, { itemdata: [plain(good), bad] });
    assert.equal(unitsSummary(answered), answer);
    const { detail } = parsed<{ detail: string }>(answered);
    assert.ok(detail.includes(bad.id), detail);
    assert.match(detail.replaceAll(bad.id, ""), /itemdata\[1\]|\b(1|2|second)\b/);
  }
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
  await until(async () => {
    await node.pay(bidder, 1n);
    return (await opened()) === 1;
  }, "auctions close by themselves");
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

test("conventions §3, mrc402 §2.1: an id of another kind is not found: 6004", async () => {
  const [unique = ""] = await createItems(trade.node, cast.project, o, [{}]);
  const u = await trade.item(cast.project, o);
  const dexid = await trade.list("sell", o, u, { amount: "1" });
  for (const path of [
    ...[cast.project, unique, dexid].flatMap((id) => [`/mrc402/${id}`, `/mrc402/holders/${id}`]),
    ...[`/mrc401/${u}`, `/mrc400/${u}`, `/mrc402/dex/${u}`],
  ]) {
    assert.match(summaryOf(await trade.node.get(path)), /^404 6004/, path);
  }
});
