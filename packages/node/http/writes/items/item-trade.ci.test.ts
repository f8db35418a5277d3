import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { AUCTION, NO_ITEM } from "../../../../ledger/testing/trade/item-terms.ts";
import {
  createItems,
  createProject,
  itemRecord,
  itemRequest,
} from "../../../testing/requests/item-requests.ts";
import { ItemTrade, type TradeWord } from "../../../testing/requests/item-trade.ts";
import { type RequestParams, sendRequest } from "../../../testing/requests/signed-request.ts";
import { TemporaryDirectory } from "../../../testing/temporary-directory.ts";
import {
  type Answered,
  type KeyHolder,
  type Params,
  START,
  said,
  saidCode,
  signatureOf,
  TestNode,
  transactionIdOf,
} from "../../../testing/test-node.ts";

// How trades of items are sent, signed and answered: mrc401 §1, §9 to §17. What they do: ledger/rules/items.

let trade: ItemTrade;
let a: KeyHolder;
let b: KeyHolder;
let d: KeyHolder;
before(async () => {
  trade = await ItemTrade.open();
  ({ a, b, d } = trade.cast);
});
after(() => trade[Symbol.asyncDispose]());
afterEach(() => trade.assertConserved());

// Who has to have signed what: conventions §4 and §5, mrc401 §1.2 and §1.3.

/** A request of each operation that would be accepted: whose it is and what it says. */
async function acceptable(word: TradeWord): Promise<{ by: KeyHolder; params: RequestParams }> {
  const toAddr = d.address;
  switch (word) {
    case "transfer":
      return { by: a, params: { mrc401id: await trade.x(), toAddr } };
    case "transferBatch":
      return { by: a, params: { itemdata: [await trade.x(), await trade.x()], toAddr } };
    case "sell": {
      const itemdata = [{ id: await trade.x(), price: "300", token: "0" }];
      return { by: a, params: { mrc400id: trade.cast.q, itemdata } };
    }
    case "auction": {
      const itemdata = [{ id: await trade.x(), ...AUCTION, end: "0" }];
      return { by: a, params: { mrc400id: trade.cast.q, itemdata } };
    }
    case "unsell":
      return { by: a, params: { mrc400id: trade.cast.q, itemdata: [await trade.onSale()] } };
    case "unauction":
      return { by: a, params: { mrc400id: trade.cast.q, itemdata: [await trade.onAuction()] } };
    case "buy":
      return { by: b, params: { mrc401id: await trade.onSale(), price: "300", token: "0" } };
    case "melt":
      return { by: a, params: { mrc401id: await trade.x() } };
    case "bid":
      return { by: b, params: { mrc401id: await trade.onAuction(), amount: "100", token: "0" } };
  }
}

test("mrc401 §18 row 77: bid without token, signed X|100||tkey: accepted; without amount: 1000", async () => {
  const x = await trade.onAuction();
  const tkey = await trade.node.key(b);
  const body = { tkey, signature: signatureOf(`${x}|100||${tkey}`, b) };
  const path = `/mrc401/bid/${x}`;
  assert.equal(said(await trade.node.post(path, body)), "400 1000 amount");
  const bidding = () => trade.node.post(path, { ...body, amount: "100" });
  assert.equal(await trade.outcome(bidding), "200: b -100");
});

test("mrc401 §13: melt without address, key of A, signed X|tkey by A: melted for A", async () => {
  const x = await trade.x({ initial_reserve: "5" });
  const tkey = await trade.node.key(a);
  const body = { tkey, signature: signatureOf(`${x}|${tkey}`, a) };
  const melting = () => trade.node.post(`/mrc401/melt/${x}`, body);
  assert.equal(await trade.outcome(melting), "200: a +5");
});

test("mrc401 §1.3: a short signature of buy is one of melt; a full one and a key bound to one of them are not", async () => {
  const { node, collection } = trade;
  const mrc401id = await trade.x();
  const path = `/mrc401/melt/${mrc401id}`;
  const buying = { mrc401id };
  const full = await collection.request("buy", a, buying, { signed: "full" });
  // `buyer` is unknown to melt.
  assert.equal(saidCode(await node.post(path, full.params)), "400 1008");
  const tkey = await node.key(a, "mrc401buy");
  const bound = await collection.request("buy", a, { ...buying, tkey });
  assert.equal(saidCode(await node.post(path, bound.params)), "401 2020");
  const short = await collection.request("buy", a, buying);
  assert.equal(saidCode(await node.post(path, short.params)), "200");
});

