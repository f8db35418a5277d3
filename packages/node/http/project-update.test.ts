import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import {
  assertRecorded,
  type Cast,
  Collection,
  changed,
  createProject,
  type ItemParams,
  type ItemSigning,
  PROJECT,
  type ProjectRecord,
} from "../testing/item-requests.ts";
import {
  type Answered,
  type KeyHolder,
  type Params,
  said,
  saidCode,
  signatureOf,
  type TestNode,
  transactionIdOf,
} from "../testing/test-node.ts";

// Projects are updated: mrc401 §4.

const UNKNOWN = "MTAlice00000000000000000000000005dc33c90";

let collection: Collection;
let node: TestNode;
let o: KeyHolder;
let a: KeyHolder;
let b: KeyHolder;
/** A project of O with something in every field. */
let q: string;
let stored: ProjectRecord;
before(async () => {
  collection = await Collection.open({ tokens: 9 });
  node = collection.node;
  [o, a, b] = [await collection.holder(), await collection.holder(), await collection.holder()];
});
after(() => collection[Symbol.asyncDispose]());
beforeEach(async () => {
  q = await createProject(node, o, {
    allowtoken: "7",
    socialmedia: { homepage: "https://rpg.example/", other: "https://b.example/" },
    partner: { [a.address]: "seller", [b.address]: "creator" },
  });
  stored = await collection.project(q);
});
afterEach(() => collection.assertConserved());

function update(params: ItemParams, signing?: ItemSigning): Promise<Answered> {
  return collection.send("updateProject", o, { mrc400id: q, ...params }, signing);
}

