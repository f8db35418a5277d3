import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import {
  changed,
  createProject,
  createItems as createUniqueItems,
  type Element,
  type ItemParams,
  itemRequest,
  numberOf,
  PROJECT,
  renamed,
  sendItem,
} from "../testing/item-requests.ts";
import { NOBODY } from "../testing/item-trade.ts";
import {
  type Answered,
  type KeyHolder,
  type Params,
  said,
  saidCode,
  type TestNode,
  transactionIdOf,
} from "../testing/test-node.ts";
import {
  assertUnitsRecorded,
  NO_UNIT_ITEM,
  type UnitCast,
  type UnitItem,
  type UnitRole,
  Units,
  unitsSaid,
} from "../testing/unit-requests.ts";

// Updates of items by their creators and by those of their project: mrc402 §2.3, §2.4, §9, §10, and their rows in §18. After each case row
// 66 holds.

let units: Units;
let node: TestNode;
let cast: UnitCast;
let c: KeyHolder;
let a: KeyHolder;
let b: KeyHolder;
let d: KeyHolder;
let o: KeyHolder;
before(async () => {
  units = await Units.open();
  node = units.node;
});
after(() => units[Symbol.asyncDispose]());
beforeEach(async () => {
  cast = await units.cast();
  ({ c, a, b, d, o } = cast);
});
afterEach(() => units.assertConserved());

/** Updates by the creator, §9. */
function update(mrc402id: string, change: ItemParams, by: KeyHolder = c): Promise<Answered> {
  return units.send("update", by, { mrc402id, ...change });
}

/** Updates items of P, §10, as O unless told otherwise. */
function updateItems(
  itemdata: string | readonly unknown[],
  { role = "o", ...params }: Params & { readonly role?: UnitRole } = {},
): Promise<Answered> {
  const all = { mrc400id: cast.project, itemdata, ...params };
  return units.send("itemUpdate", cast[role], all);
}

async function updated(id: string, change: Element, role: UnitRole = "o"): Promise<string> {
  return units.outcome(() => updateItems([{ id, ...change }], { role }));
}

/** An item of P with one unit, which O created and A holds. */
async function heldByA(element: Element = {}): Promise<string> {
  const u = await units.item(cast.project, o, element);
  await units.give(u, o, a);
  return u;
}

async function withdrawRoles(): Promise<void> {
  const params = { mrc400id: cast.project, partner: {} };
  const request = await itemRequest(node, "updateProject", o, params);
  assert.equal(saidCode(await sendItem(node, request)), "200");
}

// Rows of §18.

test("mrc402 §18 row 45: U Temporary, on sale; O sets Bound; then buy 7109, unsell works, transfer 7109, melt works", async () => {
  const u = await heldByA({ transferable: "Temporary", initialreserve: { "0": "5" } });
  const dexid = await units.list("sell", a, u);
  assert.equal(await updated(u, { transferable: "Bound" }), "200");
  for (const params of [{ id: u }, { id: u, amount: "1" }, { id: dexid, amount: "1" }]) {
    assert.equal(await units.outcome(() => units.send("buy", b, params)), "409 7109");
  }
  const unsell = await units.outcome(() => units.send("unsell", a, { id: dexid }));
  assert.equal(unsell, "200: a +1 units, a -1 on sale");
  const transfer = { mrc402id: u, toAddr: b.address };
  assert.equal(await units.outcome(() => units.send("transfer", a, transfer)), "409 7109");
  for (const [word, params] of [
    ["sell", { id: u, amount: "1", price: "1", token: "0" }],
    ["sell", { itemdata: [{ id: u, price: "1", token: "0" }] }],
    ["auction", { id: u, amount: "1", auction_start_price: "1", token: "0" }],
  ] as const) {
    assert.equal(await units.outcome(() => units.send(word, a, params)), "409 7109", word);
  }
  const melt = await units.outcome(() => units.send("melt", a, { mrc402id: u }));
  assert.equal(melt, "200: a +5, a -1 units");
});

