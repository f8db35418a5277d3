import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import {
  type Cast,
  Collection,
  createProject,
  defaultNumber,
  type Element,
  type ItemParams,
  type ItemRecord,
  type ItemSigning,
  numberOf,
  PLAIN_ITEM,
} from "../testing/item-requests.ts";
import {
  type Answered,
  type KeyHolder,
  parsed,
  said,
  saidCode,
  type TestNode,
  transactionIdOf,
} from "../testing/test-node.ts";

// Items are created and read: mrc401 §1, §2.1, §6, §7. Who may create them: item-roles.test.ts.

const UNKNOWN = "MTAlice00000000000000000000000005dc33c90";

let collection: Collection;
let node: TestNode;
let cast: Cast;
let q: string;
let o: KeyHolder;
before(async () => {
  collection = await Collection.open({ tokens: 9 });
  node = collection.node;
});
after(() => collection[Symbol.asyncDispose]());
beforeEach(async () => {
  cast = await collection.cast();
  ({ q, o } = cast);
});

function create(
  itemdata: string | readonly unknown[],
  params: ItemParams = {},
  { as = o, ...signing }: ItemSigning & { readonly as?: KeyHolder } = {},
): Promise<Answered> {
  return collection.send("create", as, { mrc400id: q, itemdata, ...params }, signing);
}

async function answered(...of: Parameters<typeof create>): Promise<string> {
  return said(await create(...of));
}

/** What is answered; of the parameter only the element, such as `itemdata[1]`. */
async function answeredOf(...of: Parameters<typeof create>): Promise<string> {
  return (await answered(...of)).replace(/\].*/, "]");
}

function idOf(n: number): string {
  return `${q}_${numberOf(n)}`;
}

async function assertNone(...ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    assert.equal(said(await node.get(`/mrc401/${id}`)), "404 6004 mrc401id");
  }
}

function elements(count: number): { item_id: string }[] {
  return Array.from({ length: count }, (_, n) => ({ item_id: numberOf(n) }));
}

test("mrc401 §18 row 14: two reserves of 400: O is left with 200, and holds what it created", async () => {
  const ids = await collection.items(q, o, { initial_reserve: "400" }, { initial_reserve: 400 });
  assert.equal(await collection.held(o), "200");
  for (const id of ids) {
    const { owner, holder, creator, initial_reserve } = await collection.record(id);
    assert.deepEqual(
      { owner, holder, creator, initial_reserve },
      { owner: "", holder: o.address, creator: o.address, initial_reserve: "400" },
    );
  }
});

test("mrc401 §18 row 15: then 201: 5000, nothing stored, the key is usable; 200: nothing left", async () => {
  await collection.items(q, o, { initial_reserve: "400" }, { initial_reserve: "400" });
  const tkey = await node.key(o);
  const element = { item_id: numberOf(3) };
  const over = await create([{ ...element, initial_reserve: "201" }], { tkey });
  assert.equal(saidCode(over), "400 5000");
  await assertNone(idOf(3));
  assert.equal(await answered([{ ...element, initial_reserve: "200" }], { tkey }), "200");
  assert.equal(await collection.held(o), "0");
});

for (const { what, itemdata, answer } of [
  { what: "100 elements", itemdata: elements(100), answer: "200" },
  { what: "101 elements", itemdata: elements(101), answer: "400 3002 itemdata" },
  { what: "100000 elements", itemdata: `[${"{},".repeat(99_999)}{}]`, answer: "400 3002 itemdata" },
  { what: "[]", itemdata: "[]", answer: "400 3002 itemdata" },
  { what: "{}", itemdata: "{}", answer: "400 1007 itemdata" },
  { what: "no itemdata", itemdata: "", answer: "400 1000 itemdata" },
]) {
  test(`mrc401 §18 row 16: ${what}: ${answer}`, async () => {
    assert.equal(await answered(itemdata), answer);
  });
}

test("mrc401 §18 row 17: a number twice: 3004; in use, also by a melted item: 7111", async () => {
  const [first, second] = elements(2);
  assert.equal(await answeredOf([first, second, first]), "400 3004 itemdata[2]");
  assert.equal(await answeredOf([first, { id: idOf(0) }]), "400 3004 itemdata[1]");
  assert.equal(await answered([first]), "200");
  assert.equal(await answeredOf([second, first]), "409 7111 itemdata[1]");
  await collection.done("melt", o, { mrc401id: idOf(0) });
  assert.equal(await answeredOf([first]), "409 7111 itemdata[0]");
  const other = await createProject(node, o);
  assert.equal(await answered([first], { mrc400id: other }), "200");
});

