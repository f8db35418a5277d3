import assert from "node:assert/strict";
import { test } from "node:test";
import { type Address, NATIVE_COIN } from "@moneta/protocol";
import type { Database } from "../database.ts";
import { LedgerReader } from "../reader.ts";
import { TestLedger } from "../testing/test-ledger.ts";
import { LISTS } from "../views/lists/lists.ts";

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

/** How many rows of balances are kept, of which blocks. */
function keptHeights({ database }: TestLedger): readonly unknown[] {
  const sql = "SELECT DISTINCT height FROM earlier_balance ORDER BY height";
  return database
    .prepare(sql)
    .all()
    .map(({ height }) => height);
}

test("proofs §1 row 4: a ledger that keeps less removes the rest; one that keeps more begins at its newest block", async () => {
  const { ledger, alice } = await paid();
  using _ = ledger;
  const { height } = ledger.ledger.head;
  const since = (): number => ledger.reading(() => ledger.reader.keptSince);
  assert.deepEqual([since(), keptHeights(ledger)], [0, [height - 2, height - 1, height]]);
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

test("proofs §1 row 3: each statement of a read as of a block is a look-up by an index", async () => {
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
  assert.equal(past.state.held(alice, NATIVE_COIN), 2n);
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
  assert.ok([...statements].some((sql) => sql.includes("earlier_balance")));
  for (const sql of statements) {
    if (sql.startsWith("WITH RECURSIVE")) {
      // Finds the items that an address has now, as for a read of the newest block.
      continue;
    }
    const bounds = Array.from(sql.matchAll(/\?/g), () => 0);
    const plan = ledger.database.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...bounds);
    for (const { detail } of plan) {
      assert.doesNotMatch(String(detail), /^SCAN (?!json_each)|TEMP B-TREE/, sql);
    }
  }
});
