import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { Element } from "../../../../ledger/testing/trade/creations.ts";
import { type ItemShown, numberOf } from "../../../../ledger/testing/trade/item-terms.ts";
import {
  type Cast,
  Collection,
  itemRequest,
  type Role,
  renamed,
} from "../../../testing/requests/item-requests.ts";
import {
  changed,
  type RequestParams,
  type RequestSigning,
} from "../../../testing/requests/signed-request.ts";
import {
  type Answered,
  said,
  saidCode,
  signatureOf,
  type TestNode,
  transactionIdOf,
} from "../../../testing/test-node.ts";

// How an update of items is signed, sent, answered and repeated: mrc401 §1, §8.

let collection: Collection;
let node: TestNode;
let cast: Cast;
let q: string;
/** An item of Q with something in every field that can be updated, and its number. */
let x: string;
const X = numberOf(1);
let stored: ItemShown;
before(async () => {
  collection = await Collection.open();
  node = collection.node;
});
after(() => collection[Symbol.asyncDispose]());
beforeEach(async () => {
  cast = await collection.cast();
  ({ q } = cast);
  x = await collection.item(q, cast.o, {
    item_id: X,
    item_url: "https://rpg.example/1",
    item_image_url: "ipfs://1",
    groupid: "sword",
    sell_fee: "10",
    melt_fee: "2.5",
    transferable: "Temporary",
    initial_reserve: "100",
  });
  stored = await collection.record(x);
});

function update(
  role: Role,
  itemdata: string | readonly unknown[],
  params: RequestParams = {},
  signing?: RequestSigning,
): Promise<Answered> {
  return collection.send("update", cast[role], { mrc400id: q, itemdata, ...params }, signing);
}

async function answered(...of: Parameters<typeof update>): Promise<string> {
  return said(await update(...of));
}

/** O updates X. */
function change(element: Element): Promise<string> {
  return answered("o", [{ item_id: X, ...element }]);
}

async function assertStored(fields: Partial<ItemShown>): Promise<void> {
  assert.deepEqual(await collection.record(x), { ...stored, ...fields });
}

test("mrc401 §8: what does not exist comes before key and signature, the right to update after both", async () => {
  const itemdata = [{ item_id: X, groupid: "b" }];
  await collection.mending("update", { by: cast.a, stranger: cast.b }, [
    [{ mrc400id: `MRC400_${"0".repeat(33)}`, itemdata, tkey: "abc" }, "404 6004"],
    [{ mrc400id: q }, "key"],
    [{}, "403 7002"],
  ]);
});

test("mrc401 §1.2, §8: keys and signatures of others; the signed string; names of the actor", async () => {
  const { o, p, a } = cast;
  const itemdata = JSON.stringify([{ item_id: X, groupid: "b" }]);
  const foreign = { tkey: await node.key(a) };
  assert.equal(await answered("o", itemdata, foreign, { by: a }), "401 2020 tkey");
  assert.equal(await answered("o", itemdata, {}, { by: a }), "401 2010 signature");
  assert.equal(await answered("o", itemdata, { creator: "" }, { by: a }), "401 2010 signature");
  assert.equal(await answered("a", itemdata, { creator: "" }), "403 7002 itemdata[0]");
  const tkey = await node.key(o);
  const signature = signatureOf(`${o.address}|${q}|${itemdata}|${tkey}`, o);
  assert.equal(
    said(await node.put(`/mrc401/${q}`, { itemdata, tkey, signature })),
    "401 2010 signature",
  );
  const request = await collection.request("update", o, { mrc400id: q, itemdata });
  const twice = changed(request, { owner: p.address });
  assert.equal(said(await collection.post(twice)), "400 1005 creator");
  await assertStored({});
  for (const [n, name] of ["creator", "owner", "address"].entries()) {
    for (const list of ["itemdata", "itemdata[]"]) {
      const params = { mrc400id: q, itemdata: [{ item_id: X, groupid: `${n}${list}` }] };
      const named = await collection.request("update", o, params);
      const other = renamed(named, { creator: name, itemdata: list });
      assert.equal(said(await collection.post(other)), "200");
    }
  }
});

test("mrc401 §1.3: create and update share a signed string, full signatures and keys of a kind tell them apart", async () => {
  const { o } = cast;
  const itemdata = JSON.stringify([{ item_id: numberOf(2), groupid: "b" }]);
  const short = await collection.request("create", o, { mrc400id: q, itemdata });
  const full = await collection.request("create", o, { mrc400id: q, itemdata }, { signed: "full" });
  await collection.item(q, o, { item_id: numberOf(2) });
  assert.equal(said(await collection.post({ ...full, method: "PUT" })), "401 2010 signature");
  assert.equal(said(await collection.post({ ...short, method: "PUT" })), "200");
  const group = (groupid: string): Element[] => [{ item_id: X, groupid }];
  const wrong = { tkey: await node.key(o, "mrc401create") };
  assert.equal(await answered("o", group("c"), wrong), "401 2020 tkey");
  const right = { tkey: await node.key(o, "mrc401update") };
  assert.equal(await answered("o", group("c"), right), "200");
});

test("mrc401 §8: itemdata as an array in a JSON body", async () => {
  const itemdata = [{ item_id: X, groupid: 'é"' }];
  const { path, params } = await itemRequest(node, "update", cast.o, { mrc400id: q, itemdata });
  const body = JSON.stringify({ ...params, itemdata });
  const headers = { "Content-Type": "application/json" };
  assert.equal(said(await node.request(`${path}/`, { method: "PUT", body, headers })), "200");
  await assertStored({ groupid: 'é"' });
});

test("mrc401 §1.1: a repeat is answered as the first time; its key serves nothing else", async () => {
  const tkey = await node.key(cast.o);
  const itemdata = [{ item_id: X, groupid: "b" }];
  const first = transactionIdOf(await update("o", itemdata, { tkey }));
  assert.equal(await change({ groupid: "c" }), "200");
  const height = await node.height();
  assert.equal(transactionIdOf(await update("o", itemdata, { tkey })), first);
  assert.equal(await node.height(), height);
  assert.equal(await answered("o", [{ item_id: X, groupid: "d" }], { tkey }), "409 2021 tkey");
  await assertStored({ groupid: "c" });
});

for (const { name, changes, lost } of [
  { name: "the same", changes: ["Bound", "Bound"], lost: "400 4900" },
  { name: "two that exclude each other", changes: ["Bound", "Permanent"], lost: "400 3005" },
]) {
  test(`mrc401 §8: ${name} at the same time: one is done`, async () => {
    for (let round = 0; round < 6; round++) {
      const id = await collection.item(q, cast.o, { transferable: "Temporary" });
      const sends = [];
      for (const transferable of changes) {
        const params = { mrc400id: q, itemdata: [{ id, transferable }] };
        sends.push(await collection.ready("update", cast.o, params));
      }
      const answers = (await Promise.all(sends.map((send) => send()))).map(saidCode);
      assert.deepEqual([...answers].sort(), ["200", lost]);
      const { transferable } = await collection.record(id);
      assert.equal(transferable, changes[answers.indexOf("200")]);
    }
  });
}