test("mrc401 §18 row 17: a number in use by an MRC402 item: 7111", async () => {
  const itemdata = JSON.stringify([{ item_id: numberOf(0) }]);
  const params = { mrc400id: q, creator: o.address, itemdata };
  const request = await node.shortlySigned(o, ["mrc400id", "itemdata", "tkey"], params);
  assert.equal(said(await node.post("/mrc402", request)), "200");
  assert.equal(await answeredOf(elements(1)), "409 7111 itemdata[0]");
});

for (const { what, element, answer } of [
  { what: "in use", element: { item_id: numberOf(0) }, answer: "409 7111" },
  { what: "with a malformed number", element: { item_id: "x" }, answer: "400 3005" },
  { what: "not paid for", element: { initial_reserve: "1001" }, answer: "400 5000" },
  { what: "of an unknown token", element: { initial_token: "99" }, answer: "404 4001" },
  {
    what: "bound and on sale",
    element: { transferable: "Bound", sell_price: 1 },
    answer: "409 7109",
  },
]) {
  test(`mrc401 §18 row 18: 100 elements, the last ${what}: nothing is created`, async () => {
    await collection.items(q, o, { item_id: numberOf(0) });
    const good = elements(100).slice(1);
    const before = await collection.held(o);
    assert.equal(saidCode(await create([...good, element])), answer);
    await assertNone(...good.map(({ item_id }) => `${q}_${item_id}`));
    assert.equal(await collection.held(o), before);
    assert.equal(await answered(good), "200");
  });
}

test("mrc401 §18 row 19: without item_id a number is derived from the key and the place", async () => {
  const tkey = await node.key(o);
  const given = numberOf(7);
  const answer = await create([{}, { item_id: given }, { item_id: "" }, { groupid: "g" }], {
    tkey,
  });
  const { mrc401ids } = parsed<{ mrc401ids: string[] }>(answer);
  const numbers = [
    defaultNumber(q, tkey, 0),
    given,
    defaultNumber(q, tkey, 2),
    defaultNumber(q, tkey, 3),
  ];
  assert.deepEqual(
    mrc401ids,
    numbers.map((number) => `${q}_${number}`),
  );
  for (const id of mrc401ids) {
    assert.equal((await collection.record(id)).id, id);
  }
});

test("mrc401 §7: a number that is derived for another element: 3004", async () => {
  for (const given of [0, 1]) {
    const tkey = await node.key(o);
    const item_id = defaultNumber(q, tkey, 1 - given);
    const twice = [{ initial_reserve: "5" }, { initial_reserve: "5" }];
    const itemdata = twice.map((element, n) => (n === given ? { ...element, item_id } : element));
    assert.equal(await answeredOf(itemdata, { tkey }), "400 3004 itemdata[1]");
    await assertNone(`${q}_${item_id}`);
  }
  assert.equal(await collection.held(o), "1000");
});

for (const { what, element } of [
  { what: "item_id of 39 characters", element: () => ({ item_id: numberOf(1).slice(1) }) },
  { what: "item_id of 41 characters", element: () => ({ item_id: `${numberOf(1)}0` }) },
  { what: "item_id with -", element: () => ({ item_id: `-${numberOf(1).slice(1)}` }) },
  { what: "item_id with é", element: () => ({ item_id: `é${numberOf(1).slice(1)}` }) },
  { what: "id with -", element: () => ({ id: `${q}_-${numberOf(1).slice(1)}` }) },
  {
    what: "id of another project",
    element: () => ({ id: `MRC400_${"0".repeat(33)}_${numberOf(1)}` }),
  },
]) {
  test(`mrc401 §18 row 20: ${what}: 3005`, async () => {
    assert.equal(await answeredOf([{}, element()]), "400 3005 itemdata[1]");
  });
}