for (const [from, to, answer] of [
  ["Permanent", "Bound", "400 3005"],
  ["Bound", "Temporary", "400 3005"],
  ["Permanent", "Temporary", "400 3005"],
  ["Bound", "Permanent", "400 3005"],
  ["Temporary", "Bound", "200"],
  ["Temporary", "Permanent", "200"],
  ["Temporary", "Temporary", "400 4900"],
  ["Temporary", "Temprary", "400 4900"],
  ["Bound", "Bound", "400 4900"],
  ["Temporary", "x", "400 3005"],
] as const) {
  test(`mrc402 §18 row 46: set ${from} to ${to}: ${answer}`, async () => {
    const u = await units.item(cast.project, o, { transferable: from });
    assert.equal(await updated(u, { transferable: to }), answer);
    await units.assertItem(u, { transferable: answer === "200" ? to : from });
  });
}

test("mrc402 §18 row 47: sell_fee 2 while listed, O sets 50, then a purchase of P = 100: O 2; next listing: O 50", async () => {
  const u = await heldByA({ sell_fee: "2" });
  const first = await units.list("sell", a, u, { price: "100" });
  assert.equal(await updated(u, { sell_fee: "50" }), "200");
  await units.assertItem(u, { sell_fee: "50" });
  await units.assertListing(first, { sell_fee: "2" });
  const buy = (by: KeyHolder, id: string): Promise<string> =>
    units.outcome(() => units.send("buy", by, { id, amount: "1" }));
  assert.equal(
    await buy(b, first),
    "200: a +98, b -100, o +2, a -1 on sale, b +1 units",
    "the listing's fee",
  );
  const second = await units.list("sell", b, u, { price: "100" });
  await units.assertListing(second, { sell_fee: "50" });
  assert.equal(await buy(d, second), "200: b +50, d -100, o +50, b -1 on sale, d +1 units");
});

test("mrc402 §18 row 48: partner who created U changes groupid: accepted; sell_fee: 7002; the same after its role was withdrawn: 7002, 7002", async () => {
  const u = await units.item(cast.project, cast.partner, {});
  assert.equal(await updated(u, { groupid: "g" }, "partner"), "200");
  assert.equal(await updated(u, { sell_fee: "1" }, "partner"), "403 7002");
  assert.equal(await updated(u, { groupid: "h", sell_fee: "1" }, "partner"), "403 7002");
  await withdrawRoles();
  assert.equal(await updated(u, { groupid: "h" }, "partner"), "403 7002");
  assert.equal(await updated(u, { sell_fee: "1" }, "partner"), "403 7002");
  await units.assertItem(u, { groupid: "g", sell_fee: "0" });
});

test("mrc402 §18 row 61: update url only: data unchanged; same url again: 4900; copyright country set twice: 3005", async () => {
  const x = await units.alone(c, { data: "d", information: "i", totalsupply: "5" });
  const item = await units.record(x);
  const url = "https://b.example/";
  assert.equal(await units.outcome(() => update(x, { url })), "200");
  assert.deepEqual(await units.record(x), { ...item, url });
  assert.equal(await units.outcome(() => update(x, { url })), "400 4900");
  const country = { copyright_registration_country: "CH" };
  assert.equal(await units.outcome(() => update(x, country)), "200");
  for (const again of ["CH", "DE"]) {
    const twice = { copyright_registration_country: again };
    assert.equal(await units.outcome(() => update(x, twice)), "400 3005", again);
    const more = { ...twice, url: "https://c.example/" };
    assert.equal(await units.outcome(() => update(x, more)), "400 3005", again);
  }
  assert.deepEqual(await units.record(x), { ...item, url, ...country });
});

// By the creator: §9.

