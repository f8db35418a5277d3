import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Address,
  type AnyOperation,
  mrc400Create,
  mrc400Update,
  mrc402Create,
  mrc402Sell,
  mrc402Transfer,
  mrc402Unsell,
  NATIVE_COIN,
  type Texts,
} from "@moneta/protocol";
import { type Database, openScratch } from "../../database.ts";
import { LedgerReader } from "../../reader.ts";
import { operationOf, TestLedger } from "../../testing/test-ledger.ts";
import { LISTS } from "../../views/lists/lists.ts";
import { derivedId } from "../ids/derived-id.ts";
import { PROJECT } from "../project-entry.ts";
import { oldestUnitListing } from "../units/unit-listings.ts";
import { damagedEarlierIndex, EarlierEntries } from "./earlier-entries.ts";

/** A ledger in which Alice is paid a coin in each of three blocks, the last locked. */
async function paid(): Promise<{ readonly ledger: TestLedger; readonly alice: Address }> {
  const ledger = await TestLedger.begin();
  const [alice] = (await ledger.createAddresses(1)) as [Address];
  await pay(ledger, alice);
  await pay(ledger, alice);
  await pay(ledger, alice, { unlockdate: String(ledger.now + 1000) });
  return { ledger, alice };
}

async function pay(
  ledger: TestLedger,
  to: Address,
  more: { readonly unlockdate?: string } = {},
): Promise<void> {
  await ledger.done(ledger.transfer({ from: ledger.treasury, to, amount: "1", ...more }));
}

/** The blocks before which entries are kept; the index has no others. */
function keptHeights({ database }: TestLedger): readonly unknown[] {
  assert.equal(damagedEarlierIndex(database), undefined);
  return database
    .prepare("SELECT number / 4096 AS height FROM earlier_entries ORDER BY number")
    .all()
    .map(({ height }) => height);
}

test("proofs §1.6: a ledger that keeps less removes the rest; one that keeps more begins at its newest block", async () => {
  const { ledger, alice } = await paid();
  using _ = ledger;
  const { height } = ledger.ledger.head;
  const since = (): number => ledger.reading(() => ledger.reader.keptSince);
  assert.equal(height, 4);
  assert.deepEqual([since(), keptHeights(ledger)], [0, [1, 2, 3, 4]]);
  ledger.ledger.keepState(height - 1);
  assert.deepEqual([since(), keptHeights(ledger)], [height - 1, [height]]);
  ledger.ledger.keepState("all");
  assert.equal(since(), height - 1);
  ledger.ledger.keepState("none");
  await pay(ledger, alice);
  assert.deepEqual([since(), keptHeights(ledger)], [height + 1, []]);
  ledger.ledger.keepState("all");
  await pay(ledger, alice);
  assert.deepEqual([since(), keptHeights(ledger)], [height + 1, [height + 2]]);
  ledger.rebuild();
  assert.equal(since(), 0);
});

test("proofs §1: a long text that alone has changed is kept, even if both have one length", async () => {
  using ledger = await TestLedger.begin();
  const owner = ledger.treasury;
  const tkey = ledger.key(owner);
  const project = {
    ...{ name: "P", category: "game", url: "https://p.example/", imageurl: "https://p.example/i" },
    ...{
      itemurl: "https://p.example/item",
      itemimageurl: "https://p.example/image",
      description: "d",
    },
  };
  await ledger.done(
    operationOf(mrc400Create, { owner, ...project, data: "one", tkey, signature: "MEQ=" }, owner),
  );
  const { height } = ledger.ledger.head;
  const mrc400id = derivedId("MRC400", owner, tkey);
  const changed = { mrc400id, data: "two", tkey: ledger.key(owner), signature: "MEQ=" };
  await ledger.done(operationOf(mrc400Update, changed, owner));
  const dataAt = (reader: LedgerReader): unknown =>
    reader.state.find(PROJECT, mrc400id)?.texts.read().data;
  assert.deepEqual(
    ledger.reading(() => [dataAt(ledger.reader.asOf(height)), dataAt(ledger.reader)]),
    ["one", "two"],
  );
});

test("proofs §1: the oldest open sale of a multi-unit item is that of the block, also where others were opened since", async () => {
  using ledger = await TestLedger.begin();
  const owner = ledger.treasury;
  const [alice] = (await ledger.createAddresses(1)) as [Address];
  const does = async (operation: AnyOperation, params: Texts): Promise<string> => {
    const tkey = ledger.key(owner);
    await ledger.done(operationOf(operation, { signature: "MEQ=", tkey, ...params }, owner));
    return tkey;
  };
  const url = "https://p.example/";
  const terms = { creator: owner, name: "U", totalsupply: "10", url, imageurl: url };
  const item = derivedId("MRC402", owner, await does(mrc402Create, terms));
  const { height } = ledger.ledger.head;
  const sell = async (): Promise<string> => {
    const sale = { id: item, amount: "1", price: "5", token: "0" };
    return derivedId("DEX402", owner, await does(mrc402Sell, sale), "0");
  };
  const sales = [await sell(), await sell()];
  const given = { mrc402id: item, fromAddr: owner, toAddr: alice, amount: "1" };
  await does(mrc402Transfer, given);
  for (const id of sales) {
    await does(mrc402Unsell, { id });
  }
  const oldest = [0, 1, 2, 3, 4, 5].map((blocks) =>
    ledger.reading(
      () =>
        oldestUnitListing(ledger.reader.asOf(height + blocks).state, { mrc402: item, side: "sell" })
          ?.dexid,
    ),
  );
  const [first, second] = sales;
  assert.deepEqual(oldest, [undefined, first, first, first, second, undefined]);
});