for (const { row, key = "sell_fee", value, answer } of [
  { row: "§18 row 21", value: "99.9999", answer: "99.9999" },
  { row: "§18 row 21", value: "2.50", answer: "2.5" },
  { row: "§18 row 21", value: "100", answer: "400 3005" },
  { row: "§18 row 21", value: "1.00001", answer: "400 3005" },
  { row: "§18 row 21", value: "-1", answer: "400 3005" },
  { row: "§18 row 21", value: 2.5, answer: "400 1007" },
  { row: "§7", value: 5, answer: "400 1007" },
  { row: "§7", value: "", answer: "0" },
  { row: "§7", value: "0.0000", answer: "0" },
  { row: "§7", value: "99.99999", answer: "400 3005" },
  { row: "§7", value: "x", answer: "400 3005" },
  { row: "§7", value: "1e1", answer: "400 3005" },
  { row: "§7", key: "melt_fee", value: "12.5000", answer: "12.5" },
  { row: "§7", key: "melt_fee", value: "99.9999", answer: "99.9999" },
  { row: "§7", key: "melt_fee", value: "100", answer: "400 3005" },
  { row: "§7", key: "melt_fee", value: 2.5, answer: "400 1007" },
]) {
  test(`mrc401 ${row}: ${key} ${JSON.stringify(value)}: ${answer}`, async () => {
    if (answer.startsWith("4")) {
      assert.equal(await answered([{}, { [key]: value }]), `${answer} itemdata[1].${key}`);
      return;
    }
    const { sell_fee, meltint_fee, melting_fee } = await collection.record(
      await collection.item(q, o, { [key]: value }),
    );
    const fees = key === "sell_fee" ? [answer, "0", "0"] : ["0", answer, answer];
    assert.deepEqual([sell_fee, meltint_fee, melting_fee], fees);
  });
}

test("mrc401 §18 row 22: names of one key: the same value twice is accepted, two values are 1005", async () => {
  for (const [one, other, value, another] of [
    ["melt_fee", "melting_fee", "5", "6"],
    ["melt_fee", "meltint_fee", "5", "6"],
    ["melting_fee", "meltint_fee", "5", "6"],
    ["expiredate", "melting_date", "1000", "1001"],
  ] as const) {
    const id = await collection.item(q, o, { [one]: value, [other]: value });
    const { meltint_fee, expiredate, melting_date } = await collection.record(id);
    const shown = one === "expiredate" ? String(expiredate) : meltint_fee;
    assert.deepEqual([shown, melting_date], [value, 0]);
    const alone = await collection.record(await collection.item(q, o, { [other]: another }));
    assert.ok([alone.meltint_fee, String(alone.expiredate)].includes(another));
    const both = [{}, { [one]: value, [other]: another }];
    assert.match(await answered(both), /^400 1005 itemdata\[1\]/);
  }
  const ids = { item_id: numberOf(1), id: idOf(2) };
  assert.equal(await answeredOf([{}, ids]), "400 1005 itemdata[1]");
});

for (const { value, answer } of [
  { value: "Temprary", answer: "Temporary" },
  { value: "temporary", answer: "400 3005 itemdata[0].transferable" },
  { value: "Bound", answer: "Bound" },
  { value: "", answer: "Permanent" },
  { value: "permanent", answer: "400 3005 itemdata[0].transferable" },
  { value: 1, answer: "400 1007 itemdata[0].transferable" },
]) {
  test(`mrc401 §18 row 23: transferable ${JSON.stringify(value)}: ${answer}`, async () => {
    const answerGot = await create([{ item_id: numberOf(1), transferable: value }]);
    if (answer.startsWith("4")) {
      assert.equal(said(answerGot), answer);
    } else {
      assert.equal((await collection.record(idOf(1))).transferable, answer);
    }
  });
}

for (const key of ["initial_token", "sell_token", "auction_token"]) {
  test(`mrc401 §18 row 24: allow_token 7: ${key} 9 / 7 / 0 / 99`, async () => {
    await collection.done("updateProject", o, { mrc400id: q, allowtoken: "7" });
    await collection.pay(o, "7", 1n);
    const price = {
      initial_token: {},
      sell_token: { sell_price: "1" },
      auction_token: { auction_start_price: "1" },
    }[key];
    const ask = (value: string): Promise<string> =>
      answered([
        {},
        { ...price, ...(key === "initial_token" && { initial_reserve: "1" }), [key]: value },
      ]);
    const blamed = `itemdata[1].${key}`;
    assert.deepEqual(
      [await ask("9"), await ask("7"), await ask("0"), await ask("99"), await ask("x")],
      [`400 3005 ${blamed}`, "200", "200", `404 4001 ${blamed}`, `400 1101 ${blamed}`],
    );
  });
}

