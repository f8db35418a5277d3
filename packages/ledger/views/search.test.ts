import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import type { Address } from "@moneta/protocol";
import { firstDifference } from "../compare-views.ts";
import type { NamedKind } from "../state/names/name-table.ts";
import { TestClient } from "../testing/test-client.ts";
import { replay } from "../testing/test-ledger.ts";
import {
  createItems,
  createProject,
  createToken,
  createUnitItems,
} from "../testing/trade/creations.ts";
import { SearchView } from "./search.ts";

let client: TestClient;
let a: Address;
beforeEach(async () => {
  client = await TestClient.open();
  ({ a } = await client.people(["a"], { coins: 1_000_000n }));
});
afterEach(() => client[Symbol.dispose]());

function found(kind: NamedKind, text: string, limit = 20, examinedMax?: number): string[] {
  const view = new SearchView(client.ledger.database, examinedMax);
  return view.byName(kind, text, limit).map(({ id, text }) => (text === "" ? id : text));
}

test("a name is found from any word on, by all words in any order, without case, accents and width", async () => {
  const rome = await createProject(client, a, {}, { name: "Golden Sword of Rome" });
  const cafe = await createProject(client, a, {}, { name: "Café-Straße №7" });
  const point = await createProject(client, a, {}, { name: "포인트 가게" });
  const greek = await createProject(client, a, {}, { name: "ΟΔΟΣ" });
  const face = await createProject(client, a, {}, { name: "(^_^)" });
  for (const [text, ids] of [
    ["g", [rome]],
    ["GOLDEN  sw", [rome]],
    ["of rome", [rome]],
    ["rome golden", [rome]],
    ["rome gold sword", [rome]],
    ["rome silver", []],
    ["olden", []],
    ["cafe", [cafe]],
    ["ＣＡＦÉ strasse", [cafe]],
    ["포인", [point]],
    ["가게", [point]],
    ["οδος", [greek]],
    ["οδοσ", [greek]],
    ["^", [face]],
    ["%", []],
    ["_", []],
  ] as const) {
    assert.deepEqual(found("project", text), ids, text);
  }
});

test("exact names come before longer ones, and the oldest of equal ones first", async () => {
  const longer = await createToken(client, a, { symbol: "GLDX", name: "Other" });
  const gold = await createToken(client, a, { symbol: "GLD", name: "Zinc" });
  const copy = await createToken(client, a, { symbol: "gld", name: "Aurum" });
  assert.deepEqual(found("token", "GLD"), [gold, copy, longer]);
  assert.deepEqual(found("token", "gld", 1), [gold]);
  assert.deepEqual(found("token", `GLD #${copy}`), [copy]);
  assert.deepEqual(found("token", `${longer} gldx`), [longer]);
});

test("names and attributes follow updates, and are the same in tables rebuilt from the blocks", async () => {
  const project = await createProject(client, a, {}, { name: "Boats" });
  const [first, second] = await createItems(
    client,
    project,
    a,
    { attributes: { name: "Ark", hair: "dark red", level: 7, rare: true } },
    { attributes: { hair: "dark red" }, item_id: `${"0".repeat(35)}Abc42` },
  );
  const [units] = await createUnitItems(client, project, a, { attributes: { hair: "dark red" } });
  assert.deepEqual(found("item", "ark"), [first]);
  assert.deepEqual(found("item", "abc42"), [second]);
  assert.deepEqual(found("attribute", "hair"), ["hair:dark red"]);
  assert.deepEqual(found("attribute", "dark"), ["hair:dark red"]);
  assert.deepEqual(found("attribute", "level:7"), ["level:7"]);
  for (const text of ["7", "true", "name"]) {
    assert.deepEqual(found("attribute", text), [], "says nothing by itself");
  }
  const update = (id: string | undefined, attributes: object): Promise<unknown> =>
    client.done(id === units ? "mrc402itemupdate" : "mrc401update", a, {
      mrc400id: project,
      itemdata: [{ id: id as string, attributes }],
    });
  await update(first, { name: "Noah's Ship" });
  await update(second, { name: "Dinghy" });
  assert.deepEqual(found("item", "ark"), []);
  assert.deepEqual(found("item", "ship"), [first]);
  assert.deepEqual(found("item", "abc42"), []);
  assert.deepEqual(found("attribute", "dark"), ["hair:dark red"], "an item of units has it");
  await update(units, { hair: "none" });
  assert.deepEqual(found("attribute", "dark"), []);
  await client.done("mrc400update", a, { mrc400id: project, name: "Ships" });
  assert.deepEqual(found("project", "boats"), []);
  assert.deepEqual(found("project", "ships"), [project]);

  const compared = (): unknown =>
    firstDifference(client.ledger.database, replay(client.ledger.blocks).database, () => {});
  assert.equal(compared(), undefined);
  client.ledger.database.exec("UPDATE name SET start = 'x' WHERE start = 'ships'");
  assert.equal((compared() as { table: string }).table, "name");
});