test("mrc402 §9: each field by itself; an absent or empty one is unchanged; socialmedia is replaced as a whole", async () => {
  const x = await units.alone(c);
  let item = await units.record(x);
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
  ] as readonly (readonly [ItemParams, Partial<UnitItem>])[]) {
    assert.equal(await units.outcome(() => update(x, change)), "200", JSON.stringify(change));
    item = { ...item, ...fields };
    assert.deepEqual(await units.record(x), item);
  }
});

test("mrc402 §9: copyright fields that creation has set cannot be set again; the others can", async () => {
  const given = { copyright_registrar: "IGE", totalsupply: "1" };
  const x = await units.alone(c, given);
  assert.equal(saidCode(await update(x, { copyright_registrar: "DPMA" })), "400 3005");
  const number = { copyright_registration_number: "7" };
  assert.equal(saidCode(await update(x, number)), "200");
  await units.assertItem(x, { ...number, copyright_registrar: "IGE" });
});

test("mrc402 §9: nothing that differs: 4900, objects compared by content", async () => {
  const socialmedia = '{"a":"https://a.example/","b":"https://b.example/"}';
  const same = { url: "https://a.example/", data: "d", information: "i", socialmedia };
  const x = await units.alone(c, { ...same, totalsupply: "1" });
  for (const change of [
    {},
    { url: "" },
    same,
    { socialmedia: '{ "b":"https://b.example/", "a":"https://a.example/" }' },
  ]) {
    assert.equal(await units.outcome(() => update(x, change)), "400 4900");
  }
  assert.equal(await units.outcome(() => update(x, { ...same, data: "e" })), "200");
});

test("mrc402 §9: name, image, rates, shareholders, reserve, supply and melting date never change", async () => {
  const x = await units.alone(c, { totalsupply: "5", creatorcommission: "1" });
  const item = await units.record(x);
  const others = {
    name: "n",
    imageurl: "https://b.example/",
    image_url: "https://b.example/",
    creatorcommission: "2",
    shareholder: "{}",
    initialreserve: '{"0":"1"}',
    expiredate: "5",
    totalsupply: "9",
    category: "c",
    groupid: "g",
    sell_fee: "1",
    platform_name: "p",
    allowtoken: "1",
  };
  assert.equal(await units.outcome(() => update(x, others)), "400 4900");
  assert.equal(await units.outcome(() => update(x, { ...others, data: "d" })), "200");
  assert.deepEqual(await units.record(x), { ...item, data: "d" });
});

test("mrc402 §2.3: only the creator: holders, the project's owner and roles cannot, named or by key: 7002", async () => {
  const u = await units.item(cast.project, cast.maker, {});
  await units.give(u, cast.maker, a);
  for (const role of ["a", "o", "partner", "seller", "d"] as const) {
    for (const address of [cast[role].address, ""]) {
      const answer = await units.outcome(() => update(u, { data: "d", address }, cast[role]));
      assert.equal(answer, "403 7002", role);
    }
  }
  await withdrawRoles();
  assert.equal(saidCode(await update(u, { data: "d" }, cast.maker)), "200");
  await units.assertItem(u, { data: "d", url: PROJECT.url });
});

for (const { signed, isNamed, alias } of [
  { signed: "short", isNamed: true, alias: false },
  { signed: "full", isNamed: false, alias: false },
  { signed: "short", isNamed: false, alias: true },
  { signed: "full", isNamed: true, alias: true },
] as const) {
  test(`mrc402 §9: PUT /mrc402/${alias ? "" : "update/"}{mrc402id} signed ${signed}, ${isNamed ? "named" : "by key"}: answer, records M and I`, async () => {
    node.now += 10;
    const x = await units.alone(c);
    for (const change of [
      { url: "https://b.example/" },
      {
        data: "d",
        information: "a|b",
        socialmedia: '{ "a" : "https://a.example/"}',
        copyright_registration_country: "CH",
        copyright_registrar: "IGE",
        copyright_registration_number: "5",
      },
    ] as readonly Params[]) {
      const params = { mrc402id: x, ...change, ...(isNamed ? {} : { address: "" }) };
      const request = await units.request("update", c, params, { signed });
      const path = alias ? `/mrc402/${x}` : request.path;
      const answer = await units.post({ ...request, path });
      const { signature, tkey } = request.params;
      const texts = [
        "url",
        "data",
        "information",
        "socialmedia",
        "copyright_registration_country",
        "copyright_registrar",
        "copyright_registration_number",
      ].map((name) => change[name] ?? "");
      const parameters = [x, c.address, ...texts, signature, tkey];
      await assertUnitsRecorded(node, answer, [
        { type: "mrc402update", of: c, parameters },
        { type: "mrc402_update", of: x, parameters },
      ]);
    }
  });
}

