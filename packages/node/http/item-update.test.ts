import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import {
  assertRecorded,
  type Cast,
  Collection,
  changed,
  type Element,
  type ItemParams,
  type ItemRecord,
  type ItemSigning,
  itemRequest,
  numberOf,
  type Role,
  renamed,
} from "../testing/item-requests.ts";
import {
  type Answered,
  said,
  saidCode,
  signatureOf,
  type TestNode,
  transactionIdOf,
} from "../testing/test-node.ts";

// Items are updated: mrc401 §8. Who may update what: item-roles.test.ts.

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

/** O updates X. */
function change(element: Element): Promise<string> {
  return answered("o", [{ item_id: X, ...element }]);
}

async function assertStored(fields: Partial<ItemRecord>): Promise<void> {
  assert.deepEqual(await collection.record(x), { ...stored, ...fields });
}

// biome-ignore format: a line for each change
const CHANGES: readonly (readonly [sent: Element, shown: Partial<ItemRecord>])[] = [
  [{ item_url: "http://a.example/|" }, { item_url: "http://a.example/|" }],
  [{ item_url: "" }, { item_url: "" }],
  [{ item_image_url: "data:image/png;base64,AAAA" }, { item_image_url: "data:image/png;base64,AAAA" }],
  [{ item_image_url: "" }, { item_image_url: "" }],
  [{ groupid: "😀".repeat(64) }, { groupid: "😀".repeat(64) }],
  [{ groupid: "" }, { groupid: "" }],
  [{ sell_fee: "99.9999" }, { sell_fee: "99.9999" }],
  [{ sell_fee: "0.50" }, { sell_fee: "0.5" }],
  [{ sell_fee: "0" }, { sell_fee: "0" }],
  [{ melt_fee: "7.0" }, { melting_fee: "7", meltint_fee: "7" }],
  [{ melting_fee: "7" }, { melting_fee: "7", meltint_fee: "7" }],
  [{ meltint_fee: "7" }, { melting_fee: "7", meltint_fee: "7" }],
  [{ transferable: "Bound" }, { transferable: "Bound" }],
  [{ transferable: "Permanent" }, { transferable: "Permanent" }],
  [{ groupid: "b", sell_fee: "", melt_fee: "", transferable: "" }, { groupid: "b" }],
  [{ groupid: "b", initial_reserve: "9", initial_token: "99", sell_price: "x", expiredate: "1", owner: UNKNOWN, auction_start_price: 5 }, { groupid: "b" }],
  [{ groupid: "b", sell_fee: "5", melt_fee: "6", item_url: "", transferable: "Temprary" }, { groupid: "b", sell_fee: "5", melting_fee: "6", meltint_fee: "6", item_url: "" }],
];

for (const [sent, shown] of CHANGES) {
  test(`mrc401 §8: ${JSON.stringify(sent).slice(0, 80)}: that is changed, and nothing else`, async () => {
    node.now += 10;
    assert.equal(await change(sent), "200");
    await assertStored(shown);
    assert.equal(await change(sent), "400 4900");
  });
}

test("mrc401 §18 row 33: item_url empty, the key absent, stored values only: cleared, kept, 4900", async () => {
  assert.equal(await change({ item_url: "" }), "200");
  await assertStored({ item_url: "" });
  assert.equal(await change({ groupid: "b" }), "200");
  await assertStored({ item_url: "", groupid: "b" });
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
  { from: "Temporary", to: "Bound", answer: "200" },
  { from: "Temporary", to: "Permanent", answer: "200" },
  { from: "Bound", to: "Temporary", answer: "400 3005" },
  { from: "Permanent", to: "Bound", answer: "400 3005" },
  { from: "Bound", to: "Permanent", answer: "400 3005" },
  { from: "Permanent", to: "Temprary", answer: "400 3005" },
]) {
  test(`mrc401 §18 row 34: ${from} to ${to}: ${answer}`, async () => {
    const id = await collection.item(q, cast.o, { item_id: numberOf(2), transferable: from });
    const itemdata = [
      { item_id: X, groupid: "b" },
      { item_id: numberOf(2), transferable: to, groupid: "b" },
    ];
    const got = await answered("o", itemdata);
    assert.equal(got, answer === "200" ? answer : `${answer} itemdata[1].transferable`);
    const { transferable, groupid } = await collection.record(id);
    const isDone = answer === "200";
    assert.deepEqual([transferable, groupid], [isDone ? to : from, isDone ? "b" : ""]);
    await assertStored(isDone ? { groupid: "b" } : {});
  });
}

test("mrc401 §18 row 35, row 63: a melted item: 7110; an unknown one: 6004; one element twice: 3004", async () => {
  const itemdata = [{ item_id: X, groupid: "b" }];
  const unknown = [...itemdata, { item_id: numberOf(2), groupid: "b" }];
  assert.match(await answered("o", unknown), /^404 6004 itemdata\[1\]/);
  const twice = [...itemdata, { id: x, groupid: "c" }];
  assert.match(await answered("o", twice), /^400 3004 itemdata\[1\]/);
  await assertStored({});
  await collection.done("melt", cast.o, { mrc401id: x });
  assert.match(await answered("o", itemdata), /^409 7110 itemdata\[0\]/);
  assert.match(await change({}), /^409 7110 itemdata\[0\]/);
});

