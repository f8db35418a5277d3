import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
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
  type TestNode,
} from "../testing/test-node.ts";

// What a create of a project accepts and refuses, and in which order: mrc401 §3.

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

// biome-ignore format: a line for each field and bound
const TEXTS: readonly (readonly [row: string, name: string, value: string, answer: string])[] = [
  ["row 3", "name", "😀".repeat(128), "200"],
  ["row 3", "name", "😀".repeat(129), "400 3005 name"],
  ["row 3", "name", "", "400 1000 name"],
  ["row 3", "name", "a|b", "400 3005 name"],
  ["row 4", "url", "ftp://a.example/", "400 3005 url"],
  ["row 4", "imageurl", "ipfs://b/1", "200"],
  ["row 4", "itemurl", "https://a.example/{id}", "200"],
  ["row 4", "data", "project data", "200"],
  ["row 4", "data", '{"a":"x|y"}', "200"],
  ["", "name", "n", "200"],
  ["", "name", " ", "200"],
  ["", "name", "a\u0000", "400 1006 name"],
  ["", "category", "é".repeat(64), "200"],
  ["", "category", "é".repeat(65), "400 3005 category"],
  ["", "category", "a|b", "400 3005 category"],
  ["", "description", "é".repeat(4096), "200"],
  ["", "description", "é".repeat(4097), "400 3005 description"],
  ["", "description", "a|b\r\n\tc", "200"],
  ["", "data", "é".repeat(4096), "200"],
  ["", "data", "é".repeat(4097), "400 3005 data"],
  ...["url", "itemurl"].flatMap((name) => [
    ["", name, "http://a.example", "200"],
    ["", name, "https://a.example/".padEnd(255, "x"), "200"],
    ["", name, "https://a.example/".padEnd(256, "x"), `400 3005 ${name}`],
    ["", name, "https://a.example/|", `400 3005 ${name}`],
    ["", name, "a.example", `400 3005 ${name}`],
    ["", name, "ipfs://b/1", `400 3005 ${name}`],
    ["", name, "data:image/png;base64,AA", `400 3005 ${name}`],
  ] as const),
  ...["imageurl", "itemimageurl"].flatMap((name) => [
    ["", name, "http://a.example", "200"],
    ["", name, "ipfs://b/{id}", "200"],
    ["", name, "data:image/png;base64,AAAA", "200"],
    ["", name, "https://a.example/".padEnd(255, "x"), "200"],
    ["", name, "https://a.example/".padEnd(256, "x"), `400 3005 ${name}`],
    ["", name, "https://a.example/|", `400 3005 ${name}`],
    ["", name, "a.example", `400 3005 ${name}`],
    ["", name, "ftp://a.example/", `400 3005 ${name}`],
  ] as const),
];

for (const [row, name, value, answer] of TEXTS) {
  const shown = value.length > 40 ? `${value.slice(0, 20)}… (${value.length})` : value;
  test(`mrc401 ${row === "" ? "§3" : `§18 ${row}`}: ${name} ${JSON.stringify(shown)}: ${answer}`, async () => {
    if (answer !== "200") {
      assert.equal(await answered({ [name]: value }), answer);
      return;
    }
    const {
      name: is,
      url,
      image_url,
      category,
      description,
      data,
      ...more
    } = await created({
      [name]: value,
    });
    const { item_url: itemurl, item_image_url: itemimageurl } = more;
    assert.deepEqual(
      { name: is, url, imageurl: image_url, category, description, itemurl, itemimageurl, data },
      { ...PROJECT, [name]: value },
    );
  });
}

for (const name of [...Object.keys(PROJECT), "owner", "tkey", "signature"]) {
  test(`mrc401 §3: a project without ${name}, or with an empty one, whatever else is wrong: 1000`, async () => {
    const wrong = { url: "x", allowtoken: "x", partner: "x", owner: "x" };
    const request = await collection.request("createProject", o, { ...PROJECT, ...wrong });
    const { [name]: _, ...without } = request.params as Params;
    assert.equal(said(await collection.post({ ...request, params: without })), `400 1000 ${name}`);
    const empty = changed(request, { [name]: "" });
    assert.equal(said(await collection.post(empty)), `400 1000 ${name}`);
  });
}

const PARTNERS: readonly {
  readonly row?: number;
  readonly what: string;
  readonly partner: (b: string, a: string) => string;
  readonly shown?: (b: string, a: string) => object;
  readonly answer?: string;
}[] = [
  {
    row: 5,
    what: "saller",
    partner: (x) => `{"${x}":"saller"}`,
    shown: (x) => ({ [x]: "seller" }),
  },
  { row: 5, what: "role boss", partner: (x) => `{"${x}":"boss"}`, answer: "400 3005" },
  {
    row: 5,
    what: "wrong CRC",
    partner: () => '{"MTAlice00000000000000000000000005dc33c91":"seller"}',
    answer: "400 3190",
  },
  {
    row: 5,
    what: "unknown address",
    partner: (x) => `{"${x}":"seller","${UNKNOWN}":"seller"}`,
    answer: "404 3090",
  },
  {
    row: 5,
    what: "B twice",
    partner: (x) => `{"${x}":"seller","${x}":"seller"}`,
    answer: "400 1007",
  },
  { row: 5, what: "[]", partner: () => "[]", answer: "400 1007" },
  { what: "no JSON", partner: (x) => `{"${x}":"seller"`, answer: "400 1007" },
  { what: "a text", partner: () => '"seller"', answer: "400 1007" },
  { what: "a number as role", partner: (x) => `{"${x}":1}`, answer: "400 1007" },
  { what: "no role", partner: (x) => `{"${x}":null}`, answer: "400 1007" },
  { what: "several roles", partner: (x) => `{"${x}":["seller"]}`, answer: "400 1007" },
  { what: "empty role", partner: (x) => `{"${x}":""}`, answer: "400 3005" },
  { what: "role in capitals", partner: (x) => `{"${x}":"Seller"}`, answer: "400 3005" },
  { what: "role owner", partner: (x) => `{"${x}":"owner"}`, answer: "400 3005" },
  { what: "{}", partner: () => "{}", shown: () => ({}) },
  {
    what: "every role, with white space",
    partner: (x, y) => `{ "${x}" : "partner",\n"${y}":"creator" }`,
    shown: (x, y) => ({ [x]: "partner", [y]: "creator" }),
  },
  {
    what: "40960 characters",
    partner: (x) => `{"${x}":"creator"${" ".repeat(40_960 - 54)}}`,
    shown: (x) => ({ [x]: "creator" }),
  },
  {
    what: "40961 characters",
    partner: (x) => `{"${x}":"creator"${" ".repeat(40_961 - 54)}}`,
    answer: "400 3005",
  },
];