test("mrc402 §1.2, §9: address may be called creator or owner; two values 1005; by key the place in the string does not exist", async () => {
  const x = await units.alone(c);
  let n = 0;
  for (const signed of ["short", "full"] as const) {
    for (const name of ["creator", "owner"]) {
      n++;
      const params = { mrc402id: x, data: String(n) };
      const request = await units.request("update", c, params, { signed });
      const twice = changed(request, { [name]: a.address });
      assert.equal(said(await units.post(twice)), "400 1005 address");
      assert.equal(said(await units.post(renamed(request, { address: name }))), "200");
    }
  }
  const tkey = await node.key(a);
  assert.equal(said(await update(x, { data: "x", tkey })), "401 2020 tkey");
  const params = { mrc402id: x, data: "x" };
  const forged = await units.send("update", c, params, { by: a });
  assert.equal(said(forged), "401 2010 signature");
});

test("mrc402 §1.3: update and itemupdate have their own full signatures and keys", async () => {
  const u = await units.item(cast.project, o);
  const itemdata = [{ id: u, groupid: "g" }];
  const own = { mrc402id: u, data: "d" };
  const ofProject = { mrc400id: cast.project, itemdata };
  for (const [word, params] of [
    ["update", own],
    ["itemUpdate", ofProject],
  ] as const) {
    for (const [kind, answer] of [
      ["mrc402update", word === "update" ? "200" : "401 2020 tkey"],
      ["mrc402itemupdate", word === "update" ? "401 2020 tkey" : "200"],
      ["mrc402create", "401 2020 tkey"],
    ] as const) {
      const tkey = await node.key(o, kind);
      assert.equal(said(await units.send(word, o, { ...params, tkey })), answer, `${word} ${kind}`);
    }
  }
  const create = await units.request("createItems", o, ofProject, { signed: "full" });
  assert.equal(said(await units.post({ ...create, method: "PUT" })), "401 2010 signature");
  const more = { ...ofProject, itemdata: [{ id: u, groupid: "h" }] };
  const right = await units.request("itemUpdate", o, more, { signed: "full" });
  assert.equal(said(await units.post({ ...right, method: "POST" })), "401 2010 signature");
  assert.equal(said(await units.post(right)), "200");
});

// biome-ignore format: a line for each parameter
const REFUSED: readonly (readonly [name: string, values: readonly string[], answer: string])[] = [
  ["url", ["x", "ftp://a.example/", "https://a.example/".padEnd(256, "x"), "https://a.example/|"], "400 3005"],
  ["data", ["x".repeat(40_961), "a|b"], "400 3005"],
  ["information", ["x".repeat(40_961)], "400 3005"],
  ["information", ["a\u0000"], "400 1006"],
  ["socialmedia", ["x", "[]", "5", '{"a":5}'], "400 1007"],
  ["socialmedia", ['{"a":"x"}'], "400 3005"],
  ["copyright_registration_country", ["ch", "CHE", "XX"], "400 3005"],
  ["copyright_registrar", ["x".repeat(129), "a|b"], "400 3005"],
  ["copyright_registration_number", ["x".repeat(65), "a|b"], "400 3005"],
  ["address", ["x", "MTx"], "400 3190"],
  ["address", [NOBODY], "404 3090"],
  ["mrc402id", ["x", NO_UNIT_ITEM, `MRC400_${"0".repeat(33)}_${"0".repeat(40)}`, "DEX402_"], "404 6004"],
  ["tkey", [""], "400 1000"],
];

