import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { type Cast, Collection, type ItemParams, numberOf } from "../testing/item-requests.ts";
import {
  type Answered,
  type KeyHolder,
  type Params,
  said,
  saidCode,
} from "../testing/test-node.ts";

// What a create of items refuses, and in which order: mrc401 §1.4, §7.

const UNKNOWN = "MTAlice00000000000000000000000005dc33c90";
const MAX = 10n ** 40n;

let collection: Collection;
let cast: Cast;
let q: string;
let o: KeyHolder;
before(async () => {
  collection = await Collection.open({ tokens: 9 });
});
after(() => collection[Symbol.asyncDispose]());
beforeEach(async () => {
  cast = await collection.cast();
  ({ q, o } = cast);
});

function create(itemdata: string | readonly unknown[], params: ItemParams = {}): Promise<Answered> {
  return collection.send("create", o, { mrc400id: q, itemdata, ...params });
}

async function answered(...of: Parameters<typeof create>): Promise<string> {
  return said(await create(...of));
}

function idOf(n: number): string {
  return `${q}_${numberOf(n)}`;
}

// biome-ignore format: a line for each key
const REFUSED: readonly (readonly [key: string, values: readonly unknown[], answer: string])[] = [
  ["item_url", ["ipfs://a", "x", "https://a.example/".padEnd(256, "x")], "400 3005"],
  ["item_image_url", ["x", "ftp://a.b", "https://a.example/".padEnd(256, "x")], "400 3005"],
  ["groupid", ["😀".repeat(65)], "400 3005"],
  ["groupid", ["a\u0000", "\ud800"], "400 1006"],
  ["groupid", [5, ["x"]], "400 1007"],
  ["item_id", [5], "400 1007"],
  ["initial_reserve", ["x", "-1", "01", "1.5", String(MAX + 1n), -1, 1.5, 2 ** 53], "400 1101"],
  ["initial_token", ["x", "01", "1.0"], "400 1101"],
  ["initial_token", ["99"], "404 4001"],
  ["expiredate", ["x", "-1", "01", "253402300800", 253_402_300_800], "400 1102"],
  ["sell_price", ["x", "-1", "1.5", String(MAX + 1n)], "400 1101"],
  ["auction_start_price", ["x", "-1", "1.5", String(MAX + 1n)], "400 1101"],
];

const AUCTION = { auction_start_price: "100" };

// biome-ignore format: a line for each key
const AUCTION_REFUSED: typeof REFUSED = [
  ["auction_bidding_unit", ["x", "0", "-1", String(MAX + 1n)], "400 1101"],
  ["auction_buynow_price", ["x", "-1", String(MAX + 1n)], "400 1101"],
  ["auction_buynow_price", ["100", "99", "1"], "400 3005"],
  ["auction_end", ["x", "-1", "1.5"], "400 1102"],
];

for (const [more, cases] of [
  [{}, REFUSED],
  [AUCTION, AUCTION_REFUSED],
] as const) {
  for (const [key, values, answer] of cases) {
    test(`mrc401 §7: ${key} ${JSON.stringify(values).slice(0, 60)}: ${answer}, and the element is named`, async () => {
      for (const value of values) {
        const element = { ...more, [key]: value };
        const place = `itemdata[2].${key}`;
        assert.equal(await answered([{}, {}, element]), `${answer} ${place}`, String(value));
      }
    });
  }
}

for (const value of [true, {}, []]) {
  test(`mrc401 §1.4: ${JSON.stringify(value)} in place of an integer: 1007`, async () => {
    for (const key of ["initial_reserve", "initial_token", "expiredate", "sell_price"]) {
      assert.match(await answered([{ [key]: value }]), /^400 1007 itemdata/, key);
    }
  });
}

for (const itemdata of [
  "x",
  '"x"',
  "[",
  "[{},]",
  "null",
  "[1]",
  "[[]]",
  "[null]",
  '["x"]',
  '[{"groupid":"a","groupid":"a"}]',
  '[{"unknown":{"a":1,"a":1}}]',
  `[{"unknown":${"[".repeat(7)}${"]".repeat(7)}}]`,
  "[".repeat(100_000),
]) {
  test(`mrc401 §1.4: itemdata ${itemdata.slice(0, 40)}: 1007`, async () => {
    assert.match(await answered(itemdata), /^400 1007 itemdata/);
  });
}

