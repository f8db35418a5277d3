import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { Address } from "@moneta/protocol";
import type { Params } from "../../testing/admitted.ts";
import type { Answer } from "../../testing/answer.ts";
import { TestClient } from "../../testing/test-client.ts";
import type { Cast, Role } from "../../testing/trade/cast.ts";
import { createProject, type Element } from "../../testing/trade/creations.ts";
import { type ItemShown, NO_PROJECT, NOBODY, numberOf } from "../../testing/trade/item-terms.ts";
import { ItemTrade } from "../../testing/trade/item-trade.ts";

let client: TestClient;
let trade: ItemTrade;
let cast: Cast;
let q: string;
let o: Address;
/** An item of Q with something in every field that can be updated, and its number. */
let x: string;
const X = numberOf(1);
let stored: ItemShown;
before(async () => {
  client = await TestClient.open({ tokens: 9 });
});
after(() => client[Symbol.dispose]());
beforeEach(async () => {
  trade = await ItemTrade.on(client, 1000n);
  ({ cast } = trade);
  ({ q, o } = cast);
  x = await trade.item(q, o, {
    item_id: X,
    item_url: "https://rpg.example/1",
    item_image_url: "ipfs://1",
    groupid: "sword",
    sell_fee: "10",
    melt_fee: "2.5",
    transferable: "Temporary",
    initial_reserve: "100",
  });
  stored = trade.shown(x);
});

/** An address updates items of Q. */
function update(
  role: Role,
  itemdata: string | readonly unknown[],
  params: Params = {},
): Promise<Answer> {
  return trade.send("mrc401update", cast[role], { mrc400id: q, itemdata, ...params });
}

async function summaryOf(...of: Parameters<typeof update>): Promise<string> {
  return (await update(...of)).summary;
}

function change(element: Element): Promise<string> {
  return summaryOf("o", [{ item_id: X, ...element }]);
}

/** P, S, C or O updates one item. */
async function changeBy(role: Role, id: string, fields: Element): Promise<string> {
  return (await update(role, [{ id, ...fields }])).code;
}

function assertStored(fields: Partial<ItemShown>): void {
  assert.deepEqual(trade.shown(x), { ...stored, ...fields });
}

test("mrc401 §8: item_url empty, the key absent, stored values only: cleared, kept, 4900", async () => {
  assert.equal(await change({ item_url: "" }), "done");
  assertStored({ item_url: "" });
  assert.equal(await change({ groupid: "b" }), "done");
  assertStored({ item_url: "", groupid: "b" });
  for (const same of [
    {},
    { item_url: "", groupid: "b", item_image_url: "ipfs://1" },
    { sell_fee: "10", melt_fee: "2.5", transferable: "Temporary" },
    { sell_fee: "10.0000", melting_fee: "2.50", transferable: "Temprary" },
    { sell_fee: "", melt_fee: "", transferable: "" },
    { initial_reserve: "5", sell_price: "300" },
  ]) {
    assert.equal(await change(same), "400 4900", JSON.stringify(same));
  }
});

for (const { from, to, answer } of [
  { from: "Temporary", to: "Bound", answer: "done" },
  { from: "Temporary", to: "Permanent", answer: "done" },
  { from: "Bound", to: "Temporary", answer: "400 3005" },
  { from: "Permanent", to: "Bound", answer: "400 3005" },
  { from: "Bound", to: "Permanent", answer: "400 3005" },
  { from: "Permanent", to: "Temprary", answer: "400 3005" },
]) {
  test(`mrc401 §8: ${from} to ${to}: ${answer}`, async () => {
    const id = await trade.item(q, cast.o, { item_id: numberOf(2), transferable: from });
    const itemdata = [
      { item_id: X, groupid: "b" },
      { item_id: numberOf(2), transferable: to, groupid: "b" },
    ];
    const got = await summaryOf("o", itemdata);
    assert.equal(got, answer === "done" ? answer : `${answer} itemdata[1].transferable`);
    const { transferable, groupid } = trade.shown(id);
    const isDone = answer === "done";
    assert.deepEqual([transferable, groupid], [isDone ? to : from, isDone ? "b" : ""]);
    assertStored(isDone ? { groupid: "b" } : {});
  });
}