for (const [name, values, answer] of REFUSED) {
  test(`mrc402 §9: ${name} ${JSON.stringify(values).slice(0, 60)}: ${answer}, and it is named`, async () => {
    const x = await units.alone(c);
    for (const value of values) {
      const problem = said(await update(x, { data: "d", [name]: value }));
      assert.equal(problem.split(/[.[]/)[0], `${answer} ${name}`, value.slice(0, 60));
    }
  });
}

test("mrc402 §9: the order in which an update refuses", async () => {
  const foreign = await units.alone(a);
  const x = await units.alone(c, { copyright_registrar: "IGE", data: "d" });
  const later = { address: NOBODY, copyright_registrar: "DPMA" };
  await units.mending("update", { by: c, stranger: a }, [
    [{ mrc402id: NO_UNIT_ITEM, ...later, url: "x" }, "400 3005"],
    [{ url: "", socialmedia: "[]" }, "400 1007"],
    [{ socialmedia: "", address: "MTx" }, "400 3190"],
    [{ address: NOBODY }, "404 6004"],
    [{ mrc402id: foreign }, "404 3090"],
    [{ address: c.address }, "key"],
    [{}, "403 7002"],
    [{ mrc402id: x }, "400 3005"],
    [{ copyright_registrar: "", data: "d" }, "400 4900"],
    [{ data: "e" }, "200"],
  ]);
});

test("C1.1, C5.3: query strings, JSON bodies with objects, a repeat", async () => {
  const x = await units.alone(c);
  const socialmedia = { a: "https://a.example/" };
  const first = await units.request("update", c, { mrc402id: x, socialmedia });
  const inJson = await node.request(first.path, {
    method: "PUT",
    body: JSON.stringify({ ...first.params, socialmedia }),
    headers: { "Content-Type": "application/json" },
  });
  assert.equal(said(inJson), "200");
  const { parameters } = await node.transaction(transactionIdOf(inJson));
  assert.equal(parameters[5], JSON.stringify(socialmedia));
  const again = await units.post(first);
  assert.deepEqual([again.status, again.text], [200, inJson.text]);
  const second = await units.request("update", c, { mrc402id: x, data: "q" });
  const query = `${second.path}/?${new URLSearchParams(second.params)}`;
  assert.equal(said(await node.request(query, { method: "PUT" })), "200");
  await units.assertItem(x, { socialmedia, data: "q" });
});

// In a project: §10.

const OWNERS: readonly (readonly [field: string, value: string, shown: Partial<UnitItem>])[] = [
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
        const u = await units.item(cast.project, cast[creator], terms);
        await units.give(u, cast[creator], a);
        const mayDo = role === "o" || (!isOwners && role === creator);
        const item = await units.record(u);
        const answer = await updateItems([{ id: u, [field]: value }], { role });
        assert.equal(saidCode(answer), mayDo ? "200" : "403 7002", `${role} for ${creator}`);
        assert.deepEqual(await units.record(u), { ...item, ...(mayDo ? shown : {}) });
      }
    }
  });
}

test("mrc402 §2.3: role seller cannot change what it created", async () => {
  const u = await units.item(cast.project, cast.seller, { sell_price: "5" });
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
  const u = await units.item(cast.project, o, own);
  const item = await units.record(u);
  const none = { sell_fee: "", melt_fee: "", transferable: "" };
  assert.equal(await updated(u, none), "400 4900");
  assert.equal(await updated(u, { ...none, item_url: "", item_image_url: "", groupid: "" }), "200");
  assert.deepEqual(await units.record(u), {
    ...item,
    item_url: PROJECT.itemurl,
    item_image_url: PROJECT.itemimageurl,
    groupid: "",
  });
});

