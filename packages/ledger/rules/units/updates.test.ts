import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { Address } from "@moneta/protocol";
import type { Params } from "../../testing/admitted.ts";
import type { Answer } from "../../testing/answer.ts";
import type { UnitItemShown } from "../../testing/shown/shown-units.ts";
import { TestClient } from "../../testing/test-client.ts";
import { type Element, PROJECT } from "../../testing/trade/creations.ts";
import { NOBODY, numberOf } from "../../testing/trade/item-terms.ts";
import { NO_UNIT_ITEM, type UnitRole } from "../../testing/trade/unit-terms.ts";
import { type UnitCast, UnitTrade } from "../../testing/trade/unit-trade.ts";

// Updates by the creator and in a project: mrc402 §9, §10.

let client: TestClient;
let trade: UnitTrade;
let cast: UnitCast;
let c: Address;
let a: Address;
let b: Address;
let o: Address;
before(async () => {
  client = await TestClient.open();
});
after(() => client[Symbol.dispose]());
beforeEach(async () => {
  trade = await UnitTrade.on(client, 1000n);
  ({ cast } = trade);
  ({ c, a, b, o } = cast);
});

/** Updates by the creator, §9. */
function update(mrc402id: string, change: Params, by: Address = c): Promise<Answer> {
  return trade.send("update", by, { mrc402id, ...change });
}

test("mrc402 §9: update url only: data unchanged; same url again: 4900; copyright country set twice: 3005", async () => {
  const x = await trade.alone(c, { data: "d", information: "i", totalsupply: "5" });
  const item = trade.record(x);
  const url = "https://b.example/";
  assert.equal((await update(x, { url })).outcome, "done");
  assert.deepEqual(trade.record(x), { ...item, url });
  assert.equal((await update(x, { url })).outcome, "400 4900");
  const country = { copyright_registration_country: "CH" };
  assert.equal((await update(x, country)).outcome, "done");
  for (const again of ["CH", "DE"]) {
    const twice = { copyright_registration_country: again };
    assert.equal((await update(x, twice)).outcome, "400 3005", again);
    const more = { ...twice, url: "https://c.example/" };
    assert.equal((await update(x, more)).outcome, "400 3005", again);
  }
  assert.deepEqual(trade.record(x), { ...item, url, ...country });
});

// By the creator: §9.

test("mrc402 §9: each field by itself; an absent or empty one is unchanged; socialmedia is replaced as a whole", async () => {
  const x = await trade.alone(c);
  let item = trade.record(x);
  for (const [change, fields] of [
    [{ url: "https://b.example/" }, { url: "https://b.example/" }],
    [{ data: "d", url: "" }, { data: "d" }],
    [{ information: "a|b" }, { information: "a|b" }],
    [
      { socialmedia: { a: "https://a.example/", b: "https://b.example/" } },
      { socialmedia: { a: "https://a.example/", b: "https://b.example/" } },
    ],
    [{ socialmedia: '{"b":"https://c.example/"}' }, { socialmedia: { b: "https://c.example/" } }],
    [{ data: "e", information: "" }, { data: "e" }],
    [{ socialmedia: "{}" }, { socialmedia: {} }],
    [{ copyright_registrar: "IGE" }, { copyright_registrar: "IGE" }],
    [{ copyright_registration_number: "1" }, { copyright_registration_number: "1" }],
    [{ copyright_registration_country: "CH" }, { copyright_registration_country: "CH" }],
  ] as readonly (readonly [Params, Partial<UnitItemShown>])[]) {
    assert.equal((await update(x, change)).outcome, "done", JSON.stringify(change));
    item = { ...item, ...fields };
    assert.deepEqual(trade.record(x), item);
  }
});

test("mrc402 §2.3: only the creator: holders, the project's owner and roles cannot, named or by key: 7002", async () => {
  const u = await trade.item(cast.project, cast.maker, {});
  await trade.give(u, cast.maker, a);
  for (const role of ["a", "o", "partner", "seller", "d"] as const) {
    for (const address of [cast[role], ""]) {
      const answer = (await update(u, { data: "d", address }, cast[role])).outcome;
      assert.equal(answer, "403 7002", role);
    }
  }
  await trade.updateProject({ partner: {} });
  assert.equal((await update(u, { data: "d" }, cast.maker)).code, "done");
  trade.assertItem(u, { data: "d", url: PROJECT.url });
});

test("mrc402 §9: the order in which an update refuses", async () => {
  const foreign = await trade.alone(a);
  const x = await trade.alone(c, { copyright_registrar: "IGE", data: "d" });
  const later = { address: NOBODY, copyright_registrar: "DPMA" };
  await trade.mending("update", { by: c, stranger: a }, [
    [{ mrc402id: NO_UNIT_ITEM, ...later, url: "x" }, "400 3005"],
    [{ url: "", socialmedia: "[]" }, "400 1007"],
    [{ socialmedia: "", address: "MTx" }, "400 3190"],
    [{ address: NOBODY }, "404 6004"],
    [{ mrc402id: foreign }, "404 3090"],
    [{ address: c }, "key"],
    [{}, "403 7002"],
    [{ mrc402id: x }, "400 3005"],
    [{ copyright_registrar: "", data: "d" }, "400 4900"],
    [{ data: "e" }, "done"],
  ]);
});

/** Updates items of P, §10, as O by default. */
function updateItems(
  itemdata: string | readonly unknown[],
  { role = "o", ...params }: Params & { readonly role?: UnitRole } = {},
): Promise<Answer> {
  const all = { mrc400id: cast.project, itemdata, ...params };
  return trade.send("itemupdate", cast[role], all);
}