/** What is answered; of a parameter that holds others, such as `partner.MT…`, only the first name. */
async function answered(params: ItemParams, signing?: ItemSigning): Promise<string> {
  return said(await update(params, signing)).replace(/[.[].*/, "");
}

async function assertStored(change: Partial<ProjectRecord>): Promise<void> {
  assert.deepEqual(await collection.project(q), { ...stored, ...change });
}

const CHANGES: readonly (readonly [sent: ItemParams, shown: Partial<ProjectRecord>])[] = [
  [{ name: "New" }, { name: "New" }],
  [{ url: "http://new.example" }, { url: "http://new.example" }],
  [{ imageurl: "ipfs://new" }, { image_url: "ipfs://new" }],
  [{ category: "new" }, { category: "new" }],
  [{ description: "new|er" }, { description: "new|er" }],
  [{ itemurl: "https://new.example/{id}" }, { item_url: "https://new.example/{id}" }],
  [
    { itemimageurl: "data:image/png;base64,AAAA" },
    { item_image_url: "data:image/png;base64,AAAA" },
  ],
  [{ data: "a|b" }, { data: "a|b" }],
  [{ allowtoken: "9" }, { allow_token: 9 }],
  [{ socialmedia: '{"x":"http://a.b/|"}' }, { socialmedia: { x: "http://a.b/|" } }],
  [{ socialmedia: "{}" }, { socialmedia: {} }],
];

for (const [sent, shown] of CHANGES) {
  const [name = ""] = Object.keys(sent);
  test(`mrc401 §4: ${JSON.stringify(sent)} changes that field and nothing else`, async () => {
    node.now += 10;
    const others = Object.fromEntries(Object.keys(PROJECT).map((field) => [field, ""]));
    for (const params of [sent, { ...others, allowtoken: "", partner: "", ...sent }]) {
      await collection.done("updateProject", o, { mrc400id: q, ...params });
      await assertStored(shown);
      assert.equal(await answered(sent), "400 4900", `${name} is stored now`);
      await collection.done("updateProject", o, { mrc400id: q, ...asSent(stored) });
      await assertStored({});
    }
  });
}

/** A project's fields under the names of requests. */
function asSent(project: ProjectRecord): ItemParams {
  const { id: _, owner: __, createdate: ___, ...fields } = project;
  const { image_url, item_url, item_image_url, allow_token, ...same } = fields;
  const urls = { imageurl: image_url, itemurl: item_url, itemimageurl: item_image_url };
  return { ...same, ...urls, allowtoken: String(allow_token) };
}

test("mrc401 §18 row 8: a name alone, signed with all places empty: name changed, all else kept", async () => {
  const tkey = await node.key(o);
  const signature = signatureOf(`${q}|New|||||||${tkey}`, o);
  assert.equal(said(await node.put(`/mrc400/${q}`, { name: "New", tkey, signature })), "200");
  await assertStored({ name: "New" });
});

test("mrc401 §18 row 9: the stored name only, nothing: 4900 each, as all that is stored, however it is written", async () => {
  const { partner, socialmedia } = stored;
  const reversed = (of: object): object => Object.fromEntries(Object.entries(of).reverse());
  for (const params of [
    { name: PROJECT.name },
    {},
    asSent(stored),
    { allowtoken: "7" },
    { partner: reversed(partner) },
    { partner: JSON.stringify(partner, undefined, 2).replace("seller", "saller") },
    { socialmedia: reversed(socialmedia) },
    { socialmedia: JSON.stringify(socialmedia, undefined, 2) },
  ]) {
    assert.equal(await answered(params), "400 4900", JSON.stringify(params));
  }
});

test("mrc401 §18 row 10: A's key: 2020; O's key signed by A: 2010", async () => {
  const tkey = await node.key(a);
  for (const by of [a, o]) {
    assert.equal(await answered({ name: "New", tkey }, { by }), "401 2020 tkey");
  }
  assert.equal(await answered({ name: "New" }, { by: a }), "401 2010 signature");
  await assertStored({});
});

test("mrc401 §18 row 11: allowtoken absent, empty, 0: 7, 7, 0", async () => {
  await collection.done("updateProject", o, { mrc400id: q, name: "New" });
  await assertStored({ name: "New" });
  await collection.done("updateProject", o, { mrc400id: q, name: "Newer", allowtoken: "" });
  await assertStored({ name: "Newer" });
  await collection.done("updateProject", o, { mrc400id: q, allowtoken: "0" });
  await assertStored({ name: "Newer", allow_token: 0 });
  assert.equal(await answered({ allowtoken: "0" }), "400 4900");
});

test("mrc401 §18 row 12: partner {} clears, empty keeps; another object replaces the whole", async () => {
  await collection.done("updateProject", o, { mrc400id: q, name: "New", partner: "" });
  await assertStored({ name: "New" });
  const partner = { [b.address]: "saller" };
  await collection.done("updateProject", o, { mrc400id: q, partner });
  await assertStored({ name: "New", partner: { [b.address]: "seller" } });
  await collection.done("updateProject", o, { mrc400id: q, partner: "{}" });
  await assertStored({ name: "New", partner: {} });
});

test("mrc401 §18 row 13: a later allowtoken leaves a listing as it is, and holds for the next", async () => {
  const cast = await collection.cast();
  const buyer = await collection.holder(0n, { tokens: { "9": 300n } });
  const [x, y, z] = (await collection.items(cast.q, cast.o, {}, {}, {})) as [
    string,
    string,
    string,
  ];
  for (const id of [x, y, z]) {
    await collection.give(id, cast.o, cast.a);
  }
  const sell = async (id: string, token: string): Promise<string> =>
    said(await collection.send("sell", cast.a, { itemdata: [{ id, price: "300", token }] }));
  assert.equal(await sell(x, "9"), "200");
  await collection.done("updateProject", cast.o, { mrc400id: cast.q, allowtoken: "7" });
  await collection.done("buy", buyer, { mrc401id: x });
  const { owner, last_trade_token } = await collection.record(x);
  assert.deepEqual([owner, last_trade_token], [buyer.address, "9"]);
  assert.equal(await collection.held(cast.a, "9"), "300");
  assert.deepEqual(
    [await sell(y, "9"), await sell(y, "7"), await sell(z, "0")],
    ["400 3005 itemdata[0].token", "200", "200"],
  );
});

test("mrc401 §4: the order in which an update refuses", async () => {
  const partner = { [UNKNOWN]: "seller" };
  const unknown = `MRC400_${"0".repeat(33)}`;
  await collection.mending("updateProject", { by: o, stranger: a }, [
    [{ mrc400id: unknown, partner, allowtoken: "x" }, "400 1101"],
    [{ allowtoken: "99", name: "a|b" }, "400 3005"],
    [{ name: "", socialmedia: "[]" }, "400 1007"],
    [{ socialmedia: "", partner: { MTx: "seller" } }, "400 3190"],
    [{ partner }, "404 6004"],
    [{ mrc400id: "x" }, "404 6004"],
    [{ mrc400id: await collection.item(q, o) }, "404 6004"],
    [{ mrc400id: q }, "404 3090"],
    [{ partner: stored.partner }, "404 4001"],
    [{ allowtoken: "7" }, "key"],
    [{}, "400 4900"],
    [{ name: "New" }, "200"],
  ]);
});

// biome-ignore format: a line for each field and its faults
const FORMS: readonly (readonly [name: string, values: readonly string[], answer: string])[] = [
  ["name", ["a|b", "n".repeat(129)], "400 3005 name"],
  ["name", ["\u0001"], "400 1006 name"],
  ["url", ["ftp://a.example/", "a.b", "https://a.b/|", "https://a.example/".padEnd(256, "x")], "400 3005 url"],
  ["imageurl", ["ftp://a.example/", "https://a.b/|"], "400 3005 imageurl"],
  ["allowtoken", ["x", "-1", "1".repeat(17)], "400 1101 allowtoken"],
  ["allowtoken", ["99"], "404 4001 allowtoken"],
  ["category", ["a|b", "c".repeat(65)], "400 3005 category"],
  ["description", ["d".repeat(4097)], "400 3005 description"],
  ["itemurl", ["ipfs://a", "https://a.b/|"], "400 3005 itemurl"],
  ["itemimageurl", ["x"], "400 3005 itemimageurl"],
  ["data", ["d".repeat(4097)], "400 3005 data"],
  ["socialmedia", ['{"x":"y"}'], "400 3005 socialmedia"],
  ["socialmedia", ["[]", '{"x":1}', "x"], "400 1007 socialmedia"],
  ["partner", [`{"${UNKNOWN}":"boss"}`], "400 3005 partner"],
  ["partner", ["[]", "x", `{"${UNKNOWN}":1}`], "400 1007 partner"],
  ["partner", ['{"MTx":"seller"}'], "400 3190 partner"],
  ["partner", [`{"${UNKNOWN}":"seller"}`], "404 3090 partner"],
];

for (const [name, values, answer] of FORMS) {
  for (const value of values) {
    test(`mrc401 §4: update with ${name} ${JSON.stringify(value.slice(0, 40))}: ${answer}`, async () => {
      assert.equal(await answered({ [name]: value }), answer);
      await assertStored({});
    });
  }
}

for (const name of ["tkey", "signature"]) {
  test(`mrc401 §4: an update without ${name}: 1000`, async () => {
    const request = await collection.request("updateProject", o, { mrc400id: q, name: "New" });
    const { [name]: _, ...params } = request.params as Params;
    assert.equal(said(await collection.post({ ...request, params })), `400 1000 ${name}`);
  });
}

for (const signed of ["short", "full"] as const) {
  for (const change of [{ name: "New" }, { ...PROJECT, allowtoken: "9", name: "New" }]) {
    test(`mrc401 §4: an update of ${Object.keys(change).length} fields, signed ${signed}: answer and records`, async () => {
      const params = { mrc400id: q, ...change };
      const request = await collection.request("updateProject", o, params, { signed });
      const at = (name: string): string => request.params[name] ?? "";
      const parameters = [
        q,
        o.address,
        at("name"),
        at("url"),
        at("imageurl"),
        at("allowtoken"),
        at("category"),
        at("description"),
        at("itemurl"),
        at("itemimageurl"),
        at("data"),
        at("signature"),
        at("tkey"),
      ];
      await assertRecorded(node, await collection.post(request), [
        { type: "mrc400update", of: o, parameters },
        { type: "mrc400_update", of: q, parameters },
      ]);
    });
  }
}

test("mrc401 §4: partner, allowtoken, description and socialmedia are covered by a full signature only", async () => {
  for (const change of [
    { partner: "{}" },
    { allowtoken: "0" },
    { description: "another" },
    { socialmedia: "{}" },
  ]) {
    const params = { mrc400id: q, name: "New" };
    const full = await collection.request("updateProject", o, params, { signed: "full" });
    assert.equal(said(await collection.post(changed(full, change))), "401 2010 signature");
    const short = await collection.request("updateProject", o, params);
    assert.equal(said(await collection.post(changed(short, change))), "200");
  }
  await assertStored({
    name: "New",
    partner: {},
    allow_token: 0,
    description: "another",
    socialmedia: {},
  });
});

test("mrc401 §1.3: a full signature and a key for another operation do not serve", async () => {
  const params = { mrc400id: q, name: "New", tkey: await node.key(o) };
  const { mrc400id: _, ...body } = node.fullySigned("mrc400create", params, o);
  assert.equal(said(await node.put(`/mrc400/${q}`, body)), "401 2010 signature");
  assert.equal(
    await answered({ name: "New", tkey: await node.key(o, "mrc400create") }),
    "401 2020 tkey",
  );
  assert.equal(await answered({ name: "New", tkey: await node.key(o, "mrc400update") }), "200");
});

test("mrc401 §4: objects in a JSON body; owner is no parameter of it", async () => {
  const partner = { [b.address]: "partner", [a.address]: "partner" };
  const { path, params } = await collection.request("updateProject", o, { mrc400id: q, partner });
  const body = JSON.stringify({ ...params, partner, allowtoken: 0, owner: b.address, name: null });
  const headers = { "Content-Type": "application/json" };
  assert.equal(said(await node.request(path, { method: "PUT", body, headers })), "200");
  await assertStored({ partner, allow_token: 0 });
});

test("mrc401 §4: a repeat is answered as the first time, whatever has happened since; another change is not", async () => {
  const tkey = await node.key(o);
  const first = transactionIdOf(await update({ tkey, name: "New" }));
  await collection.done("updateProject", o, { mrc400id: q, name: "Newer" });
  const height = await node.height();
  assert.equal(transactionIdOf(await update({ tkey, name: "New" })), first);
  assert.equal(await node.height(), height);
  assert.equal(await answered({ tkey, name: "Third" }), "409 2021 tkey");
  await assertStored({ name: "Newer" });
});

test("mrc401 §4: of updates to the same at the same time one changes something", async () => {
  for (let round = 0; round < 6; round++) {
    const cast: Cast = await collection.cast({ coins: 0n });
    const params = { mrc400id: cast.q, partner: {} };
    const sends = [
      await collection.ready("updateProject", cast.o, params),
      await collection.ready("updateProject", cast.o, params),
    ];
    const answers = await Promise.all(sends.map((send) => send()));
    assert.deepEqual(answers.map(saidCode).sort(), ["200", "400 4900"]);
  }
});