test("mrc402 §10: nothing that changes: 4900; one element of several that does is enough, and unknown keys are ignored", async () => {
  const terms = { groupid: "g", sell_fee: "2.5", transferable: "Temporary" };
  const [u = "", v = ""] = await units.items(cast.project, o, terms, terms);
  const same = { id: u, ...terms, sell_fee: "2.50" };
  assert.equal(await units.outcome(() => updateItems([same])), "400 4900");
  const other = { name: "n", totalsupply: "9", sell_price: "5", initial_reserve: "5", unknown: {} };
  assert.equal(await units.outcome(() => updateItems([{ ...same, ...other }])), "400 4900");
  assert.equal(await units.outcome(() => updateItems([{ id: v }])), "400 4900");
  const both = [same, { id: v, groupid: "h" }];
  assert.equal(await units.outcome(() => updateItems(both)), "200");
  await units.assertItem(u, { groupid: "g" });
  await units.assertItem(v, { groupid: "h" });
});

test("mrc402 §10: a new melt_fee holds from now on", async () => {
  const terms = { initialreserve: { "0": "100" }, totalsupply: "3", melt_fee: "10" };
  const u = await units.item(cast.project, o, terms);
  await units.give(u, o, a, "3");
  const melt = (): Promise<string> => units.outcome(() => units.send("melt", a, { mrc402id: u }));
  assert.equal(await melt(), "200: a +90, o +10, a -1 units");
  assert.equal(await updated(u, { melt_fee: "20" }), "200");
  assert.equal(await melt(), "200: a +80, o +20, a -1 units");
});

test("mrc402 §2.6: rates together above 100 with the item's own platform: 3005, open listings notwithstanding", async () => {
  const terms = {
    creatorcommission: "5",
    shareholder: { [b.address]: "3" },
    platform_address: d.address,
    platform_commission: "2",
  };
  const u = await heldByA(terms);
  assert.equal(await updated(u, { sell_fee: "90.0001" }), "400 3005");
  assert.equal(await updated(u, { sell_fee: "90" }), "200");
  const bare = await heldByA({ ...terms, platform_address: "" });
  await units.list("sell", a, bare, { platform_address: d.address, platform_commission: "10" });
  assert.equal(await updated(bare, { sell_fee: "92" }), "200", "no platform without an address");
  assert.equal(await updated(bare, { sell_fee: "92.0001" }), "400 3005");
});

for (const { role, signed, isNamed } of [
  { role: "o", signed: "short", isNamed: true },
  { role: "o", signed: "full", isNamed: false },
  { role: "partner", signed: "short", isNamed: false },
  { role: "maker", signed: "full", isNamed: true },
] as const) {
  test(`mrc402 §10: by ${role}, signed ${signed}, ${isNamed ? "named" : "by key"}: answer, records M and I with the values after the change`, async () => {
    node.now += 10;
    const { [role]: by, project } = cast;
    const terms = { item_url: "https://b.example/1", sell_fee: "2.50", transferable: "Temporary" };
    const [u = "", v = ""] = await units.items(project, by, terms, {});
    const owners = role === "o" ? { sell_fee: "3.10", melt_fee: "1", transferable: "Bound" } : {};
    const itemdata = JSON.stringify([
      { id: u, groupid: "g|g", item_url: "", ...owners },
      { item_id: v.slice(41), item_image_url: "ipfs://b" },
    ]);
    const params = { mrc400id: project, itemdata, ...(isNamed ? {} : { owner: "" }) };
    const request = await units.request("itemUpdate", by, params, { signed });
    const answer = await units.post(request);
    const { signature, tkey } = request.params;
    const ends = [signature, tkey];
    const fees = role === "o" ? ["3.1", "1", "Bound"] : ["2.5", "0", "Temporary"];
    await assertUnitsRecorded(node, answer, [
      { type: "mrc402update", of: by, parameters: [project, by.address, itemdata, ...ends] },
      {
        type: "mrc402_update",
        of: u,
        parameters: [u, by.address, "", "", "g|g", ...fees, ...ends],
      },
      {
        type: "mrc402_update",
        of: v,
        parameters: [v, by.address, "", "ipfs://b", "", "0", "0", "Permanent", ...ends],
      },
    ]);
  });
}

