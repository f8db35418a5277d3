import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, beforeEach, test } from "node:test";
import type { Address } from "@moneta/protocol";
import type { Params } from "../../testing/admitted.ts";
import type { Answer } from "../../testing/answer.ts";
import { TestClient } from "../../testing/test-client.ts";
import type { Cast } from "../../testing/trade/cast.ts";
import { createItems, createProject, createUnitItems } from "../../testing/trade/creations.ts";
import { NO_PROJECT, NOBODY, numberOf } from "../../testing/trade/item-terms.ts";
import { ItemTrade } from "../../testing/trade/item-trade.ts";

let client: TestClient;
let trade: ItemTrade;
let cast: Cast;
let q: string;
let o: Address;
before(async () => {
  client = await TestClient.open({ tokens: 9 });
});
after(() => client[Symbol.dispose]());
beforeEach(async () => {
  trade = await ItemTrade.on(client, 1000n);
  ({ cast } = trade);
  ({ q, o } = cast);
});

/** `by`, or O, creates items in Q. */
function create(
  itemdata: string | readonly unknown[],
  params: Params = {},
  by: Address = o,
): Promise<Answer> {
  return trade.send("mrc401create", by, { mrc400id: q, itemdata, ...params });
}

async function summaryOf(...of: Parameters<typeof create>): Promise<string> {
  return (await create(...of)).summary;
}

/** The number of the nth element, if none is given. Source: mrc401 §7. */
function derivedNumber(tkey: string, n: number): string {
  return createHash("sha256").update(`MRC401|${q}|${tkey}|${n}`).digest("hex").slice(0, 40);
}

/** The answer; of the parameter only the element, such as `itemdata[1]`. */
async function problemSummary(...of: Parameters<typeof create>): Promise<string> {
  return (await summaryOf(...of)).replace(/\].*/, "]");
}

function idOf(n: number): string {
  return `${q}_${numberOf(n)}`;
}

function assertNone(...ids: readonly string[]): void {
  for (const id of ids) {
    assert.throws(() => trade.shown(id), /there is no entry/);
  }
}

function elements(count: number): { item_id: string }[] {
  return Array.from({ length: count }, (_, n) => ({ item_id: numberOf(n) }));
}

test("mrc401 §7: two reserves of 400: O is left with 200, and holds what it created", async () => {
  const ids = await createItems(
    trade.client,
    q,
    o,
    { initial_reserve: "400" },
    { initial_reserve: 400 },
  );
  assert.equal(trade.client.held(o), "200");
  for (const id of ids) {
    const { owner, holder, creator, initial_reserve } = trade.shown(id);
    assert.deepEqual(
      { owner, holder, creator, initial_reserve },
      { owner: "", holder: o, creator: o, initial_reserve: "400" },
    );
  }
});

test("mrc401 §7: then 201: 5000, nothing stored, the key is usable; 200: nothing left", async () => {
  await createItems(trade.client, q, o, { initial_reserve: "400" }, { initial_reserve: "400" });
  const tkey = client.ledger.key(o);
  const element = { item_id: numberOf(3) };
  const over = await create([{ ...element, initial_reserve: "201" }], { tkey });
  assert.equal(over.code, "400 5000");
  assertNone(idOf(3));
  assert.equal(await summaryOf([{ ...element, initial_reserve: "200" }], { tkey }), "done");
  assert.equal(trade.client.held(o), "0");
});

test("mrc401 §7: 100 elements are created", async () =>
  assert.equal(await summaryOf(elements(100)), "done"));

test("mrc401 §7: a number twice: 3004; in use, also by a melted item: 7111", async () => {
  const [first, second] = elements(2);
  assert.equal(await problemSummary([first, second, first]), "400 3004 itemdata[2]");
  assert.equal(await problemSummary([first, { id: idOf(0) }]), "400 3004 itemdata[1]");
  assert.equal(await summaryOf([first]), "done");
  assert.equal(await problemSummary([second, first]), "409 7111 itemdata[1]");
  await trade.done("mrc401melt", o, { mrc401id: idOf(0) });
  assert.equal(await problemSummary([first]), "409 7111 itemdata[0]");
  const other = await createProject(trade.client, o);
  assert.equal(await summaryOf([first], { mrc400id: other }), "done");
});

