import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Address,
  type AnyOperation,
  mrc400Create,
  mrc402Create,
  mrc402Itemupdate,
  mrc402Sell,
  mrc402Unsell,
  type Texts,
  tokenCreate,
  tokenSave,
} from "@moneta/protocol";
import { logState } from "./database.ts";
import { derivedId } from "./state/derived-id.ts";
import { codeOf, operationOf, TestLedger } from "./testing/test-ledger.ts";

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
    assert.ok(count < (short[index] as number) + 8, JSON.stringify(pages));
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