test("mrc402 §1.2, §10: owner may be called creator or address; two values 1005; unnamed, its place in the string does not exist", async () => {
  const u = await units.item(cast.project, o);
  let n = 0;
  for (const signed of ["short", "full"] as const) {
    for (const name of ["creator", "address"]) {
      n++;
      const params = { mrc400id: cast.project, itemdata: [{ id: u, groupid: String(n) }] };
      const request = await units.request("itemUpdate", o, params, { signed });
      const twice = changed(request, { [name]: a.address });
      assert.equal(said(await units.post(twice)), "400 1005 owner");
      assert.equal(said(await units.post(renamed(request, { owner: name }))), "200");
    }
  }
  const tkey = await node.key(a);
  assert.equal(said(await updateItems([{ id: u, groupid: "x" }], { tkey })), "401 2020 tkey");
});

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
    await units.item(cast.project, o, { item_id: numberOf(1) });
    assert.equal(await units.outcome(() => updateItems(itemdata)), answer);
  });
}

test("mrc402 §10: an MRC401 item and one standing alone are no items of the project: 6004 or 3005; the id of an item is none of a project", async () => {
  const [unique = ""] = await createUniqueItems(node, cast.project, o, [{}]);
  assert.equal(await updated(unique, { groupid: "g" }), "404 6004");
  const elsewhere = await createProject(node, o);
  const other = await units.item(elsewhere, o);
  assert.equal(await updated(other, { groupid: "g" }), "400 3005");
  const params = { mrc400id: elsewhere, itemdata: [{ id: other, groupid: "g" }] };
  assert.equal(saidCode(await units.send("itemUpdate", o, params)), "200");
  const noProject = { ...params, mrc400id: `MRC400_${"0".repeat(33)}` };
  const [, number = ""] = other.split(/_(?=.{40}$)/);
  const unknown = { ...noProject, itemdata: [{ item_id: number, groupid: "h" }] };
  assert.equal(said(await units.send("itemUpdate", o, unknown)), "404 6004 mrc400id");
});

test("mrc402 §10: an ended item: 7110, and with it the whole request", async () => {
  const [u = "", v = ""] = await units.items(cast.project, o, {}, {});
  assert.equal(saidCode(await units.send("melt", o, { mrc402id: u })), "200");
  const both = [
    { id: v, groupid: "g" },
    { id: u, groupid: "g" },
  ];
  assert.equal(await units.outcome(() => updateItems(both)), "409 7110");
  await units.assertItem(v, { groupid: "" });
});