test("mrc401 §7: a number in use by an MRC402 item: 7111", async () => {
  await createUnitItems(client, q, o, { item_id: numberOf(0) });
  assert.equal(await problemSummary(elements(1)), "409 7111 itemdata[0]");
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
  test(`mrc401 §7: 100 elements, the last ${what}: nothing is created`, async () => {
    await createItems(trade.client, q, o, { item_id: numberOf(0) });
    const good = elements(100).slice(1);
    const before = trade.client.held(o);
    assert.equal((await create([...good, element])).code, answer);
    assertNone(...good.map(({ item_id }) => `${q}_${item_id}`));
    assert.equal(trade.client.held(o), before);
    assert.equal(await summaryOf(good), "done");
  });
}

test("mrc401 §7: without item_id a number is derived from the key and the place", async () => {
  const tkey = client.ledger.key(o);
  const given = numberOf(7);
  const answer = await create([{}, { item_id: given }, { item_id: "" }, { groupid: "g" }], {
    tkey,
  });
  const mrc401ids = answer.made;
  const numbers = [derivedNumber(tkey, 0), given, derivedNumber(tkey, 2), derivedNumber(tkey, 3)];
  assert.deepEqual(
    mrc401ids,
    numbers.map((number) => `${q}_${number}`),
  );
  for (const id of mrc401ids) {
    assert.equal(trade.shown(id).id, id);
  }
});

for (const [key, value, fees] of [
  ["sell_fee", "99.9999", ["99.9999", "0", "0"]],
  ["sell_fee", "2.50", ["2.5", "0", "0"]],
  ["melt_fee", "12.5000", ["0", "12.5", "12.5"]],
] as const) {
  test(`mrc401 §7: ${key} ${value}`, async () => {
    const item = trade.shown(await trade.item(q, o, { [key]: value }));
    assert.deepEqual([item.sell_fee, item.meltint_fee, item.melting_fee], fees);
  });
}

test("conventions §1.1: names of one key: the same value twice is accepted, two values are 1005", async () => {
  for (const [one, other, value, another] of [
    ["melt_fee", "melting_fee", "5", "6"],
    ["melt_fee", "meltint_fee", "5", "6"],
    ["melting_fee", "meltint_fee", "5", "6"],
    ["expiredate", "melting_date", "1000", "1001"],
  ] as const) {
    const id = await trade.item(q, o, { [one]: value, [other]: value });
    const { meltint_fee, expiredate, melting_date } = trade.shown(id);
    const stored = one === "expiredate" ? String(expiredate) : meltint_fee;
    assert.deepEqual([stored, melting_date], [value, 0]);
    const alone = trade.shown(await trade.item(q, o, { [other]: another }));
    assert.ok([alone.meltint_fee, String(alone.expiredate)].includes(another));
  }
});

for (const [value, shown] of [
  ["Temprary", "Temporary"],
  ["Bound", "Bound"],
  ["", "Permanent"],
] as const) {
  test(`mrc401 §7: transferable ${JSON.stringify(value)}: ${shown}`, async () =>
    assert.equal(trade.shown(await trade.item(q, o, { transferable: value })).transferable, shown));
}

for (const key of ["initial_token", "sell_token", "auction_token"]) {
  test(`mrc401 §2.4: allow_token 7: ${key} 9 / 7 / 0 / 99`, async () => {
    await trade.done("mrc400update", o, { mrc400id: q, allowtoken: "7" });
    await trade.client.pay(o, 1n, { token: "7" });
    const price = {
      initial_token: {},
      sell_token: { sell_price: "1" },
      auction_token: { auction_start_price: "1" },
    }[key];
    const ask = (value: string): Promise<string> =>
      summaryOf([
        {},
        { ...price, ...(key === "initial_token" && { initial_reserve: "1" }), [key]: value },
      ]);
    const blamed = `itemdata[1].${key}`;
    assert.deepEqual(
      [await ask("9"), await ask("7"), await ask("0"), await ask("99"), await ask("x")],
      [`400 3005 ${blamed}`, "done", "done", `404 4001 ${blamed}`, `400 1101 ${blamed}`],
    );
  });
}

test("mrc401 §7: sale and auction: 3005; a sale or auction of what is Bound: 7109", async () => {
  const both = { sell_price: "300", auction_start_price: "100" };
  assert.equal(await problemSummary([{}, both]), "400 3005 itemdata[1]");
  for (const listing of [{ sell_price: "300" }, { auction_start_price: "100" }]) {
    const bound = { transferable: "Bound", ...listing };
    assert.equal(await problemSummary([{}, bound]), "409 7109 itemdata[1]");
  }
  const none = { transferable: "Bound", sell_price: "0", auction_start_price: 0 };
  assert.equal(await summaryOf([none]), "done");
});

test("mrc401 §2.4: P pays the reserve, O who melts gets all of it", async () => {
  const { p } = cast;
  const element = { initial_reserve: "1000", melt_fee: "12.5" };
  const id = await trade.item(q, p, element);
  assert.deepEqual([trade.client.held(p), trade.client.held(o)], ["0", "1000"]);
  const melted = await trade.done("mrc401melt", o, { mrc401id: id });
  assert.deepEqual([trade.client.held(p), trade.client.held(o)], ["0", "2000"]);
  const { effects } = melted;
  assert.deepEqual(
    effects.map(({ type }) => type),
    ["receive_melt", "mrc401_melt"],
  );
});

test("market §2.1: the times of a sale that begins with an item or units; without a price they are nothing", async () => {
  const [start, end] = [String(trade.now + 3600), String(trade.now + 3601)];
  for (const [window, answer] of [
    [{ sell_start: start, sell_end: start }, "400 3005 itemdata[0].sell_end"],
    [{ sell_start: start, sell_end: end }, "done"],
  ] as const) {
    const itemdata = [{ sell_price: "5", ...window }];
    assert.equal(await summaryOf(itemdata), answer);
    assert.equal((await trade.send("mrc402create", o, { mrc400id: q, itemdata })).summary, answer);
  }
  const [x = ""] = (await create([{ sell_end: "1" }])).made;
  trade.assertItem(x, { sell_date: 0, sell_end: 0 });
});

test("mrc401 §7: the order in which a create refuses", async () => {
  const { p, a } = cast;
  await createItems(trade.client, q, p, { item_id: numberOf(1) });
  const bound = { item_id: numberOf(1), transferable: "Bound", initial_token: "99" };
  const itemdata = [{ ...bound, initial_reserve: "1001", sell_price: "1" }];
  const unknown = NO_PROJECT;
  await trade.done("mrc400update", o, { mrc400id: q, allowtoken: "7", partner: {} });
  await trade.client.mending("mrc401create", { by: p, stranger: a }, [
    [{ mrc400id: unknown, creator: "MTx", itemdata: "" }, "400 1000"],
    [{ itemdata }, "400 3190"],
    [{ creator: NOBODY, itemdata: "{}" }, "400 1007"],
    [{ itemdata: [] }, "400 3002"],
    [{ itemdata: [{ ...itemdata[0], groupid: "x".repeat(65) }] }, "400 3005"],
    [{ itemdata: [{ ...itemdata[0], sell_price: "x" }] }, "400 1101"],
    [{ itemdata: [{ ...itemdata[0], expiredate: "x" }] }, "400 1102"],
    [{ itemdata: [...itemdata, ...itemdata] }, "400 3004"],
    [{ itemdata }, "404 6004"],
    [{ mrc400id: "x" }, "404 6004"],
    [{ mrc400id: idOf(1) }, "404 6004"],
    [{ mrc400id: q }, "404 3090"],
    [{ creator: p }, "404 4001"],
    [{ itemdata: [{ ...itemdata[0], initial_token: "9" }] }, "400 3005"],
    [{ itemdata: [{ ...itemdata[0], initial_token: "7" }] }, "key"],
    [{}, "403 7002"],
  ]);
  const partner = { [p]: "partner" };
  await trade.done("mrc400update", o, { mrc400id: q, partner });
  const taken = { ...itemdata[0], initial_token: "7" };
  const free = { ...taken, item_id: numberOf(2) };
  await trade.client.mending("mrc401create", { by: p, stranger: a }, [
    [{ mrc400id: q, itemdata: [taken] }, "409 7111"],
    [{ itemdata: [free] }, "409 7109"],
    [{ itemdata: [{ ...free, transferable: "Temporary" }] }, "400 5000"],
    [{ itemdata: [{ ...free, transferable: "Temporary", initial_reserve: "0" }] }, "done"],
  ]);
});

test("mrc401 §2.5: by S, two elements, one of them without sale: 7002, nothing created", async () => {
  const [sold, unsold] = [{ item_id: numberOf(1), sell_price: "300" }, { item_id: numberOf(2) }];
  const answer = await summaryOf([sold, unsold], {}, cast.s);
  assert.match(answer, /^403 7002( itemdata\[1\])?$/);
  assertNone(idOf(1));
  const auctioned = { item_id: numberOf(2), auction_start_price: "1" };
  assert.equal(await summaryOf([sold, auctioned], {}, cast.s), "done");
});