test("mrc401 §1.4, conventions §1.8: a depth of 8, and much text of no meaning", async () => {
  const deep = `[{"unknown":${"[".repeat(6)}${"]".repeat(6)}}]`;
  assert.equal(await answered(deep), "200");
  assert.equal(await answered([{ unknown: "x".repeat(1_000_000) }]), "200");
  assert.equal(await answered(` [ {\n} ]\t`), "200");
});

test("mrc401 §7: reserves of one token above 10^40 together: 1101; of two tokens they are not added", async () => {
  const most = { initial_reserve: String(MAX) };
  assert.match(await answered([most, { initial_reserve: "1" }]), /^400 1101 itemdata/);
  const answer = await create([most, { initial_reserve: String(MAX), initial_token: "7" }]);
  assert.equal(saidCode(answer), "400 5000");
});

test("mrc401 §7: the order in which a create refuses", async () => {
  const { p, a } = cast;
  await collection.items(q, p, { item_id: numberOf(1) });
  const bound = { item_id: numberOf(1), transferable: "Bound", initial_token: "99" };
  const itemdata = [{ ...bound, initial_reserve: "1001", sell_price: "1" }];
  const unknown = `MRC400_${"0".repeat(33)}`;
  await collection.done("updateProject", o, { mrc400id: q, allowtoken: "7", partner: {} });
  await collection.mending("create", { by: p, stranger: a }, [
    [{ mrc400id: unknown, creator: "MTx", itemdata: "" }, "400 1000"],
    [{ itemdata }, "400 3190"],
    [{ creator: UNKNOWN, itemdata: "{}" }, "400 1007"],
    [{ itemdata: [] }, "400 3002"],
    [{ itemdata: [{ ...itemdata[0], groupid: "x".repeat(65) }] }, "400 3005"],
    [{ itemdata: [{ ...itemdata[0], sell_price: "x" }] }, "400 1101"],
    [{ itemdata: [{ ...itemdata[0], expiredate: "x" }] }, "400 1102"],
    [{ itemdata: [...itemdata, ...itemdata] }, "400 3004"],
    [{ itemdata }, "404 6004"],
    [{ mrc400id: "x" }, "404 6004"],
    [{ mrc400id: idOf(1) }, "404 6004"],
    [{ mrc400id: q }, "404 3090"],
    [{ creator: p.address }, "404 4001"],
    [{ itemdata: [{ ...itemdata[0], initial_token: "9" }] }, "400 3005"],
    [{ itemdata: [{ ...itemdata[0], initial_token: "7" }] }, "key"],
    [{}, "403 7002"],
  ]);
  const partner = { [p.address]: "partner" };
  await collection.done("updateProject", o, { mrc400id: q, partner });
  const taken = { ...itemdata[0], initial_token: "7" };
  const free = { ...taken, item_id: numberOf(2) };
  await collection.mending("create", { by: p, stranger: a }, [
    [{ mrc400id: q, itemdata: [taken] }, "409 7111"],
    [{ itemdata: [free] }, "409 7109"],
    [{ itemdata: [{ ...free, transferable: "Temporary" }] }, "400 5000"],
    [{ itemdata: [{ ...free, transferable: "Temporary", initial_reserve: "0" }] }, "200"],
  ]);
});

for (const name of ["itemdata", "tkey", "signature"]) {
  test(`mrc401 §7: a create without ${name}: 1000`, async () => {
    const params = { mrc400id: q, itemdata: [{}] };
    const request = await collection.request("create", o, params);
    const { [name]: _, ...without } = request.params as Params;
    assert.equal(said(await collection.post({ ...request, params: without })), `400 1000 ${name}`);
  });
}

test("mrc401 §18 row 80: none of the above has created or lost a unit", () =>
  collection.assertConserved());