test("mrc401 §18 row 28: sale and auction: 3005; a sale or auction of what is Bound: 7109", async () => {
  const both = { sell_price: "300", auction_start_price: "100" };
  assert.equal(await answeredOf([{}, both]), "400 3005 itemdata[1]");
  for (const listing of [{ sell_price: "300" }, { auction_start_price: "100" }]) {
    const bound = { transferable: "Bound", ...listing };
    assert.equal(await answeredOf([{}, bound]), "409 7109 itemdata[1]");
  }
  const none = { transferable: "Bound", sell_price: "0", auction_start_price: 0 };
  assert.equal(await answered([none]), "200");
});

test("mrc401 §18 row 29: P pays the reserve, O who melts gets all of it", async () => {
  const { p } = cast;
  const element = { initial_reserve: "1000", melt_fee: "12.5" };
  const id = await collection.item(q, p, element);
  assert.deepEqual([await collection.held(p), await collection.held(o)], ["0", "1000"]);
  const melted = await collection.done("melt", o, { mrc401id: id });
  assert.deepEqual([await collection.held(p), await collection.held(o)], ["0", "2000"]);
  const { effects } = await node.transaction(transactionIdOf(melted));
  assert.deepEqual(
    effects.map(({ type }) => type),
    ["receive_melt", "mrc401_melt"],
  );
});

// biome-ignore format: a line for each key
const ACCEPTED: readonly (readonly [element: Element, shown: Partial<ItemRecord>])[] = [
  [{}, {}],
  [{ item_url: "", item_image_url: "", groupid: "", initial_reserve: "", initial_token: "", sell_price: "", auction_start_price: "", expiredate: "" }, {}],
  [{ item_url: "https://a.example/{id}" }, { item_url: "https://a.example/{id}" }],
  [{ item_url: "https://a.example/|".padEnd(255, "x") }, { item_url: "https://a.example/|".padEnd(255, "x") }],
  [{ item_image_url: "ipfs://a/b" }, { item_image_url: "ipfs://a/b" }],
  [{ item_image_url: "data:image/png;base64,AAAA" }, { item_image_url: "data:image/png;base64,AAAA" }],
  [{ groupid: "😀".repeat(64) }, { groupid: "😀".repeat(64) }],
  [{ groupid: "a|b \\u0022" }, { groupid: "a|b \\u0022" }],
  [{ expiredate: "253402300799" }, { expiredate: 253_402_300_799 }],
  [{ expiredate: 1 }, { expiredate: 1 }],
  [{ unknown: [[[]]], name: 1, owner: UNKNOWN, creator: 5, last_trade_amount: "9" }, {}],
  [{ sell_token: "7", auction_token: "7", auction_bidding_unit: "5", auction_buynow_price: "5", auction_end: "99" }, {}],
];

for (const [element, shown] of ACCEPTED) {
  test(`mrc401 §7: ${JSON.stringify(element).slice(0, 60)}: stored, and everything else by default`, async () => {
    const id = await collection.item(q, o, element);
    assert.deepEqual(await collection.record(id), { ...plain(id), ...shown });
  });
}

/** An item of O that has been created now, with nothing but its id. */
function plain(id: string): ItemRecord {
  const { now } = node;
  return { ...PLAIN_ITEM, id, mrc400: q, holder: o.address, creator: o.address, createdate: now };
}

test("mrc401 §7: reserves of several tokens: all are paid, or none; what is locked does not count", async () => {
  await collection.pay(o, "7", 300n);
  await node.pay(o, 500n, { unlockdate: node.now + 1000 });
  const [seven, eight] = ["7", "8"].map((initial_token) => ({
    initial_reserve: "300",
    initial_token,
  }));
  assert.equal(saidCode(await create([{ initial_reserve: "1000" }, seven, eight])), "400 5000");
  assert.equal(saidCode(await create([{ initial_reserve: "1001" }, seven])), "400 5000");
  assert.deepEqual([await collection.held(o, "7")], ["300"]);
  assert.equal(await answered([{ initial_reserve: "1000" }, seven]), "200");
  const locked = `500@${node.now + 1000}`;
  assert.deepEqual(
    [await collection.held(o), await collection.held(o, "7")],
    [`0 + ${locked}`, "0"],
  );
});

test("mrc401 §18 row 80: none of the above has created or lost a unit", () =>
  collection.assertConserved());