test("a group of a project is found by its words while an item is in it", async () => {
  const boats = await createProject(client, a);
  const [first, second] = await createItems(
    client,
    boats,
    a,
    { groupid: "Old Ships" },
    { groupid: "Old Ships" },
    { groupid: "" },
  );
  const cars = await createProject(client, a);
  await createItems(client, cars, a, { groupid: "old-timers" });
  await createUnitItems(client, cars, a, { groupid: "Old prints" });
  const groups = (text: string): unknown =>
    new SearchView(client.ledger.database).byName("groupid", text, 20);
  const ofBoats = [{ kind: "groupid", id: boats, text: "Old Ships" }];
  assert.deepEqual(groups("SHIP"), ofBoats);
  assert.deepEqual(groups("old"), [...ofBoats, { kind: "groupid", id: cars, text: "old-timers" }]);
  const regroup = (id: string | undefined, groupid: string): Promise<unknown> =>
    client.done("mrc401update", a, { mrc400id: boats, itemdata: [{ id: id as string, groupid }] });
  await regroup(first, "Wrecks");
  assert.deepEqual(groups("ship"), ofBoats, "the second item is in it");
  await regroup(second, "");
  assert.deepEqual(groups("ship"), []);
  assert.deepEqual(groups("old"), [{ kind: "groupid", id: cars, text: "old-timers" }]);
  assert.deepEqual(groups("wrecks"), [{ kind: "groupid", id: boats, text: "Wrecks" }]);
});

test("a search examines so many rows of each word, so that a frequent one costs no more", async () => {
  const project = await createProject(client, a, {}, { name: "Zoo" });
  const names = ["Cat A", "Cat B", "Cat C", "Cat Tom Zed"];
  const items = await createItems(
    client,
    project,
    a,
    ...names.map((name) => ({ attributes: { name } })),
  );
  const tom = items[3] as string;
  assert.deepEqual(found("item", "cat zed", 20, 4), [tom]);
  assert.deepEqual(found("item", "cat zed", 20, 3), []);
  assert.deepEqual(found("item", "cat", 2), items.slice(0, 2));
  const long = `${"la ".repeat(50)}end`;
  const [song] = await createItems(client, project, a, { attributes: { name: long } });
  assert.deepEqual(found("item", "la"), [song]);
  assert.deepEqual(found("item", "end"), [], "only the first words");
  const { count } = client.ledger.database
    .prepare("SELECT count(*) AS count FROM name WHERE start LIKE 'la %'")
    .get() as { count: number };
  assert.ok(count <= 6, `${count} rows`);
});

test("ids are found by their ends, and each look-up reads an index", async () => {
  const project = await createProject(client, a);
  const digits = project.slice("MRC400_".length);
  const view = new SearchView(client.ledger.database);
  assert.deepEqual(view.byId(digits.slice(0, 6), digits.slice(-4), 5), [
    { kind: "project", id: project },
  ]);
  assert.deepEqual(view.byId(digits.slice(0, 6), "zzzz", 5), []);
  assert.deepEqual(view.byId(a.slice(0, 8), a.slice(-6), 5), [{ kind: "address", id: a }]);
  for (const sql of [
    "SELECT 1 FROM name WHERE kind = ? AND start >= ? AND start < ? ORDER BY start, number, text LIMIT ?",
    ...["project", "item", "unit_item", "token_listing", "unit_listing", "item_offer"].map(
      (table) => `SELECT key FROM ${table} WHERE key >= ? AND key < ? ORDER BY key LIMIT ?`,
    ),
    "SELECT id FROM block WHERE id >= ? AND id < ? ORDER BY id LIMIT ?",
    "SELECT address FROM address WHERE address >= ? AND address < ? ORDER BY address LIMIT ?",
  ]) {
    const plan = client.ledger.database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all();
    assert.equal(plan.length, 1, sql);
    assert.match(plan[0]?.["detail"] as string, /^SEARCH /, sql);
  }
});