test("mrc401 §8: a melted item: 7110; an unknown one: 6004; one element twice: 3004", async () => {
  const itemdata = [{ item_id: X, groupid: "b" }];
  const unknown = [...itemdata, { item_id: numberOf(2), groupid: "b" }];
  assert.match(await summaryOf("o", unknown), /^404 6004 itemdata\[1\]/);
  const twice = [...itemdata, { id: x, groupid: "c" }];
  assert.match(await summaryOf("o", twice), /^400 3004 itemdata\[1\]/);
  await assertStored({});
  await trade.done("mrc401melt", cast.o, { mrc401id: x });
  assert.match(await summaryOf("o", itemdata), /^409 7110 itemdata\[0\]/);
  assert.match(await change({}), /^409 7110 itemdata\[0\]/);
});

test("mrc401 §8: the order in which an update refuses", async () => {
  const { p, a } = cast;
  const unknown = NO_PROJECT;
  const element = { item_id: X, transferable: "Temporary", groupid: "b" };
  const other = { item_id: numberOf(2), groupid: "b" };
  await trade.item(q, p, other);
  await trade.client.mending("mrc401update", { by: p, stranger: a }, [
    [{ mrc400id: unknown, creator: "MTx", itemdata: "" }, "400 1000"],
    [{ itemdata: [element] }, "400 3190"],
    [{ creator: NOBODY, itemdata: "{}" }, "400 1007"],
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
    [{ creator: p }, "key"],
    [{}, "403 7002"],
    [{ itemdata: [other] }, "400 4900"],
    [{ itemdata: [{ ...other, sell_fee: "1" }] }, "403 7002"],
    [{ itemdata: [{ ...other, groupid: "c" }] }, "done"],
  ]);
  const bound = await trade.item(q, cast.o, { transferable: "Bound" });
  const { o } = cast;
  await trade.client.mending("mrc401update", { by: o, stranger: a }, [
    [{ mrc400id: q, itemdata: [{ id: bound, transferable: "Permanent" }] }, "400 3005"],
    [{ itemdata: [{ id: bound, transferable: "Bound" }] }, "400 4900"],
    [{ itemdata: [{ id: bound, transferable: "Bound", melt_fee: "1" }] }, "done"],
  ]);
  await trade.done("mrc401melt", o, { mrc401id: bound });
  const melted = [{ id: bound, transferable: "Permanent" }];
  assert.equal((await update("o", melted)).code, "409 7110");
  assert.equal((await update("p", melted)).code, "403 7002");
});

test("mrc401 §8: an id of another project: 3005", async () => {
  const id = await trade.item(await createProject(trade.client, cast.o), cast.o);
  assert.match(await summaryOf("o", [{ id, groupid: "b" }]), /^400 3005 itemdata\[0\]/);
});

test("mrc401 §2.5: P changes groupid of an item it created / that C created; S, O of any", async () => {
  const own = await trade.item(q, cast.p);
  const other = await trade.item(q, cast.c);
  const groupid = { groupid: "b" };
  assert.deepEqual(
    [
      await changeBy("p", own, groupid),
      await changeBy("p", other, groupid),
      await changeBy("s", own, groupid),
      await changeBy("s", other, groupid),
      await changeBy("o", own, { groupid: "c" }),
      await changeBy("o", other, groupid),
    ],
    ["done", "403 7002", "403 7002", "403 7002", "done", "done"],
  );
});

test("mrc401 §2.5: P changes sell_fee of its item: 7002; the stored sell_fee with a new groupid: accepted", async () => {
  const id = await trade.item(q, cast.p, { sell_fee: "2.50", melt_fee: "5" });
  assert.equal(await changeBy("p", id, { sell_fee: "3" }), "403 7002");
  assert.equal(await changeBy("p", id, { sell_fee: "3", groupid: "b" }), "403 7002");
  const stored = { sell_fee: "2.5", melt_fee: "5.0", transferable: "Permanent" };
  assert.equal(await changeBy("p", id, { ...stored, groupid: "b" }), "done");
  assert.equal(await changeBy("p", id, { sell_fee: "2.50", groupid: "c" }), "done");
});

test("mrc401 §2.5: P's item was sold to A: P may change its item_url, until its role is withdrawn", async () => {
  const id = await trade.item(q, cast.p, { sell_price: "300" });
  await trade.done("mrc401buy", cast.a, { mrc401id: id });
  assert.equal(await changeBy("p", id, { item_url: "https://a.example/" }), "done");
  await client.done("mrc400update", o, { mrc400id: q, partner: { [cast.s]: "seller" } });
  assert.equal(await changeBy("p", id, { item_url: "https://b.example/" }), "403 7002");
  assert.equal(await changeBy("p", id, {}), "403 7002");
});