test("mrc401 §18 row 51: buy without buyer, key of B, signed X|tkey by B: B buys", async () => {
  const x = await trade.onSale();
  const tkey = await trade.node.key(b);
  const signature = signatureOf(`${x}|${tkey}`, b);
  const buying = () => trade.node.post(`/mrc401/buy/${x}`, { tkey, signature });
  assert.equal(await trade.outcome(buying), "200: o +30, a +270, b -300");
});

for (const place of ["", "A"]) {
  test(`mrc401 §18 row 52: sell without seller, signed ${place}|itemdata|tkey: accepted`, async () => {
    const x = await trade.x();
    const tkey = await trade.node.key(a);
    const itemdata = `[ {"id":"${x}", "price":"300","token":"0"} ]`;
    const signature = signatureOf([place && a.address, itemdata, tkey].join("|"), a);
    const selling = () => trade.node.post("/mrc401/sell", { itemdata, tkey, signature });
    assert.equal(await trade.outcome(selling), "200");
    await trade.assertItem(x, { sell_price: "300" });
  });
}

test('mrc401 §18 row 39: batch transfer signed A|B|["…","…"]|tkey: both moved', async () => {
  const ids = [await trade.x(), await trade.x()];
  const tkey = await trade.node.key(a);
  const params = { fromAddr: a.address, toAddr: b.address, itemdata: JSON.stringify(ids), tkey };
  const fields = ["fromAddr", "toAddr", "itemdata", "tkey"];
  const request = await trade.node.shortlySigned(a, fields, params);
  assert.equal(await trade.outcome(() => trade.node.post("/mrc401/transfer/", request)), "200");
  for (const id of ids) {
    await trade.assertItem(id, { owner: b.address, holder: b.address });
  }
});

for (const word of ["sell", "unsell", "auction", "unauction"] as const) {
  test(`mrc401 §1.2: ${word} by S, unnamed: the place in the signed string is empty, or has S`, async () => {
    const { o, s } = trade.cast;
    for (const seller of ["", s.address]) {
      const id = await trade.fresh();
      if (word.startsWith("un")) {
        assert.equal(said(await trade[word.slice(2) as "sell" | "auction"](o, id)), "200");
      }
      const itemdata = word.startsWith("un") ? [id] : [{ id, price: "300", ...AUCTION }];
      const params = { itemdata, seller: "" };
      const other = { signedAs: { seller: o.address } };
      assert.equal(saidCode(await trade.collection.send(word, s, params, other)), "401 2010");
      const answer = await trade.collection.done(word, s, params, { signedAs: { seller } });
      const { address, parameters } = await trade.node.transaction(transactionIdOf(answer));
      assert.deepEqual([address, parameters[1]], [s.address, s.address]);
    }
  });
}

// Names, places and paths.

test("mrc401 §9: both an id in the path and itemdata: 1005; neither: 1000", async () => {
  const x = await trade.x();
  const params = { fromAddr: a.address, toAddr: b.address, tkey: await trade.node.key(a) };
  const signed = await trade.node.shortlySigned(a, ["fromAddr"], params);
  const both = { ...signed, itemdata: JSON.stringify([x]) };
  assert.equal(saidCode(await trade.node.post(`/mrc401/transfer/${x}`, both)), "400 1005");
  assert.equal(saidCode(await trade.node.post("/mrc401/transfer", signed)), "400 1000");
});

for (const word of ["sell", "unsell", "auction", "unauction"] as const) {
  test(`mrc401 §18 row 59: ${word} takes a project as a parameter, or none`, async () => {
    const { by, params } = await acceptable(word);
    const { path, params: sent } = await trade.collection.request(word, by, {
      ...params,
      mrc400id: "",
    });
    const unknown = { ...sent, mrc400id: NO_ITEM.slice(0, 40) };
    assert.equal(said(await trade.node.post(path, unknown)), "404 6004 mrc400id");
    const { mrc400id: _, ...without } = sent as Params;
    assert.equal(said(await trade.node.post(`${path}/`, without)), "200");
  });
}

