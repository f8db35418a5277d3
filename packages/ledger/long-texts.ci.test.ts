import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Address,
  type AnyOperation,
  mrc400Create,
  mrc400Update,
  mrc402Create,
  mrc402Itemupdate,
  mrc402Sell,
  mrc402Unsell,
  type Texts,
  tokenCreate,
  tokenSave,
} from "@moneta/protocol";
import { logState, openForWriting } from "./database.ts";
import { Ledger } from "./ledger.ts";
import { derivedId } from "./state/ids/derived-id.ts";
import { BlockList } from "./testing/block-list.ts";
import { codeOf, operationOf, replay, TestLedger } from "./testing/test-ledger.ts";

/** As long as a text of an item may be, and as many bytes. */
const LONG = "🪙".repeat(40_960);
const COUNT = 10;
const PROJECT = {
  ...{ name: "P", category: "game", url: "https://p.example/", imageurl: "https://p.example/i" },
  ...{ itemurl: "https://p.example/item", itemimageurl: "https://p.example/image" },
};

/** Items that say of themselves what `texts` has, in a project of their owner's. */
async function makeItems(
  ledger: TestLedger,
  owner: Address,
  texts: Texts,
  count: number = COUNT,
): Promise<string[]> {
  const { tkey } = await does(ledger, mrc400Create, owner, {
    ...{ owner, ...PROJECT, description: "d", data: "d" },
  });
  const mrc400id = derivedId("MRC400", owner, tkey);
  const numbers = Array.from({ length: count }, (_, number) => String(number).padStart(40, "0"));
  await does(ledger, mrc402Create, owner, {
    mrc400id,
    itemdata: JSON.stringify(numbers.map((item_id) => ({ item_id, totalsupply: "10", ...texts }))),
  });
  return numbers.map((number) => `${mrc400id}_${number}`);
}

/** The pages that the operation has written, with its temporary key. */
async function does(
  ledger: TestLedger,
  operation: AnyOperation,
  by: Address,
  params: Texts,
  decided: Texts = {},
): Promise<{ readonly tkey: string; readonly pages: number }> {
  const [{ temporaryKey = "" } = {}] = "signers" in operation ? operation.signers : [];
  const tkey = ledger.key(by);
  const sent = { signature: "MEQ=", [temporaryKey]: tkey, ...params };
  const { pages } = logState(ledger.database);
  await ledger.done(operationOf(operation, sent, by, decided));
  return { tkey, pages: logState(ledger.database).pages - pages };
}

test("to list items with long texts, and to take them back, writes no more than for others", async () => {
  using ledger = await TestLedger.begin();
  const owners = (await ledger.createAddresses(2)) as [Address, Address];
  const long = { data: LONG, information: LONG };
  const items = [
    await makeItems(ledger, owners[0], {}),
    await makeItems(ledger, owners[1], long),
  ] as const;
  const pages: number[][] = [];
  for (const [index, ids] of items.entries()) {
    const owner = owners[index] as Address;
    const sold = await does(ledger, mrc402Sell, owner, {
      itemdata: JSON.stringify(ids.map((id) => ({ id, amount: "1", price: "5", token: "0" }))),
    });
    const back = await does(ledger, mrc402Unsell, owner, { itemdata: JSON.stringify(ids) });
    pages.push([sold.pages, back.pages]);
  }
  const [short = [], others = []] = pages;
  for (const [index, count] of others.entries()) {
    // A page of the database has 4 KB, the texts of these items some 800.
    assert.ok(count < (short[index] as number) + 16, JSON.stringify(pages));
  }
});

test("mrc402 §10: items with more than 1,048,576 characters of texts are not changed together", async () => {
  using ledger = await TestLedger.begin();
  const [owner] = (await ledger.createAddresses(1)) as [Address];
  // With "{}" of social media each has 81,922: twelve have less, thirteen more.
  const ids = await makeItems(ledger, owner, { data: LONG, information: LONG }, 13);
  const update = (count: number): string => {
    const items = ids.slice(0, count).map((id) => ({ item_id: id.slice(-40), groupid: "new" }));
    const sent = { mrc400id: ids[0]?.slice(0, 40) ?? "", itemdata: JSON.stringify(items) };
    return operationOf(
      mrc402Itemupdate,
      { ...sent, tkey: ledger.key(owner), signature: "MEQ=" },
      owner,
    );
  };
  const { outcomes } = await ledger.execute(update(13), update(12));
  assert.deepEqual(outcomes.map(codeOf), ["3002", "done"]);
});

/** Changes of items that commit to 4 MB each, of twelve items of each of so many projects. */
async function longUpdates(
  ledger: TestLedger,
  owner: Address,
  count: number,
): Promise<readonly string[]> {
  const updates: string[] = [];
  for (let project = 0; project < count; project += 1) {
    const ids = await makeItems(ledger, owner, { data: LONG, information: LONG }, 12);
    const items = ids.map((id) => ({ item_id: id.slice(-40), groupid: "new" }));
    const sent = { mrc400id: ids[0]?.slice(0, 40) ?? "", itemdata: JSON.stringify(items) };
    const tkey = ledger.key(owner);
    updates.push(operationOf(mrc402Itemupdate, { ...sent, tkey, signature: "MEQ=" }, owner));
  }
  return updates;
}

