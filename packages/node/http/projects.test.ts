import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
  assertRecords,
  Collection,
  changed,
  createProject,
  type ItemParams,
  type ItemSigning,
  itemRequest,
  PROJECT,
  type ProjectRecord,
  projectIdOf,
} from "../testing/item-requests.ts";
import {
  type Answered,
  type KeyHolder,
  type Params,
  parsed,
  said,
  saidCode,
  signatureOf,
  type TestNode,
} from "../testing/test-node.ts";

// Projects are created and read: mrc401 §1, §2.1, §3, §5.

const UNKNOWN = "MTAlice00000000000000000000000005dc33c90";

let collection: Collection;
let node: TestNode;
let o: KeyHolder;
let a: KeyHolder;
let b: KeyHolder;
before(async () => {
  collection = await Collection.open({ tokens: 9 });
  node = collection.node;
  [o, a, b] = [await collection.holder(), await collection.holder(), await collection.holder()];
});
after(() => collection[Symbol.asyncDispose]());

function create(change: ItemParams = {}, signing?: ItemSigning): Promise<Answered> {
  return collection.send("createProject", o, { ...PROJECT, ...change }, signing);
}

/** What is answered; of a parameter that holds others, such as `partner.MT…`, only the first name. */
async function answered(change: ItemParams = {}, signing?: ItemSigning): Promise<string> {
  return said(await create(change, signing)).replace(/[.[].*/, "");
}

async function created(change: ItemParams = {}): Promise<ProjectRecord> {
  return collection.project(await createProject(node, o, change));
}

test("mrc401 §18 row 1: the body is the id alone, made of owner and key; a repeat has the same body and the same Transaction-Id", async () => {
  assert.equal(
    projectIdOf(UNKNOWN, "K00000011vb6GO012345678977ivWGLZmiS5iqaPgUygNX"),
    "MRC400_c7735425f08d740230c98da57e9977dfc",
  );
  const tkey = await node.key(o);
  const first = await create({ tkey });
  assert.equal(first.text, projectIdOf(o.address, tkey));
  assert.equal(first.headers.get("content-type"), "text/plain; charset=utf-8");
  assert.equal(first.headers.get("cache-control"), "no-store");
  assert.match(first.headers.get("replay-nonce") ?? "", /^[A-Za-z][0-9A-Za-z]{39,63}$/);
  const height = await node.height();
  const again = await create({ tkey });
  assert.deepEqual([again.status, again.text], [200, first.text]);
  assert.equal(again.headers.get("transaction-id"), first.headers.get("transaction-id"));
  assert.equal(await node.height(), height);
  assert.equal(await answered({ tkey, description: "another" }), "409 2021 tkey");
});

for (const change of [{ allowtoken: "0" }, { partner: "{}" }, { socialmedia: "{}" }]) {
  test(`accounts §7.4: with the default ${JSON.stringify(change)} written out it is a repeat`, async () => {
    const tkey = await node.key(o);
    const first = await create({ tkey });
    const again = await create({ tkey, ...change });
    assert.deepEqual([again.status, again.text], [200, first.text]);
    assert.equal(again.headers.get("transaction-id"), first.headers.get("transaction-id"));
  });
}

for (const { what, change, allow_token, answer } of [
  { what: "absent", change: {}, allow_token: 0 },
  { what: "empty", change: { allowtoken: "" }, allow_token: 0 },
  { what: "0", change: { allowtoken: "0" }, allow_token: 0 },
  { what: "7", change: { allowtoken: "7" }, allow_token: 7 },
  { what: "unknown", change: { allowtoken: "99" }, answer: "404 4001 allowtoken" },
  { what: "x", change: { allowtoken: "x" }, answer: "400 1101 allowtoken" },
  { what: "07", change: { allowtoken: "07" }, answer: "400 1101 allowtoken" },
  { what: "-1", change: { allowtoken: "-1" }, answer: "400 1101 allowtoken" },
  { what: "of 16 digits", change: { allowtoken: "1".repeat(16) }, answer: "404 4001 allowtoken" },
  { what: "of 17 digits", change: { allowtoken: "1".repeat(17) }, answer: "400 1101 allowtoken" },
] as readonly { what: string; change: ItemParams; allow_token?: number; answer?: string }[]) {
  test(`mrc401 §18 row 2: allowtoken ${what}: ${answer ?? allow_token}`, async () => {
    if (answer !== undefined) {
      assert.equal(await answered(change), answer);
    } else {
      assert.equal((await created(change)).allow_token, allow_token);
    }
  });
}

test("mrc401 §18 row 7: the empty place of an absent partner belongs to the signed string", async () => {
  const { name, url, imageurl, category, description, itemurl, itemimageurl, data } = PROJECT;
  const sign = async (...between: string[]): Promise<string> => {
    const tkey = await node.key(o);
    const fields = [o.address, name, url, imageurl, category, itemurl, itemimageurl, ...between];
    const signature = signatureOf([...fields, data, tkey].join("|"), o);
    const params = { ...PROJECT, description, owner: o.address, tkey, signature };
    return said(await node.post("/mrc400", params));
  };
  assert.equal(await sign(""), "200");
  assert.equal(await sign(), "401 2010 signature");
});

const ALL = {
  allowtoken: "7",
  socialmedia: '{"homepage": "https://rpg.example/"}',
  name: "Ünïcode 😀",
};

for (const signed of ["short", "full"] as const) {
  for (const { what, change } of [
    { what: "without what can be left out", change: {} },
    { what: "with everything", change: ALL },
  ] as readonly { what: string; change: ItemParams }[]) {
    test(`mrc401 §3, §5: a project ${what}, signed ${signed}: records and all fields`, async () => {
      const partner = change === ALL ? { [b.address]: "seller" } : {};
      const given = { ...change, ...(change === ALL ? { partner } : {}) };
      const params = { ...PROJECT, ...given };
      const request = await collection.request("createProject", o, params, { signed });
      const answer = await collection.post(request);
      assert.equal(said(answer), "200");
      const id = projectIdOf(o.address, request.params.tkey);
      const at = (name: string): string => request.params[name] ?? "";
      const parameters = [
        id,
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
      await assertRecords(node, answer.headers.get("transaction-id") ?? "", [
        { type: "mrc400create", of: o, parameters },
        { type: "mrc400_create", of: id, parameters },
      ]);
      const { imageurl, itemurl, itemimageurl, ...same } = { ...PROJECT, name: at("name") };
      assert.deepEqual(parsed(await node.get(`/mrc400/${id}`)), {
        id,
        owner: o.address,
        ...same,
        image_url: imageurl,
        item_url: itemurl,
        item_image_url: itemimageurl,
        allow_token: change === ALL ? 7 : 0,
        socialmedia: change === ALL ? { homepage: "https://rpg.example/" } : {},
        partner,
        createdate: node.now,
      });
    });
  }
}

test("mrc401 §3: parameters in a query string and in JSON, with objects as they are", async () => {
  const partner = { [b.address]: "seller", [a.address]: "creator" };
  const socialmedia = { homepage: "https://rpg.example/" };
  const given = { ...PROJECT, partner, socialmedia, allowtoken: "7" };
  for (const send of [
    (params: Params) => node.postQuery("/mrc400", params),
    (params: Params) => node.postJson("/mrc400", params),
    (params: Params) =>
      node.postJson("/mrc400/", { ...params, partner, socialmedia, allowtoken: 7 }),
  ]) {
    for (const signed of ["short", "full"] as const) {
      const { params } = await itemRequest(node, "createProject", o, given, { signed });
      const answer = await send(params);
      assert.equal(said(answer), "200");
      const shown = await collection.project(answer.text);
      assert.deepEqual(
        [shown.partner, shown.socialmedia, shown.allow_token],
        [partner, socialmedia, 7],
      );
    }
  }
});

test("mrc401 §3: description, allowtoken and socialmedia are covered by a full signature only", async () => {
  for (const [signed, answer] of [
    ["short", "200"],
    ["full", "401 2010 signature"],
  ] as const) {
    for (const change of [
      { description: "another" },
      { allowtoken: "7" },
      { socialmedia: '{"x":"http://a.b"}' },
    ]) {
      const request = await collection.request("createProject", o, PROJECT, { signed });
      assert.equal(said(await collection.post(changed(request, change))), answer);
    }
  }
  const request = await collection.request("createProject", o, { ...PROJECT, partner: "{}" });
  const partner = JSON.stringify({ [a.address]: "partner" });
  assert.equal(said(await collection.post(changed(request, { partner }))), "401 2010 signature");
});

test("mrc401 §1.3: an address that signs in full, a signature for another operation, keys of a kind", async () => {
  const full = await collection.holder(0n, { params: { signed: "full" } });
  assert.equal(said(await collection.send("createProject", full, PROJECT)), "401 2010 signature");
  const { length } = await createProject(node, full, {}, { signed: "full" });
  assert.equal(length, 40);
  const params = { ...PROJECT, owner: o.address, tkey: await node.key(o) };
  const other = node.fullySigned("mrc400update", params, o);
  assert.equal(said(await node.post("/mrc400", other)), "401 2010 signature");
  for (const [kind, answer] of [
    ["mrc400create", "200"],
    ["transfer", "200"],
    ["mrc400update", "401 2020"],
    ["mrc401create", "401 2020"],
  ] as const) {
    assert.equal(saidCode(await create({ tkey: await node.key(o, kind) })), answer, kind);
  }
});

test("mrc401 §1.6: ids that are malformed or unknown, or of another kind, are not found", async () => {
  const id = await createProject(node, o);
  const item = await collection.item(id, o);
  for (const wrong of [
    "x",
    id.slice(1),
    `${id}0`,
    id.toUpperCase(),
    `MRC400_${"0".repeat(33)}`,
    `MRC402_${id.slice(7)}`,
    item,
  ]) {
    assert.equal(said(await node.get(`/mrc400/${wrong}`)), "404 6004 mrc400id", wrong);
  }
  assert.equal(said(await node.get(`/mrc400/${id}/`)), "200");
});
