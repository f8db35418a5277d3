import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import type { Address, TokenId } from "@moneta/protocol";
import type { Database } from "../database.ts";
import { createTables } from "../tables.ts";
import { AddressView } from "./addresses.ts";
import { BalanceView } from "./balances.ts";
import { DueAuctionView } from "./due-auctions.ts";
import { ItemView } from "./items.ts";
import { TokenListingView } from "./token-listings.ts";
import { TokenTradeView } from "./token-trades.ts";
import { TokenView } from "./tokens.ts";
import { TotalView } from "./totals.ts";
import { UnitItemView } from "./unit-items.ts";

// A page of a list costs the same however long the list is: SQLite finds where it begins in an
// index and reads on from there, whatever the filters are.

const database = new DatabaseSync(":memory:");
createTables(database);

const ADDRESS = "MTAlice00000000000000000000000005dc33c90" as Address;
const TOKEN = "7" as TokenId;
const [project, holderNumber, limit] = [19, 3, 50];

const show = (): string => "";

/** What a view asks the database. */
function statementsOf(ask: (recording: Database) => void): string[] {
  const statements: string[] = [];
  const prepare = (sql: string) => {
    statements.push(sql);
    return database.prepare(sql);
  };
  ask({ prepare } as unknown as Database);
  return statements;
}

/** Every way to give some of the filters and to leave the others out. */
function combinations<T extends object>(
  filters: {
    readonly [N in keyof T]: readonly T[N][];
  },
): T[] {
  return Object.entries(filters).reduce<T[]>(
    (some, [name, values]) =>
      some.flatMap((one) =>
        (values as readonly unknown[]).map((value) => ({ ...one, [name]: value })),
      ),
    [{} as T],
  );
}

/**
 * A list must not look at rows that it does not show, nor put more in order than some pages of
 * them.
 */
