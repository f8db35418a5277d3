import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createItems, createProject } from "../../testing/requests/item-requests.ts";
import { allOf } from "../../testing/requests/parties.ts";
import { Units } from "../../testing/requests/unit-requests.ts";
import {
  type KeyHolder,
  type Params,
  type RecordPart,
  type TestNode,
  transactionIdOf,
} from "../../testing/test-node.ts";

// The histories of items, listings and projects: chain §10.

type Entry = RecordPart & { readonly id: string; readonly item?: string };

let units: Units;
let node: TestNode;
let seller: KeyHolder;
let buyer: KeyHolder;

before(async () => {
  units = await Units.open();
  node = units.node;
  seller = await units.holder(10_000n);
  buyer = await units.holder(10_000n);
});
after(() => units[Symbol.asyncDispose]());

async function lifeOf(id: string, query: Params = {}): Promise<readonly Entry[]> {
  return await allOf<Entry>(node, `/item/${id}/transactions`, query);
}

test("chain §10: the life of an item: each of its records with its place, the newest first", async () => {
  const project = await createProject(node, seller, {});
  const [item = "", other = ""] = await createItems(node, project, seller, [{}, {}]);
  await units.done("mrc401sell", seller, {
    itemdata: [item, other].map((id) => ({ id, price: "5", token: "0" })),
  });
  const bought = transactionIdOf(await units.send("mrc401buy", buyer, { mrc401id: item }));
  const life = await lifeOf(item);
  assert.deepEqual(
    life.map(({ type, item: of }) => `${type} ${of}`),
    ["mrc401_buy", "mrc401_sell", "mrc401_create"].map((type) => `${type} ${item}`),
  );
  const { effects, ...primary } = await node.transaction(bought);
  const effect = effects.find((each) => (each as Entry).item === item);
  assert.deepEqual(life[0], { ...primary, ...effect });
  assert.deepEqual(
    (await lifeOf(other)).map(({ type }) => type),
    ["mrc401_sell", "mrc401_create"],
  );
  // A project has its own records, not those of its items.
  assert.deepEqual(
    (await lifeOf(project)).map(({ type }) => type),
    ["mrc400_create"],
  );
  assert.deepEqual(await lifeOf(item, { limit: "1" }), life);
  assert.deepEqual(await lifeOf(item, { type: "mrc401_sell,mrc401_create" }), life.slice(1));
  assert.deepEqual(await lifeOf(item, { type: "transfer" }), []);
  assert.deepEqual(await lifeOf(item, { until: String(node.now - 86_400) }), []);
  assert.deepEqual(await lifeOf(item, { since: "0", until: String(node.now) }), life);
});

test("chain §10: the life of a multi-unit item has that of its listings, each listing its own", async () => {
  const item = await units.alone(seller, { totalsupply: "9" });
  const [first = "", second = ""] = [
    await units.list("sell", seller, item, { amount: "3" }),
    await units.list("sell", seller, item, { amount: "2" }),
  ];
  const life = await lifeOf(item);
  assert.deepEqual(
    life.map(({ type, item: of }) => `${type} ${of}`),
    [`mrc402_sell ${second}`, `mrc402_sell ${first}`, `mrc402_create ${item}`],
  );
  assert.deepEqual(await lifeOf(second), life.slice(0, 1));
  assert.deepEqual(await lifeOf(first), life.slice(1, 2));
  assert.deepEqual(await lifeOf(item, { limit: "1" }), life);
});
