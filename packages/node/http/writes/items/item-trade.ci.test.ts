import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Element } from "../../../../ledger/testing/trade/creations.ts";
import { AUCTION } from "../../../../ledger/testing/trade/item-terms.ts";
import {
  type Cast,
  createItems,
  createProject,
  itemCast,
  itemRecord,
} from "../../../testing/requests/item-requests.ts";
import { Parties } from "../../../testing/requests/parties.ts";
import { sendRequest, signedRequest } from "../../../testing/requests/signed-request.ts";
import { TemporaryDirectory } from "../../../testing/temporary-directory.ts";
import {
  type KeyHolder,
  refusalCode,
  START,
  summaryOf,
  TestNode,
} from "../../../testing/test-node.ts";

// How trades of items are sent, signed and answered: mrc401 §1, §9 to §17. What they do: ledger/rules/items.

let parties: Parties;
let node: TestNode;
let cast: Cast;
let a: KeyHolder;
let b: KeyHolder;
let d: KeyHolder;
before(async () => {
  parties = await Parties.open();
  ({ node } = parties);
  cast = await itemCast(parties, 1_000_000n);
  ({ a, b, d } = cast);
});
after(() => parties[Symbol.asyncDispose]());

/** A fresh item that O created, with a sell_fee of 10. */
async function fresh(terms: Element = {}): Promise<string> {
  const [id = ""] = await createItems(node, cast.q, cast.o, [{ sell_fee: "10", ...terms }]);
  return id;
}

/** The X of mrc401 §18, which A holds. */
async function x(terms: Element = {}): Promise<string> {
  const mrc401id = await fresh(terms);
  await parties.done("mrc401transfer", cast.o, { mrc401id, toAddr: a.address });
  return mrc401id;
}

/** Puts an item on sale for 300, or on auction as in row 68. */
async function listed(word: "sell" | "auction", by: KeyHolder, id: string): Promise<string> {
  const itemdata = [{ id, ...(word === "sell" ? { price: "300", token: "0" } : AUCTION) }];
  await parties.done(`mrc401${word}`, by, { itemdata });
  return id;
}

/** An X on auction after row 68: B bid 100, D 105. The auction is over. */
async function row68(): Promise<string> {
  const mrc401id = await listed("auction", a, await x());
  await parties.done("mrc401bid", b, { mrc401id, amount: "100" });
  await parties.done("mrc401bid", d, { mrc401id, amount: "105" });
  node.now = (await itemRecord(node, mrc401id)).auction_end;
  return mrc401id;
}

async function assertItem(id: string, fields: object): Promise<void> {
  const item = await itemRecord(node, id);
  assert.deepEqual(item, { ...item, ...fields });
}

// Names, places and paths.

test("mrc401 §9: both an id in the path and itemdata: 1005; neither: 1000", async () => {
  const id = await x();
  const params = { fromAddr: a.address, toAddr: b.address, tkey: await node.key(a) };
  const signed = await node.shortlySigned(a, ["fromAddr"], params);
  const both = { ...signed, itemdata: JSON.stringify([id]) };
  assert.equal(refusalCode(await node.post(`/mrc401/transfer/${id}`, both)), "400 1005");
  assert.equal(refusalCode(await node.post("/mrc401/transfer", signed)), "400 1000");
});

test("mrc401 §17: HEAD on auctionfinish: 405 9405, nothing closed; PUT and DELETE too", async () => {
  const id = await row68();
  const item = await itemRecord(node, id);
  for (const method of ["HEAD", "PUT", "DELETE"]) {
    const answer = await node.request(`/mrc401/auctionfinish/${id}`, { method });
    assert.equal(answer.status, 405);
    assert.deepEqual(answer.headers.get("allow")?.split(", ").toSorted(), ["GET", "POST"]);
    assert.equal(method === "HEAD" ? "405 9405" : refusalCode(answer), "405 9405");
  }
  assert.deepEqual(await itemRecord(node, id), item);
});

for (const method of ["GET", "POST"] as const) {
  test(`mrc401 §17: ${method} on auctionfinish closes, and is a write: no-store, no ETag, no key, a block more`, async () => {
    const id = await row68();
    const height = await node.height();
    const { status, headers, text } = await node.request(`/mrc401/auctionfinish/${id}/`, {
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
    await assertItem(id, { owner: d.address });
  });
}

test("mrc401 §14: block 0 can set the length of auctions to 5 to 60 seconds", async () => {
  using directory = new TemporaryDirectory("genesis");
  const file = join(directory.path, "genesis.json");
  const made = JSON.parse(readFileSync(join(node.data, "genesis.json"), "utf8")) as object;
  writeFileSync(file, JSON.stringify({ ...made, auctionMin: 5, auctionMax: 60 }));
  await using short = await TestNode.start("--genesis", file);
  const holder = await short.holder();
  const ids = await createItems(short, await createProject(short, holder), holder, [{}, {}, {}]);
  const lengths = [0, 7, 61];
  const itemdata = ids.map((id, n) => ({ id, ...AUCTION, end: START + (lengths[n] ?? 0) }));
  const answer = await sendRequest(
    short,
    await signedRequest(short, "mrc401auction", holder, { itemdata }),
  );
  assert.equal(summaryOf(answer), "200");
  const ends = await Promise.all(ids.map(async (id) => (await itemRecord(short, id)).auction_end));
  assert.deepEqual(
    ends.map((end) => end - START),
    [5, 7, 60],
  );
});
