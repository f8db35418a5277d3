import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import {
  type Cast,
  Collection,
  createProject,
  type ItemParams,
  type ItemRecord,
  type ItemSigning,
  numberOf,
  type Role,
} from "../testing/item-requests.ts";
import { type Answered, said, saidCode, type TestNode } from "../testing/test-node.ts";

// What an update of items refuses, and in which order: mrc401 §8.

const UNKNOWN = "MTAlice00000000000000000000000005dc33c90";

let collection: Collection;
let node: TestNode;
let cast: Cast;
let q: string;
/** An item of Q with something in every field that can be updated, and its number. */
let x: string;
const X = numberOf(1);
let stored: ItemRecord;
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
  params: ItemParams = {},
  signing?: ItemSigning,
): Promise<Answered> {
  return collection.send("update", cast[role], { mrc400id: q, itemdata, ...params }, signing);
}

async function answered(...of: Parameters<typeof update>): Promise<string> {
  return said(await update(...of));
}

async function assertStored(fields: Partial<ItemRecord>): Promise<void> {
  assert.deepEqual(await collection.record(x), { ...stored, ...fields });
}

// biome-ignore format: a line for each key
const REFUSED: readonly (readonly [key: string, values: readonly unknown[], answer: string])[] = [
  ["item_id", [undefined, ""], "400 1000"],
  ["item_id", [numberOf(1).slice(1), `-${numberOf(1).slice(1)}`], "400 3005"],
  ["item_id", [5], "400 1007"],
  ["item_url", ["ipfs://a", "x", "https://a.example/".padEnd(256, "x")], "400 3005"],
  ["item_image_url", ["x", "ftp://a.b", "https://a.example/".padEnd(256, "x")], "400 3005"],
  ["groupid", ["😀".repeat(65)], "400 3005"],
  ["groupid", ["a\u0000"], "400 1006"],
  ["groupid", [5], "400 1007"],
  ["sell_fee", ["100", "1.00001", "-1", "x"], "400 3005"],
  ["sell_fee", [5, 2.5], "400 1007"],
  ["melt_fee", ["100", "1.00001", "-1", "x"], "400 3005"],
  ["melt_fee", [5], "400 1007"],
  ["transferable", ["temporary", "permanent", "x"], "400 3005"],
  ["transferable", [["Bound"]], "400 1007"],
];

for (const [key, values, answer] of REFUSED) {
  test(`mrc401 §8: ${key} ${JSON.stringify(values).slice(0, 60)}: ${answer}, and the element is named`, async () => {
    for (const value of values) {
      const element = { item_id: numberOf(2), groupid: "b", [key]: value };
      const got = await answered("o", [{ item_id: X, groupid: "b" }, element]);
      assert.equal(got, `${answer} itemdata[1].${key}`, String(value));
    }
    await assertStored({});
  });
}

test("mrc401 §8: the order in which an update refuses", async () => {
  const { p, a } = cast;
  const unknown = `MRC400_${"0".repeat(33)}`;
  const element = { item_id: X, transferable: "Temporary", groupid: "b" };
  const other = { item_id: numberOf(2), groupid: "b" };
  await collection.item(q, p, other);
  await collection.mending("update", { by: p, stranger: a }, [
    [{ mrc400id: unknown, creator: "MTx", itemdata: "" }, "400 1000"],
    [{ itemdata: [element] }, "400 3190"],
    [{ creator: UNKNOWN, itemdata: "{}" }, "400 1007"],
    [{ itemdata: [] }, "400 3002"],
    [{ itemdata: Array.from({ length: 101 }, () => other) }, "400 3002"],
    [{ itemdata: [{ groupid: "b" }] }, "400 1000"],
    [{ itemdata: [{ ...element, sell_fee: "100" }] }, "400 3005"],
    [{ itemdata: [{ ...element, melt_fee: "1", melting_fee: "2" }] }, "400 1005"],
    [{ itemdata: [{ ...element, id: `${q}_${numberOf(3)}` }] }, "400 1005"],
    [{ itemdata: [element, element] }, "400 3004"],
    [{ itemdata: [element] }, "404 6004"],
    [{ mrc400id: "x" }, "404 6004"],
    [{ mrc400id: x }, "404 6004"],
    [{ mrc400id: q, itemdata: [{ ...element, item_id: numberOf(3) }] }, "404 6004"],
    [{ itemdata: [element] }, "404 3090"],
    [{ creator: p.address }, "key"],
    [{}, "403 7002"],
    [{ itemdata: [other] }, "400 4900"],
    [{ itemdata: [{ ...other, sell_fee: "1" }] }, "403 7002"],
    [{ itemdata: [{ ...other, groupid: "c" }] }, "200"],
  ]);
  const bound = await collection.item(q, cast.o, { transferable: "Bound" });
  const { o } = cast;
  await collection.mending("update", { by: o, stranger: a }, [
    [{ mrc400id: q, itemdata: [{ id: bound, transferable: "Permanent" }] }, "400 3005"],
    [{ itemdata: [{ id: bound, transferable: "Bound" }] }, "400 4900"],
    [{ itemdata: [{ id: bound, transferable: "Bound", melt_fee: "1" }] }, "200"],
  ]);
  await collection.done("melt", o, { mrc401id: bound });
  const melted = [{ id: bound, transferable: "Permanent" }];
  assert.equal(saidCode(await update("o", melted)), "409 7110");
  assert.equal(saidCode(await update("p", melted)), "403 7002");
});

test("mrc401 §8: an id of another project: 3005", async () => {
  const id = await collection.item(await createProject(node, cast.o), cast.o);
  assert.match(await answered("o", [{ id, groupid: "b" }]), /^400 3005 itemdata\[0\]/);
});
