import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import type { Address } from "@moneta/protocol";
import { listNamed, listPage } from "../../testing/list-pages.ts";
import { TestClient } from "../../testing/test-client.ts";
import { type Cast, createCast } from "../../testing/trade/cast.ts";
import {
  ART,
  createItems,
  createUnitItems,
  createUnits,
  type Element,
} from "../../testing/trade/creations.ts";

let client: TestClient;
let cast: Cast;
before(async () => {
  client = await TestClient.open({ tokens: 9 });
  cast = await createCast(client, { coins: 1_000_000n });
});
after(() => client[Symbol.dispose]());

const HASH = "ab".repeat(32);
const URLS = { item_url: "https://a.example/1", item_image_url: "https://a.example/1.png" };

function attributesOf(count: number): Element {
  return Object.fromEntries(Array.from({ length: count }, (_, n) => [`a${n}`, n]));
}

/** Items and multi-unit items of a project are described in the same way. */
const KINDS = [
  {
    kind: "items",
    create: "mrc401create",
    update: "mrc401update",
    list: "mrc401Items",
    make: createItems,
  },
  {
    kind: "units",
    create: "mrc402create",
    update: "mrc402itemupdate",
    list: "mrc402Items",
    make: createUnitItems,
  },
] as const;

const CHAPTER = new URL("../../../../docs/specification/mrc401.md", import.meta.url);
const [, EXAMPLE = ""] =
  /^## 19 .*?```example\n(.*?)```/ms.exec(readFileSync(CHAPTER, "utf8")) ?? [];

for (const { kind, create, update, list } of KINDS) {
  test(`mrc401 §19: the example, with ${kind}`, async () => {
    const ids = new Map<string, string>();
    assert.ok(EXAMPLE.includes("attribute=") && EXAMPLE.includes("7119"));
    for (const line of EXAMPLE.trim().split("\n")) {
      const [, seconds] = /^now\+(\d+)$/.exec(line) ?? [];
      const [, attribute = "", names] = /^attribute=(\S+): (.*)$/.exec(line) ?? [];
      const [, by, done, name = "", element = "", result = ""] =
        /^(\w): (create|update)(?: (\w))? (\{.*\}) -> (.*)$/.exec(line) ?? [];
      if (seconds !== undefined) {
        client.now += Number(seconds);
        await client.pay(cast.o, 1n);
      } else if (names !== undefined) {
        const query = { mrc400id: cast.q, attribute };
        const { items } = listPage<{ id: string }>(client.ledger, listNamed(list), query);
        const found = items.map(({ id }) => id).filter((id) => [...ids.values()].includes(id));
        assert.deepEqual(
          found,
          names.split(" ").map((one) => ids.get(one)),
          line,
        );
      } else {
        const terms = element.replace(/now\+(\d+)/, (_, after) =>
          String(client.now + Number(after)),
        );
        const itemdata = [{ ...(name && { id: ids.get(name) }), ...JSON.parse(terms) }];
        const params = { mrc400id: cast.q, itemdata };
        const actor = cast[by as "o" | "p"];
        const answer = await client.send(done === "create" ? create : update, actor, params);
        const isNew = done === "create" && answer.summary === "done";
        assert.equal(answer.summary, isNew ? "done" : result, line);
        if (isNew) {
          ids.set(result, answer.made[0] as string);
        }
      }
    }
  });
}