test("proofs §1: each statement of a read as of a block is a look-up by an index", async () => {
  const { ledger, alice } = await paid();
  using _ = ledger;
  const statements = new Set<string>();
  const recorded = new Proxy(ledger.database, {
    get: (database, name) => {
      const value = Reflect.get(database, name);
      if (name === "prepare") {
        return (sql: string) => {
          statements.add(sql);
          return database.prepare(sql);
        };
      }
      return typeof value === "function" ? value.bind(database) : value;
    },
  }) as Database;
  const reader = new LedgerReader(recorded);
  statements.clear();
  const past = reader.asOf(ledger.ledger.head.height - 1);
  const addressNumber = past.state.addressNumber(alice) as number;
  past.balances.list({ addressNumber, after: undefined, limit: 10, at: past.state.time });
  assert.equal(past.state.balances.held(alice, NATIVE_COIN), 2n);
  for (const [name, values] of [
    ["holders", { token: NATIVE_COIN }],
    ["items", { address: alice, kind: "", mrc400id: "", view: "" }],
    ["holdings402", { address: alice, mrc402id: "" }],
  ] as const) {
    const list = LISTS.find(({ read }) => read.list === name);
    assert(list !== undefined);
    for (const _ of past.lists.page(list, values, 10)) {
      assert.fail("a list as of a block is made at once");
    }
  }
  assert.ok([...statements].some((sql) => sql.includes("earlier_index")));
  for (const sql of statements) {
    if (sql.startsWith("WITH RECURSIVE")) {
      // Finds the items that an address has now, as for a read of the newest block.
      continue;
    }
    const bounds = Array.from(sql.matchAll(/\?/g), () => 0);
    const plan = ledger.database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...bounds);
    for (const { detail } of plan) {
      assert.doesNotMatch(
        String(detail),
        /^SCAN (?!json_each|earlier_index VIRTUAL TABLE INDEX \d+:M1>)|TEMP B-TREE/,
        sql,
      );
    }
  }
});

test("proofs §1.7: an entry is found by its key in the first piece after a block, whatever its characters", () => {
  const database = openScratch(":memory:");
  EarlierEntries.create(database);
  const entries = new EarlierEntries(database);
  const value = (height: number, name: string): string =>
    JSON.stringify(`${height} ${name} ${"x".repeat(500)}`);
  // A draft's name is text of its owner, who may try to add the lines of other entries.
  const hostile = [
    "A",
    "^a",
    "^.41.",
    " ",
    "^.20.",
    'a "b" ^c',
    "\nb/1/23 99\nb/1/24 99",
    "\t\0 한🎁",
  ];
  const names = ["mrc401/a", "mrc401/A", ...hostile.map((name) => `draft/MTa/${name}`)];
  const others = Array.from({ length: 100 }, (_, number) => `mrc402/${number}`);
  for (const [height, all] of [
    [7, [...others, ...names.slice(0, 1)]],
    [9, [...names, ...others]],
  ] as const) {
    entries.begin(height);
    for (const key of all) {
      entries.putDocument(key, {
        value: value(height, key),
        beside: key === "mrc401/A" ? "" : null,
      });
    }
    entries.putBalance([1, 23], undefined);
    entries.end();
  }
  assert.equal(database.prepare("SELECT count(*) AS n FROM earlier_entries").get()?.["n"], 8);
  const after = (height: number): EarlierEntries =>
    Object.assign(entries, { past: { height, size: 0 } });
  for (const name of names) {
    const height = name === "mrc401/a" ? 7 : 9;
    const beside = name === "mrc401/A" ? "" : null;
    const was = { value: value(height, name), beside };
    assert.deepEqual(after(6).document(name), { was });
    assert.deepEqual(after(8).document(name)?.was?.value, value(9, name));
    assert.equal(after(9).document(name), undefined);
  }
  assert.deepEqual(after(8).balance(1, 23), { was: undefined });
  assert.equal(after(0).balance(12, 3), undefined);
  assert.equal(after(0).balance(1, 24), undefined);
  assert.equal(damagedEarlierIndex(database), undefined);
  entries.keep(7, 9);
  assert.equal(after(7).document("mrc402/5")?.was?.value, value(9, "mrc402/5"));
  assert.equal(damagedEarlierIndex(database), undefined);
  database.exec(
    "DELETE FROM earlier_index WHERE rowid = (SELECT max(number) FROM earlier_entries)",
  );
  assert.match(damagedEarlierIndex(database) ?? "", /^the index of earlier entries has \d+ words/);
  entries.keep("none", 9);
  assert.equal(damagedEarlierIndex(database), undefined);
});
