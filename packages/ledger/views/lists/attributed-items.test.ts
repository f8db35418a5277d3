import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { type Address, Refused, readTexts } from "@moneta/protocol";
import { firstDifference } from "../../compare-views.ts";
import { listNamed, listPages, type Query } from "../../testing/list-pages.ts";
import { TestClient } from "../../testing/test-client.ts";
import { replay } from "../../testing/test-ledger.ts";
import { createItems, createProject, createUnitItems } from "../../testing/trade/creations.ts";
import { ListView } from "./list-view.ts";

let client: TestClient;
let a: Address;
let project: string;
beforeEach(async () => {
  client = await TestClient.open();
  ({ a } = await client.people(["a"], { coins: 1_000_000n }));
  project = await createProject(client, a);
});
afterEach(() => client[Symbol.dispose]());

interface Entry {
  readonly id: string;
}

/** Ids of the items with an attribute, in pages that examine so many items. */
function pages(query: Query, examinedMax?: number): readonly (readonly string[])[] {
  const { database, reader } = client.ledger;
  const lists = new ListView(database, reader, examinedMax === undefined ? {} : { examinedMax });
  const found = listPages<Entry>(client.ledger, listNamed("mrc401Items"), query, lists);
  return found.map((items) => items.map(({ id }) => id));
}

function having(attribute: string, query: Query = {}): readonly string[] {
  return pages({ mrc400id: project, attribute, ...query }).flat();
}

test("mrc401 §19: a value is found as text, whether it is a number, a text or true", async () => {
  const [number, text, flag] = await createItems(
    client,
    project,
    a,
    { attributes: { level: 7 } },
    { attributes: { level: "7", note: "a:b" } },
    { attributes: { level: 70, rare: true } },
  );
  const other = await createProject(client, a, {}, { name: "Other" });
  await createItems(client, other, a, { attributes: { level: 7 } });
  assert.deepEqual(having("level:7"), [text, number]);
  assert.deepEqual(having("level:70"), [flag]);
  assert.deepEqual(having("rare:true"), [flag]);
  assert.deepEqual(having("note:a:b"), [text]);
  assert.deepEqual(having("level:"), []);
  assert.deepEqual(having("Level:7"), []);
});

test("mrc401 §19: the filter follows updates of items and units, and tables rebuilt from the blocks are the same", async () => {
  const [first, second] = await createItems(
    client,
    project,
    a,
    { attributes: { level: 7, rare: true } },
    { attributes: { level: 7 } },
  );
  const [units] = await createUnitItems(client, project, a, { attributes: { level: 7 } });
  const update = async (id: string | undefined, terms: object): Promise<unknown> =>
    client.done(id === units ? "mrc402itemupdate" : "mrc401update", a, {
      mrc400id: project,
      itemdata: [{ id: id as string, ...terms }],
    });
  await update(first, { attributes: { level: 8, rare: true } });
  await update(units, { attributes: { level: 9 } });
  await update(second, { sell_fee: "2" });
  assert.deepEqual(having("level:7"), [second]);
  assert.deepEqual(having("level:8"), [first]);
  assert.deepEqual(having("rare:true"), [first]);
  const unitsAt = (attribute: string): readonly string[] =>
    listPages<Entry>(client.ledger, listNamed("mrc402Items"), { mrc400id: project, attribute })
      .flat()
      .map(({ id }) => id);
  assert.deepEqual(unitsAt("level:7"), []);
  assert.deepEqual(unitsAt("level:9"), [units]);
  await update(second, { attributes: {} });
  assert.deepEqual(having("level:7"), []);
  const compared = (): unknown =>
    firstDifference(client.ledger.database, replay(client.ledger.blocks).database, () => {});
  assert.equal(compared(), undefined);
  for (const table of ["item_attribute", "unit_item_attribute"]) {
    client.ledger.database.exec(`UPDATE ${table} SET attribute = attribute || '!'`);
    assert.equal((compared() as { table: string }).table, table);
    client.ledger.database.exec(`UPDATE ${table} SET attribute = rtrim(attribute, '!')`);
  }
});

for (const { query, answer } of [
  { query: { attribute: "level:7" }, answer: "1000 mrc400id" },
  { query: { attribute: "level" }, answer: "3005 attribute" },
  { query: { attribute: ":7" }, answer: "3005 attribute" },
  { query: { attribute: `${"n".repeat(65)}:7` }, answer: "3005 attribute" },
  { query: { attribute: `level:${"7".repeat(257)}` }, answer: "3005 attribute" },
]) {
  test(`mrc401 §19: the filter ${JSON.stringify(query).slice(0, 40)} is refused: ${answer}`, () => {
    for (const name of ["mrc401Items", "mrc402Items"]) {
      const refused = readTexts(listNamed(name).read, query);
      assert(refused instanceof Refused && "parameter" in refused.fault);
      assert.equal(`${refused.fault.code} ${refused.fault.parameter}`, answer);
    }
  });
}

test("mrc401 §19: items without attributes have no rows", async () => {
  await createItems(client, project, a, {}, { attributes: {} }, { groupid: "swords" });
  const rows = client.ledger.database.prepare("SELECT count(*) AS n FROM item_attribute").get();
  assert.equal(rows?.["n"], 0);
});

test("chain §10: a page by attribute ends early, with a cursor, when it has examined its bound of items", async () => {
  const items = Array.from({ length: 10 }, (_, n) => ({
    attributes: { level: 7 },
    ...(n % 4 === 0 && { groupid: "swords", sell_price: "5" }),
  }));
  const made = await createItems(client, project, a, ...items);
  const expected = [made[8], made[4], made[0]];
  const query = { mrc400id: project, attribute: "level:7" };
  for (const filters of [
    { groupid: "swords" },
    { state: "sale" },
    { token: "0" },
    { groupid: "swords", owner: a, state: "sale", token: "0" },
  ]) {
    assert.deepEqual(pages({ ...query, ...filters }, 3).flat(), expected);
    assert.equal(pages({ ...query, ...filters }, 3).length, 4, "3 items a page, so one has one");
    assert.equal(pages({ ...query, ...filters }).length, 1);
  }
  assert.deepEqual(having("level:7", { token: "0", order: "price" }), expected.toReversed());
});

test("mrc401 §19 row 6: a page by attribute examines the items that have it, however many there are", async () => {
  const items = Array.from({ length: 60 }, (_, n) => ({ attributes: { level: n % 20 } }));
  const made = await createItems(client, project, a, ...items);
  const query = { mrc400id: project, attribute: "level:7" };
  assert.deepEqual(pages(query, 3)[0], [made[47], made[27], made[7]]);
});

test("mrc401 §10: sales that have ended are missing from the sales with an attribute, and from no other list", async () => {
  const attributes = { level: 7 };
  const sale = { attributes, sell_price: "5" };
  const made = await createItems(
    client,
    project,
    a,
    { ...sale, sell_end: String(client.now + 60) },
    sale,
  );
  assert.equal(having("level:7", { state: "sale" }).length, 2);
  client.now += 60;
  await client.pay(a, 1n);
  assert.deepEqual(having("level:7", { state: "sale" }), [made[1]]);
  assert.deepEqual(having("level:7"), made.toReversed());
});