for (const { kind, create, update, make } of KINDS) {
  const created = async (by: Address, ...itemdata: Element[]): Promise<string> =>
    (await client.send(create, by, { mrc400id: cast.q, itemdata })).summary;
  const changed = async (by: Address, id: string, terms: Element): Promise<string> =>
    (await client.send(update, by, { mrc400id: cast.q, itemdata: [{ id, ...terms }] })).summary;

  // biome-ignore format: a line for each case
  for (const { what, attributes, answer } of [
    { what: "33 attributes", attributes: attributesOf(33), answer: "400 3005 itemdata[0].attributes" },
    { what: "a nested object", attributes: { a: { b: 1 } }, answer: "400 3005 itemdata[0].attributes.a" },
    { what: "1.5", attributes: { a: 1.5 }, answer: "400 3005 itemdata[0].attributes.a" },
    { what: "a name with a colon", attributes: { "a:b": 1 }, answer: "400 3005 itemdata[0].attributes" },
    { what: "32 attributes", attributes: attributesOf(32), answer: "done" },
  ]) {
    test(`mrc401 §19 row 4: ${kind} with ${what}: ${answer}`, async () => {
      assert.equal(await created(cast.o, { attributes }), answer);
    });
  }

  test(`mrc401 §19 row 4: ${kind} with 801 attributes in one operation: 3002, with 800 done`, async () => {
    const elements = Array.from({ length: 25 }, () => ({ attributes: attributesOf(32) }));
    const oneMore = [...elements, { attributes: { level: 7 } }];
    assert.equal(await created(cast.o, ...oneMore), "400 3002 itemdata");
    assert.equal(await created(cast.o, ...elements), "done");
  });

  test(`mrc401 §19 row 5: ${kind} frozen with own URLs: item_url 7119, sell_fee accepted`, async () => {
    const { o, q } = cast;
    const frozen = client.now;
    const made = await make(client, q, o, { ...URLS, frozen, attributes: { level: 7 } });
    const [id] = made as [string];
    const refused = (name: string): string => `409 7119 itemdata[0].${name}`;
    assert.equal(await changed(o, id, { item_url: "https://b.example/" }), refused("item_url"));
    assert.equal(await changed(o, id, { item_image_url: "" }), refused("item_image_url"));
    assert.equal(await changed(o, id, { metadatahash: HASH }), refused("metadatahash"));
    assert.equal(await changed(o, id, { attributes: { level: 8 } }), refused("attributes"));
    assert.equal(await changed(o, id, { attributes: { level: 7 }, sell_fee: "2" }), "done");
    client.assertEntry(id, { sell_fee: "2", frozen, attributes: { level: 7 }, ...URLS });
  });

  test(`mrc401 §19 row 5: ${kind} without own URLs are not frozen: 3005`, async () => {
    const { o, q } = cast;
    const refused = "400 3005 itemdata[0].frozen";
    assert.equal(await created(o, { frozen: client.now, item_url: URLS.item_url }), refused);
    const [plain, own] = (await make(client, q, o, {}, URLS)) as [string, string];
    assert.equal(await changed(o, plain, { frozen: 5 }), refused);
    const later = client.now + 3600;
    assert.equal(await changed(o, own, { frozen: later }), "done");
    assert.equal(await changed(o, own, { item_url: "" }), refused);
    assert.equal(await changed(o, own, { frozen: later + 1 }), refused);
    assert.equal(await changed(o, own, { frozen: 0 }), refused);
    assert.equal(await changed(o, own, { frozen: later - 1, metadatahash: HASH }), "done");
    client.assertEntry(own, { frozen: later - 1, metadatahash: HASH });
  });

  test(`mrc401 §19 row 5: ${kind} of a partner: attributes are its own to set, hash and time are not`, async () => {
    const { p, q } = cast;
    assert.equal(await created(p, { metadatahash: HASH }), "403 7002 itemdata[0]");
    assert.equal(await created(p, { ...URLS, frozen: 5 }), "403 7002 itemdata[0]");
    const made = await make(client, q, p, { ...URLS, attributes: { level: 7, rare: true } });
    const [id] = made as [string];
    assert.equal(await changed(p, id, { metadatahash: HASH }), "403 7002 itemdata[0]");
    assert.equal(await changed(p, id, { frozen: 5 }), "403 7002 itemdata[0]");
    assert.equal(await changed(p, id, { attributes: { name: "Sword" } }), "done");
    client.assertEntry(id, { attributes: { name: "Sword" }, metadatahash: "", frozen: 0 });
  });

  test(`mrc401 §19: the record of an update of ${kind} has what changed in its values`, async () => {
    const { o, q } = cast;
    const [id] = (await make(client, q, o, { attributes: { level: 7 } })) as [string];
    const itemdata = [{ id, attributes: { b: "x", a: false }, metadatahash: HASH }];
    const { record } = await client.done(update, o, { mrc400id: q, itemdata });
    const values = JSON.parse(JSON.stringify(record.effects[0]?.values));
    assert.deepEqual(values, { attributes: { a: false, b: "x" }, metadatahash: HASH });
    const cleared = [{ id, attributes: {}, metadatahash: "" }];
    await client.done(update, o, { mrc400id: q, itemdata: cleared });
    client.assertEntry(id, { attributes: {}, metadatahash: "", frozen: 0 });
    const again = await client.send(update, o, { mrc400id: q, itemdata: cleared });
    assert.equal(again.problem?.code, "4900");
  });
}

test("mrc402 §4, §9: units that stand alone have metadata, with a full signature only", async () => {
  const { a, b } = cast;
  const metadata = { attributes: { level: 7 }, metadatahash: HASH };
  assert.equal(
    (await client.send("mrc402create", a, { ...ART, ...metadata })).summary,
    "401 2010 attributes",
  );
  const full = { signed: "full" };
  const frozen = { ...ART, frozen: "5", ...full };
  assert.equal((await client.send("mrc402create", a, frozen)).summary, "400 3005 frozen");
  const urls = { itemurl: URLS.item_url, itemimageurl: URLS.item_image_url };
  const id = await createUnits(client, a, { ...metadata, ...urls, ...full });
  client.assertEntry(id, { ...metadata, frozen: 0 });
  const changed = async (by: Address, terms: Element): Promise<string> =>
    (await client.send("mrc402update", by, { mrc402id: id, ...terms, ...full })).summary;
  assert.match(await changed(b, { frozen: "5" }), /^403 7002/);
  assert.equal(await changed(a, { frozen: String(client.now) }), "done");
  assert.equal(await changed(a, { attributes: { level: 8 } }), "409 7119 attributes");
  assert.equal(await changed(a, { data: "season 2" }), "done");
  client.assertEntry(id, { ...metadata, frozen: client.now, data: "season 2" });
});

test("mrc402 §4, §9: metadata of units in a project stands in itemdata", async () => {
  const { o, q } = cast;
  const [id] = (await createUnitItems(client, q, o, {})) as [string];
  const attributes = { level: 7 };
  const beside = { mrc400id: q, itemdata: [{}], attributes, signed: "full" };
  assert.equal((await client.send("mrc402create", o, beside)).summary, "400 3005 attributes");
  const update = { mrc402id: id, attributes, signed: "full" };
  assert.equal((await client.send("mrc402update", o, update)).summary, "400 3005 attributes");
});