test("mrc401 §8: 100 elements: the last one's fault changes none; one change among them is enough", async () => {
  const numbers = Array.from({ length: 100 }, (_, n) => ({ item_id: numberOf(n + 10) }));
  const ids = await collection.items(q, cast.o, ...numbers);
  const groups = async (): Promise<string[]> =>
    (await Promise.all(ids.map((id) => collection.record(id)))).map(({ groupid }) => groupid);
  const changes: Element[] = numbers.map((number) => ({ ...number, groupid: "b" }));
  for (const [last, answer] of [
    [{ sell_fee: "100" }, "400 3005"],
    [{ item_id: numberOf(9) }, "404 6004"],
    [{ transferable: "Bound" }, "400 3005"],
  ] as const) {
    const wrong = [...changes.slice(0, -1), { ...changes.at(-1), ...last }];
    assert.equal(saidCode(await update("o", wrong)), answer);
  }
  assert.deepEqual(new Set(await groups()), new Set([""]));
  assert.equal(await answered("o", changes), "200");
  assert.deepEqual(new Set(await groups()), new Set(["b"]));
  assert.equal(await answered("o", changes), "400 4900");
  const answer = await update("o", [...changes.slice(0, -1), { id: ids.at(-1), groupid: "c" }]);
  const { effects } = await node.transaction(transactionIdOf(answer));
  assert.deepEqual(
    effects.map((effect) => (effect as { item?: string }).item),
    ids,
  );
  assert.deepEqual(await groups(), [...Array.from({ length: 99 }, () => "b"), "c"]);
});

for (const { role, signed, isNamed } of [
  { role: "o", signed: "short", isNamed: true },
  { role: "o", signed: "full", isNamed: false },
  { role: "p", signed: "full", isNamed: true },
  { role: "c", signed: "short", isNamed: false },
] as const) {
  test(`mrc401 §8: two items updated by ${role.toUpperCase()}, ${isNamed ? "named" : "by key"}, signed ${signed}: answer and records`, async () => {
    const by = cast[role];
    const [first, second] = (await collection.items(
      q,
      by,
      { initial_reserve: "40" },
      { item_id: numberOf(2) },
    )) as [string, string];
    const itemdata = JSON.stringify([
      { id: first, groupid: "b" },
      { item_id: numberOf(2), item_url: "" },
    ]);
    const params = { mrc400id: q, itemdata, ...(isNamed ? {} : { creator: "" }) };
    const request = await collection.request("update", by, params, { signed });
    const { signature, tkey } = request.params;
    const parameters = (id: string, reserve: string): string[] => [
      id,
      by.address,
      reserve,
      "0",
      signature,
      tkey,
    ];
    await assertRecorded(node, await collection.post(request), [
      { type: "mrc401update", of: by, parameters: [q, by.address, itemdata, signature, tkey] },
      { type: "mrc401_update", of: first, parameters: parameters(first, "40") },
      { type: "mrc401_update", of: second, parameters: parameters(second, "0") },
    ]);
  });
}

test("mrc401 §8: a new sell_fee holds from the next listing on, also while on auction", async () => {
  const { o } = cast;
  const listings = [
    ["sell", "unsell", { id: x, price: "300", token: "0" }],
    ["auction", "unauction", { id: x, start: "100", token: "0" }],
  ] as const;
  let fee = 10;
  for (const [list, unlist, element] of listings) {
    await collection.done(list, o, { itemdata: [element] });
    assert.equal(await change({ sell_fee: String(fee + 10) }), "200");
    const { sell_fee, listing_fee } = await collection.record(x);
    assert.deepEqual([sell_fee, listing_fee], [String(fee + 10), String(fee)]);
    await collection.done(unlist, o, { itemdata: [x] });
    fee += 10;
  }
  await collection.done("sell", o, { itemdata: [listings[0][2]] });
  assert.equal((await collection.record(x)).listing_fee, "30");
});

test("mrc401 §8: a new melt_fee holds at once, transferable also while the item is listed", async () => {
  const { o, a } = cast;
  await collection.give(x, o, a);
  await collection.done("sell", a, { itemdata: [{ id: x, price: "300", token: "0" }] });
  assert.equal(await change({ melt_fee: "50", transferable: "Bound" }), "200");
  const sold = await collection.send("buy", cast.b, { mrc401id: x });
  assert.equal(saidCode(sold), "409 7109");
  await collection.done("unsell", a, { itemdata: [x] });
  await collection.done("melt", a, { mrc401id: x });
  assert.deepEqual([await collection.held(a), await collection.held(o)], ["1050", "950"]);
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

test("mrc401 §18 row 80: none of the above has created or lost a unit", () =>
  collection.assertConserved());
