import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type { Address } from "@moneta/protocol";
import type { Params } from "../../testing/admitted.ts";
import type { Answer } from "../../testing/answer.ts";
import { assertRecords } from "../../testing/shown/expected-records.ts";
import type { UnitItemShown } from "../../testing/shown/shown-units.ts";
import {
  createItems,
  createProject,
  type Element,
  PROJECT,
} from "../../testing/trade/creations.ts";
import { NOBODY, numberOf } from "../../testing/trade/item-terms.ts";
import type { UnitRole } from "../../testing/trade/unit-terms.ts";
import { type UnitCast, UnitTrade } from "../../testing/trade/unit-trade.ts";

let trade: UnitTrade;
let cast: UnitCast;
let a: Address;
let b: Address;
let d: Address;
let o: Address;
beforeEach(async () => {
  trade = await UnitTrade.open({ coins: 1000n });
  ({ cast } = trade);
  ({ a, b, d, o } = cast);
});
afterEach(() => trade[Symbol.dispose]());

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

test("mrc402 §18 row 45: U Temporary, on sale; O sets Bound; then buy 7109, unsell works, transfer 7109, melt works", async () => {
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
  test(`mrc402 §18 row 46: set ${from} to ${to}: ${answer}`, async () => {
    const u = await trade.item(cast.project, o, { transferable: from });
    assert.equal(await updated(u, { transferable: to }), answer);
    trade.assertItem(u, { transferable: answer === "done" ? to : from });
  });
}

test("mrc402 §18 row 47: sell_fee 2 while listed, O sets 50, then a purchase of P = 100: O 2; next listing: O 50", async () => {
  const u = await trade.ofO({ sell_fee: "2" }, { a: 1 });
  const first = await trade.list("sell", a, u, { amount: "1", price: "100" });
  assert.equal(await updated(u, { sell_fee: "50" }), "done");
  trade.assertItem(u, { sell_fee: "50" });
  trade.assertListing(first, { sell_fee: "2" });
  const buy = async (by: Address, id: string): Promise<string> =>
    (await trade.send("buy", by, { id, amount: "1" })).outcome;
  assert.equal(
    await buy(b, first),
    "done: a +98, b -100, o +2, a -1 on sale, b +1 units",
    "the listing's fee",
  );
  const second = await trade.list("sell", b, u, { amount: "1", price: "100" });
  trade.assertListing(second, { sell_fee: "50" });
  assert.equal(await buy(d, second), "done: b +50, d -100, o +50, b -1 on sale, d +1 units");
});

test("mrc402 §18 row 48: partner who created U changes groupid: accepted; sell_fee: 7002; the same after its role was withdrawn: 7002, 7002", async () => {
  const u = await trade.item(cast.project, cast.partner, {});
  assert.equal(await updated(u, { groupid: "g" }, "partner"), "done");
  assert.equal(await updated(u, { sell_fee: "1" }, "partner"), "403 7002");
  assert.equal(await updated(u, { groupid: "h", sell_fee: "1" }, "partner"), "403 7002");
  await withdrawRoles();
  assert.equal(await updated(u, { groupid: "h" }, "partner"), "403 7002");
  assert.equal(await updated(u, { sell_fee: "1" }, "partner"), "403 7002");
  trade.assertItem(u, { groupid: "g", sell_fee: "0" });
});

// In a project: §10.

const OWNERS: readonly (readonly [field: string, value: string, shown: Partial<UnitItemShown>])[] =
  [
    ["sell_fee", "2.50", { sell_fee: "2.5" }],
    ["sell_fee", "99.9999", { sell_fee: "99.9999" }],
    ["melt_fee", "33.3333", { meltint_fee: "33.3333" }],
    ["meltint_fee", "3", { meltint_fee: "3" }],
    ["melting_fee", "4", { meltint_fee: "4" }],
    ["transferable", "Bound", { transferable: "Bound" }],
  ];

const EVERYBODYS: typeof OWNERS = [
  ["item_url", "https://b.example/1", { item_url: "https://b.example/1" }],
  ["item_image_url", "ipfs://b", { item_image_url: "ipfs://b" }],
  ["groupid", "g", { groupid: "g" }],
];

for (const [field, value, shown] of [...OWNERS, ...EVERYBODYS]) {
  const isOwners = OWNERS.some(([name]) => name === field);
  test(`mrc402 §2.3, §10: ${field} ${value} is changed by O${isOwners ? " alone" : ", and by roles partner and creator for items they created"}`, async () => {
    for (const creator of ["o", "partner", "maker"] as const) {
      for (const role of ["o", "partner", "maker", "seller", "a", "d"] as const) {
        const terms = { transferable: "Temporary" };
        const u = await trade.item(cast.project, cast[creator], terms);
        await trade.give(u, cast[creator], a);
        const mayDo = role === "o" || (!isOwners && role === creator);
        const item = trade.record(u);
        const answer = await updateItems([{ id: u, [field]: value }], { role });
        assert.equal(answer.code, mayDo ? "done" : "403 7002", `${role} for ${creator}`);
        assert.deepEqual(trade.record(u), { ...item, ...(mayDo ? shown : {}) });
      }
    }
  });
}

test("mrc402 §2.3: role seller cannot change what it created", async () => {
  const u = await trade.item(cast.project, cast.seller, { sell_price: "5" });
  assert.equal(await updated(u, { groupid: "g" }, "seller"), "403 7002");
});

test("mrc402 §10: an empty item_url, item_image_url or groupid clears, so that the project's shows again; other empty keys leave their fields", async () => {
  const own = {
    item_url: "https://b.example/1",
    item_image_url: "https://b.example/2",
    groupid: "g",
    sell_fee: "1",
    melt_fee: "2",
    transferable: "Temporary",
  };
  const u = await trade.item(cast.project, o, own);
  const item = trade.record(u);
  const none = { sell_fee: "", melt_fee: "", transferable: "" };
  assert.equal(await updated(u, none), "400 4900");
  assert.equal(
    await updated(u, { ...none, item_url: "", item_image_url: "", groupid: "" }),
    "done",
  );
  assert.deepEqual(trade.record(u), {
    ...item,
    item_url: PROJECT.itemurl,
    item_image_url: PROJECT.itemimageurl,
    groupid: "",
  });
});

test("mrc402 §10: nothing that changes: 4900; one element of several that does is enough, and unknown keys are ignored", async () => {
  const terms = { groupid: "g", sell_fee: "2.5", transferable: "Temporary" };
  const [u = "", v = ""] = await trade.items(cast.project, o, terms, terms);
  const same = { id: u, ...terms, sell_fee: "2.50" };
  assert.equal((await updateItems([same])).outcome, "400 4900");
  const other = { name: "n", totalsupply: "9", sell_price: "5", initial_reserve: "5", unknown: {} };
  assert.equal((await updateItems([{ ...same, ...other }])).outcome, "400 4900");
  assert.equal((await updateItems([{ id: v }])).outcome, "400 4900");
  const both = [same, { id: v, groupid: "h" }];
  assert.equal((await updateItems(both)).outcome, "done");
  trade.assertItem(u, { groupid: "g" });
  trade.assertItem(v, { groupid: "h" });
});

test("mrc402 §10: a new melt_fee holds from now on", async () => {
  const terms = { initialreserve: { "0": "100" }, totalsupply: "3", melt_fee: "10" };
  const u = await trade.item(cast.project, o, terms);
  await trade.give(u, o, a, "3");
  const melt = async (): Promise<string> => (await trade.send("melt", a, { mrc402id: u })).outcome;
  assert.equal(await melt(), "done: a +90, o +10, a -1 units");
  assert.equal(await updated(u, { melt_fee: "20" }), "done");
  assert.equal(await melt(), "done: a +80, o +20, a -1 units");
});

test("mrc402 §2.6: rates together above 100 with the item's own platform: 3005, open listings notwithstanding", async () => {
  const terms = {
    creatorcommission: "5",
    shareholder: { [b]: "3" },
    platform_address: d,
    platform_commission: "2",
  };
  const u = await trade.ofO(terms, { a: 1 });
  assert.equal(await updated(u, { sell_fee: "90.0001" }), "400 3005");
  assert.equal(await updated(u, { sell_fee: "90" }), "done");
  const bare = await trade.ofO({ ...terms, platform_address: "" }, { a: 1 });
  await trade.list("sell", a, bare, {
    amount: "1",
    platform_address: d,
    platform_commission: "10",
  });
  assert.equal(await updated(bare, { sell_fee: "92" }), "done", "no platform without an address");
  assert.equal(await updated(bare, { sell_fee: "92.0001" }), "400 3005");
});

for (const { role, isNamed } of [
  { role: "o", isNamed: true },
  { role: "o", isNamed: false },
  { role: "partner", isNamed: false },
  { role: "maker", isNamed: true },
] as const) {
  test(`mrc402 §10: by ${role}, ${isNamed ? "named" : "by key"}: records M and I with the values after the change`, async () => {
    trade.now += 10;
    const { [role]: by, project } = cast;
    const terms = { item_url: "https://b.example/1", sell_fee: "2.50", transferable: "Temporary" };
    const [u = "", v = ""] = await trade.items(project, by, terms, {});
    const owners = role === "o" ? { sell_fee: "3.10", melt_fee: "1", transferable: "Bound" } : {};
    const itemdata = JSON.stringify([
      { id: u, groupid: "g|g", item_url: "", ...owners },
      { item_id: v.slice(41), item_image_url: "ipfs://b" },
    ]);
    const params = { mrc400id: project, itemdata, ...(isNamed ? {} : { owner: "" }) };
    const answer = await trade.done("itemupdate", by, params);
    const { signature, tkey } = answer;
    const ends = [signature, tkey];
    const fees = role === "o" ? ["3.1", "1", "Bound"] : ["2.5", "0", "Temporary"];
    assertRecords(trade.client, answer, [
      { type: "mrc402update", of: by, parameters: [project, by, itemdata, ...ends] },
      {
        type: "mrc402_update",
        of: u,
        parameters: [u, by, "", "", "g|g", ...fees, ...ends],
      },
      {
        type: "mrc402_update",
        of: v,
        parameters: [v, by, "", "ipfs://b", "", "0", "0", "Permanent", ...ends],
      },
    ]);
  });
}

for (const [what, itemdata, answer] of [
  ["no elements", [], "400 3002"],
  ["101 elements", Array.from({ length: 101 }, (_, n) => ({ item_id: numberOf(n) })), "400 3002"],
  ["no array", "{}", "400 1007"],
  ["no JSON", "[", "400 1007"],
  ["an element that is no object", ["x"], "400 1007"],
  ["a key twice", '[{"groupid":"a","groupid":"a"}]', "400 1007"],
  ["no item_id", [{ groupid: "g" }], "400 1000"],
  ["an empty item_id", [{ item_id: "", groupid: "g" }], "400 1000"],
  ["an item of another project", [{ id: `MRC400_${"0".repeat(33)}_${numberOf(1)}` }], "400 3005"],
  ["an item twice", [{ item_id: numberOf(1) }, { item_id: numberOf(1) }], "400 3004"],
  ["an unknown item", [{ item_id: numberOf(404), groupid: "g" }], "404 6004"],
  ["a rate above its bound", [{ item_id: numberOf(1), sell_fee: "100" }], "400 3005"],
  ["a rate as a number", [{ item_id: numberOf(1), melt_fee: 5 }], "400 1007"],
  ["a groupid that is too long", [{ item_id: numberOf(1), groupid: "x".repeat(65) }], "400 3005"],
  ["a URL that is none", [{ item_id: numberOf(1), item_url: "x" }], "400 3005"],
] as const) {
  test(`mrc402 §10: ${what}: ${answer}`, async () => {
    await trade.item(cast.project, o, { item_id: numberOf(1) });
    assert.equal((await updateItems(itemdata)).outcome, answer);
  });
}

test("mrc402 §10: an MRC401 item and one standing alone are no items of the project: 6004 or 3005; the id of an item is none of a project", async () => {
  const [unique = ""] = await createItems(trade.client, cast.project, o, {});
  assert.equal(await updated(unique, { groupid: "g" }), "404 6004");
  const elsewhere = await createProject(trade.client, o);
  const other = await trade.item(elsewhere, o);
  assert.equal(await updated(other, { groupid: "g" }), "400 3005");
  const params = { mrc400id: elsewhere, itemdata: [{ id: other, groupid: "g" }] };
  assert.equal((await trade.send("itemupdate", o, params)).code, "done");
  const noProject = { ...params, mrc400id: `MRC400_${"0".repeat(33)}` };
  const [, number = ""] = other.split(/_(?=.{40}$)/);
  const unknown = { ...noProject, itemdata: [{ item_id: number, groupid: "h" }] };
  assert.equal((await trade.send("itemupdate", o, unknown)).said, "404 6004 mrc400id");
});

test("mrc402 §10: an ended item: 7110, and with it the whole request", async () => {
  const [u = "", v = ""] = await trade.items(cast.project, o, {}, {});
  assert.equal((await trade.send("melt", o, { mrc402id: u })).code, "done");
  const both = [
    { id: v, groupid: "g" },
    { id: u, groupid: "g" },
  ];
  assert.equal((await updateItems(both)).outcome, "409 7110");
  trade.assertItem(v, { groupid: "" });
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

test("mrc402 §10: with 100 elements each step is done for all before the next", async () => {
  const elements = Array.from({ length: 100 }, (_, n) => ({ item_id: numberOf(n) }));
  await trade.items(cast.project, o, ...elements);
  const change = elements.map((element) => ({ ...element, groupid: "g" }));
  const last = (element: Element): Element[] => [{ ...change[0], transferable: "Bound" }, element];
  assert.equal((await updateItems(last({ item_id: numberOf(100) }))).code, "404 6004");
  assert.equal((await updateItems(last({ ...change[1], sell_fee: "x" }))).code, "400 3005");
  assert.equal((await updateItems(last({ item_id: "" }))).code, "400 1000");
  assert.equal((await updateItems(change)).outcome, "done");
  trade.assertItem(`${cast.project}_${numberOf(99)}`, { groupid: "g" });
});
