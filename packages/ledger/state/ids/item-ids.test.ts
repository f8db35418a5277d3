import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { TestClient } from "../../testing/test-client.ts";
import { createItems, createProject } from "../../testing/trade/creations.ts";
import { derivedId } from "./derived-id.ts";
import { itemIds } from "./item-ids.ts";

// The example of mrc401 §2.1.
const OWNER = "MTAlice00000000000000000000000005dc33c90";
const TKEY = "K00000011vb6GO012345678977ivWGLZmiS5iqaPgUygNX";
const PROJECT = "MRC400_c7735425f08d740230c98da57e9977dfc";

/** The number that the nth element gets by itself, by the words of mrc401 §7. */
function derivedNumber(mrc400id: string, tkey: string, n: number): string {
  const text = `MRC401|${mrc400id}|${tkey}|${n}`;
  return createHash("sha256").update(text).digest("hex").slice(0, 40);
}

test("mrc401 §2.1: the example of a project's id", () => {
  assert.equal(derivedId("MRC400", OWNER, TKEY), PROJECT);
  assert.equal(PROJECT.length, 40);
});

test("mrc401 §7: an item's number is the one that was sent, or follows from project, temporary key and place", () => {
  const number = "0000000000000000000000000000000000000001";
  const numbers = [undefined, number, undefined];
  assert.deepEqual(itemIds({ kind: "MRC401", mrc400id: PROJECT, tkey: TKEY, numbers }), [
    `${PROJECT}_${derivedNumber(PROJECT, TKEY, 0)}`,
    `${PROJECT}_${number}`,
    `${PROJECT}_${derivedNumber(PROJECT, TKEY, 2)}`,
  ]);
  // Computed with `printf 'MRC401|…|0' | sha256sum`.
  assert.equal(derivedNumber(PROJECT, TKEY, 0), "b2c71a6cbc7791dde5be6feacb0dfe931d8f9ff3");
});

test("mrc401 §7: two elements with one number are refused, also if one of them gets it by itself", async () => {
  using client = await TestClient.open();
  const { owner } = await client.people(["owner"], { coins: 500n });
  const mrc400id = await createProject(client, owner);
  const tkey = client.ledger.key(owner);
  const [first, second] = [0, 1].map((n) => derivedNumber(mrc400id, tkey, n));
  const create = async (...itemdata: readonly object[]): Promise<string> =>
    (await client.send("mrc401create", owner, { mrc400id, itemdata, tkey })).code;
  const reserve = { initial_reserve: "100" };
  assert.equal(await create({ item_id: second, ...reserve }, reserve), "400 3004");
  assert.equal(await create(reserve, { id: `${mrc400id}_${first}`, ...reserve }), "400 3004");
  assert.equal(await create({ item_id: first, ...reserve }, { item_id: first }), "400 3004");
  assert.equal(client.held(owner), "500");
  // A number that an element would get, were it in another place, is as good as any.
  assert.equal(await create({ item_id: first, ...reserve }, reserve), "done");
  assert.equal(client.held(owner), "300");
});

test("mrc401 §2.1: a number serves once in a project, also after melting, and again in another project", async () => {
  using client = await TestClient.open();
  const { owner } = await client.people(["owner"]);
  const [one, other] = [await createProject(client, owner), await createProject(client, owner)];
  const numbered = { item_id: "Z".repeat(40) };
  const [mrc401id = ""] = await createItems(client, one, owner, numbered);
  const create = async (mrc400id: string, ...itemdata: readonly object[]): Promise<string> =>
    (await client.send("mrc401create", owner, { mrc400id, itemdata })).code;
  assert.equal(await create(one, {}, numbered), "409 7111");
  await client.done("mrc401melt", owner, { mrc401id });
  assert.equal(await create(one, numbered), "409 7111");
  assert.equal(await create(other, numbered), "done");
  assert.equal(await create(one, { item_id: "z".repeat(40) }), "done");
});