async function updated(id: string, change: Element, role: UnitRole = "o"): Promise<string> {
  return (await updateItems([{ id, ...change }], { role })).outcome;
}

async function withdrawRoles(): Promise<void> {
  await trade.updateProject({ partner: {} });
}

// Rows of §18.

test("mrc402 §2.4: U Temporary, on sale; O sets Bound; then buy 7109, unsell works, transfer 7109, melt works", async () => {
  const u = await trade.ofO({ transferable: "Temporary", initialreserve: { "0": "5" } }, { a: 1 });
  const dexid = await trade.list("sell", a, u, { amount: "1" });
  assert.equal(await updated(u, { transferable: "Bound" }), "done");
  for (const params of [{ id: u }, { id: u, amount: "1" }, { id: dexid, amount: "1" }]) {
    assert.equal((await trade.send("buy", b, params)).outcome, "409 7109");
  }
  const unsell = (await trade.send("unsell", a, { id: dexid })).outcome;
  assert.equal(unsell, "done: a +1 units, a -1 on sale");
  const transfer = { mrc402id: u, toAddr: b };
  assert.equal((await trade.send("transfer", a, transfer)).outcome, "409 7109");
  for (const [word, params] of [
    ["sell", { id: u, amount: "1", price: "1", token: "0" }],
    ["sell", { itemdata: [{ id: u, price: "1", token: "0" }] }],
    ["auction", { id: u, amount: "1", auction_start_price: "1", token: "0" }],
  ] as const) {
    assert.equal((await trade.send(word, a, params)).outcome, "409 7109", word);
  }
  const melt = (await trade.send("melt", a, { mrc402id: u })).outcome;
  assert.equal(melt, "done: a +5, a -1 units");
});

for (const [from, to, answer] of [
  ["Permanent", "Bound", "400 3005"],
  ["Bound", "Temporary", "400 3005"],
  ["Permanent", "Temporary", "400 3005"],
  ["Bound", "Permanent", "400 3005"],
  ["Temporary", "Bound", "done"],
  ["Temporary", "Permanent", "done"],
  ["Temporary", "Temporary", "400 4900"],
  ["Temporary", "Temprary", "400 4900"],
  ["Bound", "Bound", "400 4900"],
  ["Temporary", "x", "400 3005"],
] as const) {
  test(`mrc402 §2.4: set ${from} to ${to}: ${answer}`, async () => {
    const u = await trade.item(cast.project, o, { transferable: from });
    assert.equal(await updated(u, { transferable: to }), answer);
    trade.assertItem(u, { transferable: answer === "done" ? to : from });
  });
}

test("mrc402 §2.3: partner who created U changes groupid: accepted; sell_fee: 7002; the same after its role was withdrawn: 7002, 7002", async () => {
  const u = await trade.item(cast.project, cast.partner, {});
  assert.equal(await updated(u, { groupid: "g" }, "partner"), "done");
  assert.equal(await updated(u, { sell_fee: "1" }, "partner"), "403 7002");
  assert.equal(await updated(u, { groupid: "h", sell_fee: "1" }, "partner"), "403 7002");
  await withdrawRoles();
  assert.equal(await updated(u, { groupid: "h" }, "partner"), "403 7002");
  assert.equal(await updated(u, { sell_fee: "1" }, "partner"), "403 7002");
  trade.assertItem(u, { groupid: "g", sell_fee: "0" });
});

test("mrc402 §10: the order in which an update of items refuses", async () => {
  const { project, partner } = cast;
  const ended = await trade.item(project, partner, {});
  assert.equal((await trade.send("melt", partner, { mrc402id: ended })).code, "done");
  const u = await trade.item(project, partner, { creatorcommission: "5" });
  const unknown = { item_id: numberOf(404), sell_fee: "96", transferable: "Bound" };
  const { item_id: _, ...wrong } = unknown;
  const noProject = `MRC400_${"0".repeat(33)}`;
  await trade.mending("itemupdate", { by: partner, stranger: a }, [
    [{ mrc400id: noProject, owner: NOBODY, itemdata: "" }, "400 1000"],
    [{ itemdata: [] }, "400 3002"],
    [{ itemdata: [unknown, unknown] }, "400 3004"],
    [{ itemdata: [unknown, { id: ended }] }, "400 3005"],
    [{ itemdata: [{ ...unknown, groupid: "x".repeat(65) }] }, "400 3005"],
    [{ itemdata: [unknown], owner: "MTx" }, "400 3190"],
    [{ owner: NOBODY }, "404 6004"],
    [{ mrc400id: project }, "404 6004"],
    [{ itemdata: [{ id: ended, ...wrong }] }, "404 3090"],
    [{ owner: partner }, "key"],
    [{}, "403 7002"],
    [{ itemdata: [{ id: ended, groupid: "g" }] }, "409 7110"],
    [{ itemdata: [{ id: u, groupid: "" }] }, "400 4900"],
    [{ itemdata: [{ id: u, groupid: "g" }] }, "done"],
  ]);
  await trade.mending("itemupdate", { by: o, stranger: a }, [
    [{ mrc400id: project, itemdata: [{ id: ended, ...wrong }] }, "409 7110"],
    [{ itemdata: [{ id: u, ...wrong }] }, "400 3005"],
    [{ itemdata: [{ id: u, sell_fee: "96" }] }, "400 3005"],
    [{ itemdata: [{ id: u, sell_fee: "95" }] }, "done"],
  ]);
});