// biome-ignore format: a line for each case
for (const { what, id } of [
  { what: "a project's id", id: () => trade.cast.q },
  { what: "81 characters that no item has", id: () => NO_ITEM },
  { what: "an item number that its project has not", id: () => `${trade.cast.q}_${"0".repeat(40)}` },
  { what: "an id of MRC402", id: () => `MRC402_${"0".repeat(33)}` },
  { what: "80 characters", id: () => NO_ITEM.slice(1) },
  { what: "text", id: () => "%F0%9F%98%80" },
]) {
  test(`mrc401 §18 row 79: GET /mrc401/ and auctionfinish of ${what}: 404 6004`, async () => {
    const { node } = trade;
    assert.equal(saidCode(await node.get(`/mrc401/${id()}`)), "404 6004");
    assert.equal(said(await node.get(`/mrc401/auctionfinish/${id()}`)), "404 6004 mrc401id");
  });
}

test("mrc401 §18 row 78: HEAD on auctionfinish: 405 9405, nothing closed; PUT and DELETE too", async () => {
  const x = await trade.row68();
  await trade.untilEnd(x);
  const item = await trade.record(x);
  for (const method of ["HEAD", "PUT", "DELETE"]) {
    const answer = await trade.node.request(`/mrc401/auctionfinish/${x}`, { method });
    assert.equal(answer.status, 405);
    assert.deepEqual(answer.headers.get("allow")?.split(", ").toSorted(), ["GET", "POST"]);
    assert.equal(method === "HEAD" ? "405 9405" : saidCode(answer), "405 9405");
  }
  assert.deepEqual(await trade.record(x), item);
});

for (const method of ["GET", "POST"] as const) {
  test(`mrc401 §18 row 78: ${method} on auctionfinish closes, and is a write: no-store, no ETag, no key, a block more`, async () => {
    const x = await trade.row68();
    await trade.untilEnd(x);
    const height = await trade.node.height();
    const { status, headers, text } = await trade.node.request(`/mrc401/auctionfinish/${x}/`, {
      method,
      headers: { "If-None-Match": "*" },
    });
    assert.equal(status, 200, text);
    assert.equal(headers.get("cache-control"), "no-store");
    assert.equal(headers.has("etag"), false);
    assert.equal(headers.has("replay-nonce"), false);
    assert.equal(headers.get("ledger-height"), String(height + 1));
    const transaction_id = headers.get("transaction-id");
    assert.deepEqual(JSON.parse(text), { transaction_id, txid: transaction_id });
    await trade.assertItem(x, { owner: d.address });
  });
}

test("mrc401 §18 row 50: of 20 buyers at once one gets X, the others 7106", async () => {
  const x = await trade.onSale({ transferable: "Temporary" });
  const buyers = await Promise.all(Array.from({ length: 20 }, () => trade.collection.holder(300n)));
  const sends = await Promise.all(
    buyers.map((buyer) => trade.collection.ready("buy", buyer, { mrc401id: x })),
  );
  const answers: string[] = [];
  const outcome = await trade.outcome(async () => {
    const sent = await Promise.all(sends.map((send) => send()));
    answers.push(...sent.map(saidCode));
    return sent.find(({ status }) => status === 200) as Answered;
  });
  assert.equal(outcome, "200: o +30, a +270");
  assert.deepEqual(answers.toSorted(), ["200", ...Array(19).fill("409 7106")]);
  const winner = buyers[answers.indexOf("200")];
  assert.equal((await trade.record(x)).owner, winner?.address);
  const held = await Promise.all(buyers.map((buyer) => trade.collection.held(buyer)));
  assert.deepEqual(
    held,
    answers.map((answer) => (answer === "200" ? "0" : "300")),
  );
});

test("mrc401 §14: a deployment whose block 0 says so has auctions of 5 to 60 seconds", async () => {
  using directory = new TemporaryDirectory("genesis");
  const file = join(directory.path, "genesis.json");
  const made = JSON.parse(readFileSync(join(trade.node.data, "genesis.json"), "utf8")) as object;
  writeFileSync(file, JSON.stringify({ ...made, auctionMin: 5, auctionMax: 60 }));
  await using node = await TestNode.start("--genesis", file);
  const holder = await node.holder();
  const ids = await createItems(node, await createProject(node, holder), holder, [{}, {}, {}]);
  const lengths = [0, 7, 61];
  const itemdata = ids.map((id, n) => ({ id, ...AUCTION, end: START + (lengths[n] ?? 0) }));
  const answer = await sendRequest(node, await itemRequest(node, "auction", holder, { itemdata }));
  assert.equal(said(answer), "200");
  const ends = await Promise.all(ids.map(async (id) => (await itemRecord(node, id)).auction_end));
  assert.deepEqual(
    ends.map((end) => end - START),
    [5, 7, 60],
  );
});