test("chain §2.2: a block that has changed enough takes no further operation", async () => {
  using ledger = await TestLedger.begin();
  const [owner] = (await ledger.createAddresses(1)) as [Address];
  const updates = await longUpdates(ledger, owner, 6);
  const refused = ledger.transfer({ from: owner, to: ledger.treasury, amount: "1" });
  const { outcomes, height } = await ledger.execute(refused, ...updates);
  assert.deepEqual(outcomes.map(codeOf), ["5001", "done", "done", "done", "done", "done"]);
  assert.equal(ledger.newestBlock.operations.length, 5);
  const later = await ledger.execute(
    ...updates.slice(5),
    ledger.addressOperation(ledger.drawAddress()),
  );
  assert.deepEqual(later.outcomes.map(codeOf), ["done", "done"]);
  assert.equal(later.height, height + 1);
  const replayed = replay(ledger.blocks);
  assert.equal(replayed.ledger.head.id, ledger.ledger.head.id);
  replayed.database.close();
});

test("chain §2.2: what counts is what a block has changed in the end, and nothing of what was refused", async () => {
  using ledger = await TestLedger.begin();
  const [owner] = (await ledger.createAddresses(1)) as [Address];
  const ids = await makeItems(ledger, owner, { data: LONG, information: LONG }, 12);
  const update = (groupid: string): string => {
    const items = ids.map((id) => ({ item_id: id.slice(-40), groupid }));
    const sent = { mrc400id: ids[0]?.slice(0, 40) ?? "", itemdata: JSON.stringify(items) };
    const tkey = ledger.key(owner);
    return operationOf(mrc402Itemupdate, { ...sent, tkey, signature: "MEQ=" }, owner);
  };
  const same = Array.from({ length: 8 }, () => update(""));
  const others = Array.from({ length: 8 }, (_, index) => update(String(index)));
  const { outcomes } = await ledger.execute(...same, ...others);
  assert.equal(outcomes.length, 16);
});

test("chain §2.2: texts that a block replaces count in it like those that it has then", async () => {
  using ledger = await TestLedger.begin();
  const [owner] = (await ledger.createAddresses(1)) as [Address];
  const projects: string[] = [];
  const socialmedia = JSON.stringify({ a: `https://a.example/${"🪙".repeat(40_000)}` });
  const count = 110;
  for (let project = 0; project < count; project += 1) {
    const { tkey } = await does(ledger, mrc400Create, owner, {
      ...{ owner, ...PROJECT, description: "d", data: "d", socialmedia },
    });
    projects.push(derivedId("MRC400", owner, tkey));
  }
  const updates = projects.map((mrc400id) =>
    operationOf(
      mrc400Update,
      { mrc400id, socialmedia: "{}", tkey: ledger.key(owner), signature: "MEQ=" },
      owner,
    ),
  );
  const { outcomes } = await ledger.execute(...updates);
  assert.deepEqual([...new Set(outcomes.map(codeOf))], ["done"]);
  // They have 160 kB each, and 16 MiB are enough.
  assert.equal(outcomes.length, 104);
});

test("chain §4.6: a block whose changes have more characters than any may is invalid", async () => {
  using ledger = await TestLedger.begin();
  await ledger.createAddresses(2);
  const bounds = { enough: 2 ** 24, most: 500 };
  using database = openForWriting(":memory:");
  const { blocks } = ledger;
  const other = new Ledger(database, new BlockList(blocks.slice(1)), undefined, undefined, bounds);
  await assert.rejects(async () => await other.adopt(blocks), {
    name: "InvalidBlock",
    message: "block 0: the text of its changes has more than 500 characters",
  });
});

test("what rules read of projects, tokens and multi-unit items is short, whatever their texts", async () => {
  using ledger = await TestLedger.begin();
  const [owner] = (await ledger.createAddresses(1)) as [Address];
  await makeItems(ledger, owner, { data: LONG, information: LONG });
  await does(ledger, mrc400Create, owner, {
    ...{ owner, ...PROJECT, description: "d".repeat(4096), data: "d".repeat(4096) },
    socialmedia: JSON.stringify({ a: `https://a.example/${"a".repeat(40_000)}` }),
  });
  const image = `data:image/png;base64,${"A".repeat(131_000)}`;
  const draft = { owner, symbol: "S", name: "Gold", totalsupply: "1", url: "", image };
  await does(ledger, tokenSave, owner, draft);
  await does(ledger, tokenCreate, owner, {}, { name: "Gold" });
  for (const [table, longest] of [
    ["unit_item", 300_000],
    ["project", 40_000],
    ["token", 131_000],
  ] as const) {
    const bytesIn = (name: string): unknown =>
      ledger.database.prepare(`SELECT max(octet_length(value)) AS bytes FROM ${name}`).get()?.[
        "bytes"
      ];
    assert.ok((bytesIn(table) as number) < 3000, `${table}: ${bytesIn(table)}`);
    const texts = bytesIn(`${table}_texts`);
    assert.ok((texts as number) > longest, `${table}_texts: ${texts}`);
  }
});