function assertSeeks(sql: string): void {
  const plan = database
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .all()
    .map((row) => String(row["detail"]));
  const told = `${sql}\n${plan.join("\n")}`;
  assert.ok(plan.length > 0);
  for (const [index, step] of plan.entries()) {
    if (step.startsWith("SCAN")) {
      // `found` has a row for each token that is asked for, and the JSON that is given a number for
      // each item of the page.
      assert.match(
        step,
        /^SCAN (\(subquery-[0-9]+\)|found|CONSTANT ROW|json_each VIRTUAL TABLE INDEX 1:)$/,
        told,
      );
    } else if (step.startsWith("SEARCH")) {
      // From a place in the order on, or one row.
      assert.match(step, /([<>]\?|[<>]\(\?,\?\)|\(rowid=\?|\(key=\?)\)$/, told);
    } else if (step.includes("TEMP B-TREE")) {
      const sorted = plan.slice(0, index).findLast((before) => before.startsWith("SCAN"));
      assert.ok(plan[index - 1] === sorted || sorted === "SCAN found", told);
    } else {
      assert.match(
        step,
        /^(CO-ROUTINE .+|MERGE \(UNION ALL\)|LEFT|RIGHT|SETUP|RECURSIVE STEP|CORRELATED SCALAR SUBQUERY [0-9]+|LIST SUBQUERY [0-9]+)$/,
        told,
      );
    }
  }
  // What is put in order is each time one page: every part of a union has its own limit.
  const parts = sql.includes("UNION") && !sql.includes("RECURSIVE") ? sql.split("UNION ALL") : [];
  assert.ok(
    parts.every((part) => part.includes("LIMIT ?")),
    told,
  );
}

const some = { before: undefined, limit };
const states = ["open", "sold", "cancelled", "failed", undefined] as const;
const heldItem = { id: "MRC402_0", projectOrder: project, order: 2500 };

for (const { list, ask } of [
  {
    list: "tokens",
    ask(recording: Database) {
      const view = new TokenView(recording);
      view.holders({ ...some, token: TOKEN, at: 0 });
      for (const filters of combinations({
        ownerNumber: [holderNumber, undefined],
        symbol: ["GLD", undefined],
      })) {
        view.list({ ...filters, ...some });
      }
    },
  },
  {
    list: "projects",
    ask(recording: Database) {
      const view = new ItemView(recording);
      for (const filters of combinations({
        ownerNumber: [holderNumber, undefined],
        category: ["game", undefined],
      })) {
        view.projects({ ...filters, ...some });
      }
    },
  },
  {
    list: "items",
    ask(recording: Database) {
      const view = new ItemView(recording);
      for (const filters of combinations({
        project: [project, undefined],
        holderNumber: [holderNumber, undefined],
        group: ["swords", undefined],
        state: ["open", "sale", "auction", "idle", "melted", "all"] as const,
        askedToken: [TOKEN, undefined],
      })) {
        view.items({ ...filters, ...some, show }).next();
      }
    },
  },
  {
    list: "open auctions by their ends and by their bidders, offers by their prices",
    ask(recording: Database) {
      const [items, tokens, units] = [
        new ItemView(recording),
        new TokenListingView(recording),
        new UnitItemView(recording),
      ];
      for (const wanted of combinations({
        order: ["end", "new", "price"] as const,
        bidderNumber: [holderNumber],
        after: [undefined, { at: 1, number: 1 }],
        limit: [limit],
      })) {
        const filters = { wanted, show, project, askedToken: TOKEN, payToken: TOKEN };
        items.open({ ...filters, holderNumber, group: "swords" });
        tokens.open({ ...filters, token: TOKEN, creatorNumber: holderNumber });
        units.open({ ...filters, item: heldItem, sellerNumber: holderNumber });
      }
    },
  },
  {
    list: "items of an address",
    ask(recording: Database) {
      const view = new ItemView(recording);
      for (const filters of combinations({
        kind: ["mrc401", "mrc402", undefined] as const,
        project: [project, undefined],
      })) {
        view.ofAddress({ ...filters, ...some, holderNumber, show }).next();
      }
    },
  },
  {
    list: "listings of tokens",
    ask(recording: Database) {
      const view = new TokenListingView(recording);
      for (const filters of combinations({
        token: [TOKEN, undefined],
        payToken: [TOKEN, undefined],
        side: ["sell", "buy", "auction", undefined] as const,
        state: states,
        creatorNumber: [holderNumber, undefined],
      })) {
        view.list({ ...filters, ...some });
      }
    },
  },
  {
    list: "multi-unit items, their listings and holders",
    ask(recording: Database) {
      const view = new UnitItemView(recording);
      for (const filters of combinations({
        project: [project, undefined],
        creatorNumber: [holderNumber, undefined],
      })) {
        view.items({ ...filters, ...some, show });
      }
      for (const filters of combinations({
        item: [heldItem, undefined],
        project: [project, undefined],
        side: ["sell", "auction", undefined] as const,
        state: states,
        sellerNumber: [holderNumber, undefined],
        payToken: [TOKEN, undefined],
      })) {
        view.listings({ ...filters, ...some, show });
      }
      for (const item of ["MRC402_0", undefined]) {
        view.holdingsOf(ADDRESS, { item, after: undefined, limit });
      }
      view.holdersOf("MRC402_0", undefined, limit);
    },
  },
  {
    list: "addresses of a key, balances, auctions that are over, totals and trades",
    ask(recording: Database) {
      new AddressView(recording).withKey("key", -1, limit);
      new BalanceView(recording).list({ addressNumber: 0, after: undefined, limit, at: 0 });
      new DueAuctionView(recording).list(1, limit);
      new TotalView(recording, "read");
      new TokenTradeView(recording, "read");
    },
  },
]) {
  test(`every page of ${list} is found by seeks, whatever the filters`, () => {
    const statements = statementsOf(ask);
    assert.ok(statements.length > 0);
    for (const sql of statements) {
      assertSeeks(sql);
    }
  });
}

test("a plan that looks at every row, or puts them all in order, would be found", () => {
  for (const sql of [
    "SELECT value FROM item WHERE value = ? LIMIT ?",
    "SELECT value FROM item WHERE project = ? ORDER BY value LIMIT ?",
    "SELECT value FROM holding WHERE item = ? ORDER BY number LIMIT ?",
  ]) {
    assert.throws(() => assertSeeks(sql));
  }
});

test("a list without an index of its own fails at once", () => {
  const view = new ItemView(database);
  const none = { ...some, project, holderNumber, group: "g", askedToken: TOKEN };
  database.exec("DROP INDEX item_by_project_holder_groupid_condition_asked_token");
  assert.throws(() => view.items({ ...none, state: "sale", show }).next(), /no such index/);
});
