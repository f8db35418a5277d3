import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { Address } from "@moneta/protocol";
import type { Params } from "../../testing/admitted.ts";
import { TestClient } from "../../testing/test-client.ts";
import { createCast } from "../../testing/trade/cast.ts";
import {
  createItems,
  createProject,
  PROJECT,
  type ProjectShown,
} from "../../testing/trade/creations.ts";
import { NO_PROJECT, NOBODY } from "../../testing/trade/item-terms.ts";

let client: TestClient;
let o: Address;
let a: Address;
let b: Address;
/** A project of O with something in every field. */
let q: string;
let stored: ProjectShown;
before(async () => {
  client = await TestClient.open({ tokens: 9 });
  ({ o, a, b } = await client.people(["o", "a", "b"]));
});
after(() => client[Symbol.dispose]());
beforeEach(async () => {
  const roles = { seller: [a], creator: [b] };
  q = await createProject(client, o, roles, {
    allowtoken: "7",
    socialmedia: { homepage: "https://rpg.example/", other: "https://b.example/" },
  });
  stored = client.entry<ProjectShown>(q);
});

/** O changes Q; of a parameter that holds others, such as `partner.MT…`, only the first name. */
async function summaryOf(params: Params): Promise<string> {
  const answer = await client.send("mrc400update", o, { mrc400id: q, ...params });
  return answer.summary.replace(/[.[].*/, "");
}

function assertStored(change: Partial<ProjectShown>): void {
  assert.deepEqual(client.entry(q), { ...stored, ...change });
}

const CHANGES: readonly (readonly [sent: Params, shown: Partial<ProjectShown>])[] = [
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
    client.now += 10;
    const others = Object.fromEntries(Object.keys(PROJECT).map((field) => [field, ""]));
    for (const params of [sent, { ...others, allowtoken: "", partner: "", ...sent }]) {
      await client.done("mrc400update", o, { mrc400id: q, ...params });
      assertStored(shown);
      assert.equal(await summaryOf(sent), "400 4900", `${name} is stored now`);
      await client.done("mrc400update", o, { mrc400id: q, ...asSent(stored) });
      assertStored({});
    }
  });
}

/** A project's fields under the names of requests. */
function asSent(project: ProjectShown): Params {
  const { id: _, owner: __, createdate: ___, ...fields } = project;
  const { image_url, item_url, item_image_url, allow_token, ...others } = fields;
  // Only a full signature may have a policy.
  const { policy, policy_number, ...same } = others;
  const urls = { imageurl: image_url, itemurl: item_url, itemimageurl: item_image_url };
  return { ...same, ...urls, allowtoken: String(allow_token) };
}

test("mrc401 §4: the stored name only, nothing: 4900 each, as all that is stored, however it is written", async () => {
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
    assert.equal(await summaryOf(params), "400 4900", JSON.stringify(params));
  }
});

test("mrc401 §4: allowtoken absent, empty, 0: 7, 7, 0", async () => {
  await client.done("mrc400update", o, { mrc400id: q, name: "New" });
  assertStored({ name: "New" });
  await client.done("mrc400update", o, { mrc400id: q, name: "Newer", allowtoken: "" });
  assertStored({ name: "Newer" });
  await client.done("mrc400update", o, { mrc400id: q, allowtoken: "0" });
  assertStored({ name: "Newer", allow_token: 0 });
  assert.equal(await summaryOf({ allowtoken: "0" }), "400 4900");
});

test("mrc401 §4: partner {} clears, empty keeps; another object replaces the whole", async () => {
  await client.done("mrc400update", o, { mrc400id: q, name: "New", partner: "" });
  assertStored({ name: "New" });
  const partner = { [b]: "saller" };
  await client.done("mrc400update", o, { mrc400id: q, partner });
  assertStored({ name: "New", partner: { [b]: "seller" } });
  await client.done("mrc400update", o, { mrc400id: q, partner: "{}" });
  assertStored({ name: "New", partner: {} });
});

test("mrc401 §2.4: a later allowtoken leaves a listing as it is, and holds for the next", async () => {
  const cast = await createCast(client);
  const { buyer } = await client.people(["buyer"], { tokens: { "9": 300n } });
  const [x, y, z] = (await createItems(client, cast.q, cast.o, {}, {}, {})) as [
    string,
    string,
    string,
  ];
  for (const id of [x, y, z]) {
    await client.done("mrc401transfer", cast.o, { mrc401id: id, toAddr: cast.a });
  }
  const sell = async (id: string, token: string): Promise<string> =>
    (await client.send("mrc401sell", cast.a, { itemdata: [{ id, price: "300", token }] })).summary;
  assert.equal(await sell(x, "9"), "done");
  await client.done("mrc400update", cast.o, { mrc400id: cast.q, allowtoken: "7" });
  await client.done("mrc401buy", buyer, { mrc401id: x });
  const { owner, last_trade_token } = client.entry(x);
  assert.deepEqual([owner, last_trade_token], [buyer, "9"]);
  assert.equal(client.held(cast.a, "9"), "300");
  assert.deepEqual(
    [await sell(y, "9"), await sell(y, "7"), await sell(z, "0")],
    ["400 3005 itemdata[0].token", "done", "done"],
  );
});

test("mrc401 §4: the order in which an update refuses", async () => {
  const partner = { [NOBODY]: "seller" };
  const [item = ""] = await createItems(client, q, o, {});
  await client.mending("mrc400update", { by: o, stranger: a }, [
    [{ mrc400id: NO_PROJECT, partner, allowtoken: "x" }, "400 1101"],
    [{ allowtoken: "99", name: "a|b" }, "400 3005"],
    [{ name: "", socialmedia: "[]" }, "400 1007"],
    [{ socialmedia: "", partner: { MTx: "seller" } }, "400 3190"],
    [{ partner }, "404 6004"],
    [{ mrc400id: "x" }, "404 6004"],
    [{ mrc400id: item }, "404 6004"],
    [{ mrc400id: q }, "404 3090"],
    [{ partner: stored.partner }, "404 4001"],
    [{ allowtoken: "7" }, "key"],
    [{}, "400 4900"],
    [{ name: "New" }, "done"],
  ]);
});