test("mrc402 §10: the order in which an update of items refuses", async () => {
  const { project, partner } = cast;
  const ended = await units.item(project, partner, {});
  assert.equal(saidCode(await units.send("melt", partner, { mrc402id: ended })), "200");
  const u = await units.item(project, partner, { creatorcommission: "5" });
  const unknown = { item_id: numberOf(404), sell_fee: "96", transferable: "Bound" };
  const { item_id: _, ...wrong } = unknown;
  const noProject = `MRC400_${"0".repeat(33)}`;
  await units.mending("itemUpdate", { by: partner, stranger: a }, [
    [{ mrc400id: noProject, owner: NOBODY, itemdata: "" }, "400 1000"],
    [{ itemdata: [] }, "400 3002"],
    [{ itemdata: [unknown, unknown] }, "400 3004"],
    [{ itemdata: [unknown, { id: ended }] }, "400 3005"],
    [{ itemdata: [{ ...unknown, groupid: "x".repeat(65) }] }, "400 3005"],
    [{ itemdata: [unknown], owner: "MTx" }, "400 3190"],
    [{ owner: NOBODY }, "404 6004"],
    [{ mrc400id: project }, "404 6004"],
    [{ itemdata: [{ id: ended, ...wrong }] }, "404 3090"],
    [{ owner: partner.address }, "key"],
    [{}, "403 7002"],
    [{ itemdata: [{ id: ended, groupid: "g" }] }, "409 7110"],
    [{ itemdata: [{ id: u, groupid: "" }] }, "400 4900"],
    [{ itemdata: [{ id: u, groupid: "g" }] }, "200"],
  ]);
  await units.mending("itemUpdate", { by: o, stranger: a }, [
    [{ mrc400id: project, itemdata: [{ id: ended, ...wrong }] }, "409 7110"],
    [{ itemdata: [{ id: u, ...wrong }] }, "400 3005"],
    [{ itemdata: [{ id: u, sell_fee: "96" }] }, "400 3005"],
    [{ itemdata: [{ id: u, sell_fee: "95" }] }, "200"],
  ]);
});

test("mrc402 §10: with 100 elements each step is done for all before the next", async () => {
  const elements = Array.from({ length: 100 }, (_, n) => ({ item_id: numberOf(n) }));
  await units.items(cast.project, o, ...elements);
  const change = elements.map((element) => ({ ...element, groupid: "g" }));
  const last = (element: Element): Element[] => [{ ...change[0], transferable: "Bound" }, element];
  assert.equal(saidCode(await updateItems(last({ item_id: numberOf(100) }))), "404 6004");
  assert.equal(saidCode(await updateItems(last({ ...change[1], sell_fee: "x" }))), "400 3005");
  assert.equal(saidCode(await updateItems(last({ item_id: "" }))), "400 1000");
  assert.equal(await units.outcome(() => updateItems(change)), "200");
  await units.assertItem(`${cast.project}_${numberOf(99)}`, { groupid: "g" });
});

// Truly at once.

test("mrc402 §9: a copyright field set by two at once: one is done, the other 3005", async () => {
  const x = await units.alone(c);
  const ready = await Promise.all(
    ["IGE", "DPMA"].map((copyright_registrar) =>
      units.ready("update", c, { mrc402id: x, copyright_registrar }),
    ),
  );
  const answers = (await Promise.all(ready.map((send) => send()))).map(unitsSaid);
  assert.deepEqual(answers.toSorted(), ["200", "400 3005"]);
  const set = answers[0] === "200" ? "IGE" : "DPMA";
  await units.assertItem(x, { copyright_registrar: set });
});

test("mrc402 §2.4: Bound and Permanent at once: one is done, the other 3005; Bound and a transfer at once: the unit is where the answers say", async () => {
  const { project } = cast;
  const u = await heldByA({ transferable: "Temporary" });
  const set = (transferable: string): Promise<() => Promise<Answered>> =>
    units.ready("itemUpdate", o, { mrc400id: project, itemdata: [{ id: u, transferable }] });
  const ready = await Promise.all([set("Bound"), set("Permanent")]);
  const answers = (await Promise.all(ready.map((send) => send()))).map(unitsSaid);
  assert.deepEqual(answers.toSorted(), ["200", "400 3005"]);
  const v = await heldByA({ transferable: "Temporary" });
  const binding = { mrc400id: project, itemdata: [{ id: v, transferable: "Bound" }] };
  const both = await Promise.all([
    units.ready("itemUpdate", o, binding),
    units.ready("transfer", a, { mrc402id: v, toAddr: b.address }),
  ]);
  const [bound, moved] = (await Promise.all(both.map((send) => send()))).map(unitsSaid);
  assert.equal(bound, "200");
  assert.match(moved ?? "", /^(200|409 7109)$/);
  const { address } = moved === "200" ? b : a;
  await units.assertItem(v, { owner: address, transferable: "Bound" });
});
