import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { NO_UNIT_ITEM } from "../../../ledger/testing/trade/unit-terms.ts";
import { conforms } from "../../testing/clients/openapi-document.ts";
import { createItems, createProject } from "../../testing/requests/item-requests.ts";
import { Units } from "../../testing/requests/unit-requests.ts";
import { type KeyHolder, parsed, summaryOf, type TestNode } from "../../testing/test-node.ts";

// The documents that wallets and marketplaces of other ledgers read: mrc401 §20.

let units: Units;
let node: TestNode;
let o: KeyHolder;
let project: string;
before(async () => {
  units = await Units.open();
  node = units.node;
  ({ o } = await units.cast());
  project = await createProject(node, o);
});
after(() => units[Symbol.asyncDispose]());

const CHAPTER = new URL("../../../../docs/specification/mrc401.md", import.meta.url);
const NUMBER = `${"0".repeat(32)}deadbeef`;

async function documentOf(path: string): Promise<Document> {
  const document = parsed<Document>(await node.get(`${path}/metadata`));
  assertReadable(document);
  return document;
}

interface Document {
  readonly name: string;
  readonly description: string;
  readonly image?: string;
  readonly external_url?: string;
  readonly attributes: readonly {
    readonly trait_type: string;
    readonly value: unknown;
    readonly display_type?: string;
  }[];
}

const text = { type: "string" } as const;
/** The schema in ERC-721, and that in ERC-1155 with the members that this ledger has. */
const SCHEMAS = [
  {
    title: "Asset Metadata",
    type: "object",
    properties: { name: text, description: text, image: text },
  },
  {
    title: "Token Metadata",
    type: "object",
    properties: { name: text, decimals: { type: "integer" }, description: text, image: text },
  },
] as const;

/** By the schemas of the standards, and by the rules of marketplaces for attributes. */
function assertReadable(document: Document): void {
  for (const schema of SCHEMAS) {
    assert.ok(conforms(document, schema), schema.title);
  }
  for (const url of [document.image, document.external_url]) {
    assert.ok(url === undefined || (URL.canParse(url) && !url.includes("{id}")), url ?? "");
  }
  for (const { trait_type, value, display_type, ...others } of document.attributes) {
    assert.deepEqual(others, {});
    assert.ok(typeof trait_type === "string" && trait_type !== "");
    assert.ok(typeof value === "string" || Number.isSafeInteger(value), "neither true nor null");
    assert.equal(display_type, typeof value === "number" ? "number" : undefined, trait_type);
  }
}

test("mrc401 §20: an item without values of its own has those of its project, with {id} filled in", async () => {
  const [id] = await createItems(node, project, o, [{ item_id: NUMBER }]);
  assert.deepEqual(await documentOf(`/mrc401/${id}`), {
    name: "Meta-RPG #deadbeef",
    description: "Items of a game",
    image: `https://rpg.example/image/${NUMBER}`,
    external_url: "https://rpg.example/",
    attributes: [],
  });
});

test("mrc401 §20: own values go before the project's; numbers have a display type, true is a text, as in the chapter", async () => {
  const [, element = "", document = ""] =
    /^## 20 .*?```json\n(.*?)```.*?```json\n(.*?)```/ms.exec(readFileSync(CHAPTER, "utf8")) ?? [];
  const [id] = await createItems(node, project, o, [JSON.parse(element)]);
  assert.deepEqual(await documentOf(`/mrc401/${id}`), JSON.parse(document));
});

test("mrc401 §20: an attribute name that is a number is an attribute like others", async () => {
  const [id] = await createItems(node, project, o, [{ attributes: { name: 7 } }]);
  const { name, attributes } = await documentOf(`/mrc401/${id}`);
  assert.match(name, /^Meta-RPG #/);
  assert.deepEqual(attributes, [{ trait_type: "name", value: 7, display_type: "number" }]);
});

test("mrc401 §20: multi-unit items of a project and standing alone have documents, too", async () => {
  const [own, plain] = await units.items(
    project,
    o,
    {
      item_id: NUMBER.replace("beef", "cafe"),
      name: "Potion",
      url: "https://rpg.example/potion/{id}",
    },
    { attributes: { level: 7 } },
  );
  const potion = await documentOf(`/mrc402/${own}`);
  assert.equal(potion.name, "Potion");
  assert.equal(potion.description, "Items of a game");
  assert.match(potion.image ?? "", /^https:\/\/rpg.example\/image\/0{32}deadcafe$/);
  assert.match(potion.external_url ?? "", /\/potion\/0{32}deadcafe$/);
  const plainDocument = await documentOf(`/mrc402/${plain}`);
  assert.match(plainDocument.name, /^Meta-RPG #[0-9a-f]{6}$/);
  assert.equal(plainDocument.attributes.length, 1);
  const alone = await units.alone(o, { name: "Print", imageurl: "https://a.example/i.png" });
  const print = await documentOf(`/mrc402/${alone}`);
  assert.equal(print.name, "Print");
  assert.equal(print.image, "https://a.example/i.png");
});

test("mrc401 §20: a document has an ETag, is read from any origin, and changes with the item", async () => {
  const [id = ""] = await createItems(node, project, o, [{ attributes: { level: 7 } }]);
  const path = `/mrc401/${id}/metadata`;
  const first = await node.get(path, { Origin: "https://market.example" });
  const etag = first.headers.get("etag") ?? "";
  assert.match(etag, /^(W\/)?".+"$/);
  assert.equal(first.headers.get("access-control-allow-origin"), "*");
  assert.match(first.headers.get("content-type") ?? "", /^application\/json/);
  assert.equal((await node.get(path, { "If-None-Match": etag })).status, 304);
  const height = await node.height();
  const itemdata = [{ id, attributes: { level: 8 } }];
  await units.done("mrc401update", o, { mrc400id: project, itemdata });
  const changed = await node.get(path, { "If-None-Match": etag });
  assert.equal(parsed<Document>(changed).attributes[0]?.value, 8);
  const earlier = await node.get(`${path}?height=${height}`);
  assert.equal(parsed<Document>(earlier).attributes[0]?.value, 7);
});

test("mrc401 §20: no item and no project: 404 6004", async () => {
  assert.equal(summaryOf(await node.get(`/mrc401/${NO_UNIT_ITEM}/metadata`)), "404 6004 mrc401id");
  assert.equal(summaryOf(await node.get(`/mrc401/${project}/metadata`)), "404 6004 mrc401id");
  assert.equal(summaryOf(await node.get(`/mrc402/${NO_UNIT_ITEM}/metadata`)), "404 6004 mrc402id");
});