for (const { row, what, partner, shown, answer } of PARTNERS) {
  test(`mrc401 ${row === undefined ? "§3" : `§18 row ${row}`}: partner with ${what}: ${answer ?? "accepted"}`, async () => {
    const text = partner(b.address, a.address);
    if (shown === undefined) {
      assert.equal(await answered({ partner: text }), `${answer} partner`);
    } else {
      const project = await created({ partner: text });
      assert.deepEqual(project.partner, shown(b.address, a.address));
    }
  });
}

test("mrc401 §3: the owner's own address may stand in partner", async () => {
  const partner = { [o.address]: "seller" };
  assert.deepEqual((await created({ partner })).partner, partner);
});

const MANY_LINKS = Object.fromEntries(
  Array.from({ length: 2000 }, (_, n) => [n.toString(36), `http://${n.toString(36)}`]),
);
assert.ok(JSON.stringify(MANY_LINKS).length < 40_960);

for (const { row, socialmedia, shown = {}, answer } of [
  { row: 6, socialmedia: '{"x":"no url"}', answer: "400 3005 socialmedia" },
  { row: 6, socialmedia: '{"x":1}', answer: "400 1007 socialmedia" },
  { row: 6, socialmedia: "", shown: {} },
  { socialmedia: "{}", shown: {} },
  { socialmedia: "[]", answer: "400 1007 socialmedia" },
  { socialmedia: "x", answer: "400 1007 socialmedia" },
  {
    socialmedia: '{"x":"http://a.b","x":"http://a.b"}',
    answer: "400 1007 socialmedia",
  },
  { socialmedia: '{"x":"ipfs://a"}', answer: "400 3005 socialmedia" },
  {
    socialmedia: '{"home|page":"https://a.b/|", "__proto__":"http://a.b"}',
    shown: JSON.parse('{"home|page":"https://a.b/|","__proto__":"http://a.b"}') as object,
  },
  {
    socialmedia: `{"x":"http://a.b"${" ".repeat(40_960 - 18)}}`,
    shown: { x: "http://a.b" },
  },
  // As many links as 40,960 characters can have.
  { socialmedia: JSON.stringify(MANY_LINKS), shown: MANY_LINKS },
  { socialmedia: `{${" ".repeat(40_961 - 2)}}`, answer: "400 3005 socialmedia" },
] as readonly { row?: number; socialmedia: string; shown?: object; answer?: string }[]) {
  const what = `${socialmedia.slice(0, 40)} (${socialmedia.length})`;
  test(`mrc401 ${row === undefined ? "§3" : `§18 row ${row}`}: socialmedia ${what}: ${answer ?? "accepted"}`, async () => {
    if (answer === undefined) {
      const { socialmedia: is } = await created({ socialmedia });
      assert.deepEqual(Object.entries(is).sort(), Object.entries(shown).sort());
    } else {
      assert.equal(await answered({ socialmedia }), answer);
    }
  });
}

test("mrc401 §3: the order in which a create refuses", async () => {
  const existence = { owner: UNKNOWN, partner: { [UNKNOWN]: "seller" }, allowtoken: "99" };
  const right = { ...PROJECT, socialmedia: "{}" };
  await collection.mending("createProject", { by: o, stranger: a }, [
    [{ ...right, ...existence, category: "", name: "a|b" }, "400 1000"],
    [{ category: "game" }, "400 3005"],
    [{ name: "n", allowtoken: "x" }, "400 1101"],
    [{ allowtoken: "99", url: "x" }, "400 3005"],
    [{ url: PROJECT.url, socialmedia: "[]" }, "400 1007"],
    [{ socialmedia: "{}", partner: { [UNKNOWN]: "boss" } }, "400 3005"],
    [{ partner: { MTx: "seller" } }, "400 3190"],
    [{ partner: existence.partner, owner: "MTx" }, "400 3190"],
    [{ owner: UNKNOWN }, "404 3090"],
    [{ owner: o.address }, "404 3090"],
    [{ partner: { [b.address]: "seller" } }, "404 4001"],
    [{ allowtoken: "7" }, "key"],
    [{}, "200"],
  ]);
  assert.equal(await answered(existence), "404 3090 owner");
  assert.equal(await answered({ ...existence, owner: o.address }), "404 3090 partner");
});
