import assert from "node:assert/strict";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { test } from "node:test";
import { type Address, type Amount, NO_METADATA, NO_RATE, type TokenId } from "@moneta/protocol";
import type { Database } from "../../database.ts";
import {
  askedTokenOf,
  conditionOf,
  holderOf,
  ITEM,
  type Item,
  NO_TRADE,
  NOT_LISTED,
  OPEN,
  WITHOUT_POLICY,
} from "../../state/item-entry.ts";
import { State } from "../../state/state.ts";
import { createTables } from "../../tables.ts";
import { ItemsNewestFirst, type WantedItems } from "./items-newest-first.ts";
import type { Place } from "./list-page.ts";

const T = 1767225600;
const HOLDERS = [
  "MTAlice00000000000000000000000005dc33c90" as Address,
  "MTBob0000000000000000000000000005f59bcba" as Address,
] as const;

/** Some have a price in a token that no other item has. */
function conditionAt(n: number): Partial<Item> {
  const token = String(n % 4 === 0 ? n : n % 3) as TokenId;
  const one = 1n as Amount;
  switch (n % 5) {
    case 0:
      return {};
    case 1:
      return { owner: "MELTED", melting_date: T };
    case 2:
      return {
        ...{ auction_date: T, auction_end: T + 9, auction_token: token },
        ...{ auction_start_price: one, auction_bidding_unit: one },
      };
    default:
      return { sell_date: T, sell_price: one, sell_token: token };
  }
}

function item(n: number): Item {
  const project = 6 + (n % 2);
  return {
    ...NO_TRADE,
    ...NOT_LISTED,
    ...{ ...NO_METADATA, ...WITHOUT_POLICY, held_since: 0 },
    ...{ id: `MRC400_${project}_${n}`, mrc400: `MRC400_${project}`, projectOrder: project },
    ...{
      projectOwner: HOLDERS[0],
      groupedSince: 0,
      owner: n % 3 === 0 ? HOLDERS[1] : "",
      creator: HOLDERS[0],
    },
    ...{ item_url: "", item_image_url: "", groupid: ["", "swords", "axes"][n % 7] ?? "" },
    ...{ createdate: T, initial_reserve: 0n as Amount, initial_token: "0" as TokenId },
    ...{ meltint_fee: NO_RATE, melting_date: 0, sell_fee: NO_RATE, transferable: "Permanent" },
    ...{ expiredate: 0, order: n * 100 },
    ...conditionAt(n),
  };
}

const database = new DatabaseSync(":memory:");
createTables(database);
const state = new State(database);
const items = Array.from({ length: 300 }, (_, n) => item(n));

let height = 0;

function block(change: () => void): void {
  height += 1;
  state.beginBlock({ height, time: T });
  state.beginOperation(1);
  change();
  state.acceptOperation();
  state.save();
  state.acceptBlock();
}

block(() => {
  for (const address of HOLDERS) {
    state.putAddress({ addinfo: "", createdate: T, publickey: address, signed: "", address });
  }
});
// What they are found by changes with them: they come to be idle, at the project's owner's.
block(() => {
  for (const one of items) {
    state.put(ITEM, { ...one, ...NOT_LISTED, owner: "" });
  }
});
block(() => {
  for (const one of items) {
    state.put(ITEM, one);
  }
});

function passes(one: Item, wanted: WantedItems): boolean {
  const condition = conditionOf(one);
  const holder = holderOf(one);
  const asked = askedTokenOf(one);
  const token = asked && Number(asked);
  return (
    wanted.conditions.includes(condition) &&
    (wanted.project === undefined || wanted.project === one.projectOrder) &&
    (wanted.holder === undefined || (holder !== "" && HOLDERS[wanted.holder] === holder)) &&
    (wanted.groupid === undefined || wanted.groupid === one.groupid) &&
    (wanted.askedToken === undefined || wanted.askedToken === token) &&
    one.order < (wanted.before ?? Number.MAX_SAFE_INTEGER)
  );
}

function listed(
  view: ItemsNewestFirst,
  wanted: WantedItems,
): { readonly places: readonly Place<string>[]; readonly steps: number } {
  const search = view.places(wanted);
  for (let steps = 1; ; steps += 1) {
    const { done, value } = search.next();
    if (done === true) {
      return { places: [...value], steps };
    }
  }
}

test("items are found newest first under every combination of filters, also where there are more tokens than the page has items, or than one step asks", () => {
  const [view, inSteps] = [
    new ItemsNewestFirst(database),
    new ItemsNewestFirst(database, { tokensTogether: 7 }),
  ];
  let found = 0;
  let stepsMax = 0;
  for (const project of [undefined, 6, 7]) {
    for (const holder of [undefined, 0, 1]) {
      for (const groupid of [undefined, "swords"]) {
        for (const conditions of [
          ["on sale"],
          ["on auction"],
          ["idle"],
          ["melted"],
          ["idle", "on sale", "on auction"],
          ["idle", "on sale", "on auction", "melted"],
        ] as const) {
          for (const askedToken of [undefined, 1, 4, 999]) {
            for (const [before, limit] of [
              [undefined, 1000],
              [undefined, 7],
              [15_000, 7],
              [0, 7],
            ] as const) {
              const filters = { project, holder, groupid, conditions, askedToken };
              const wanted: WantedItems = { ...filters, text: "key", before, limit };
              const expected = items
                .filter((one) => passes(one, wanted))
                .map(({ id, order }) => ({ at: order, entry: `mrc401/${id}` }))
                .toReversed()
                .slice(0, limit);
              found += expected.length;
              const shown = JSON.stringify(wanted);
              assert.deepEqual(listed(view, wanted), { places: expected, steps: 1 }, shown);
              const { places, steps } = listed(inSteps, wanted);
              assert.deepEqual(places, expected, shown);
              stepsMax = Math.max(stepsMax, steps);
            }
          }
        }
      }
    }
  }
  const tokens = new Set(items.map(askedTokenOf));
  assert.ok(tokens.size > 30 && found > 1000, `${tokens.size} tokens, ${found} found`);
  assert.ok(stepsMax > 4, `${stepsMax} steps`);
});

test("chain §10: pages of filters without an index end early, and together have every item", () => {
  const view = new ItemsNewestFirst(database, { examinedMax: 1 });
  for (const [filters, hasShortPage] of [
    [{ conditions: ["idle"] }, true],
    [{ conditions: OPEN, holder: 0, groupid: "swords" }, true],
    [{ conditions: ["on sale"], holder: 0, project: 6 }, true],
    [{ conditions: OPEN, holder: 0, project: 6 }, false],
  ] as const) {
    const asked = { ...filters, askedToken: undefined, text: "key", limit: 3 } as const;
    const found: number[] = [];
    const lengths: number[] = [];
    for (let before: number | undefined, isEnd = false; !isEnd; ) {
      const { places } = listed(view, { ...asked, before });
      const shown = places.filter(({ entry }) => entry !== undefined).map(({ at }) => Number(at));
      found.push(...shown);
      lengths.push(shown.length);
      before = Number(places.at(-1)?.at);
      isEnd = shown.length < asked.limit && places.at(-1)?.endsPage !== true;
    }
    const expected = items.filter((one) => passes(one, { ...asked, before: undefined }));
    assert.deepEqual(found, expected.map(({ order }) => order).toReversed());
    assert.equal(
      lengths.slice(0, -1).some((length) => length < asked.limit),
      hasShortPage,
    );
  }
});

test("one step reads 4,000 tokens, however many there are, and a page reads each once", () => {
  const many = new DatabaseSync(":memory:");
  createTables(many);
  const insert = many.prepare(
    "INSERT INTO item (number, key, value, project, holder, groupid, condition, asked_token, auction_end, price, bidder) VALUES (?, ?, '', 6, 0, NULL, 1, ?, NULL, '1', NULL)",
  );
  const tokens = 12_500;
  for (let n = 1; n <= tokens; n += 1) {
    insert.run(n, `mrc401/MRC400_6_${n}`, (n * 7919) % tokens);
  }
  let read = 0;
  const counting = {
    prepare(sql: string) {
      const statement = many.prepare(sql);
      const all = (...values: SQLInputValue[]) => {
        const rows = statement.all(...values);
        read += rows.length + 1;
        return rows;
      };
      return { all, iterate: statement.iterate.bind(statement) };
    },
  } as unknown as Database;
  const filters = { conditions: ["on sale"], askedToken: undefined, before: undefined } as const;
  const newest = Array.from({ length: 51 }, (_, n) => tokens - n);
  for (const [others, expected, step, end] of [
    [{}, newest, 53, 300],
    // All of the page's 1,051 are examined in vain.
    [{ holder: 0, project: 7 }, [tokens - 1050], 1053, 4500],
  ] as const) {
    const view = new ItemsNewestFirst(counting);
    const search = view.places({ ...filters, ...others, text: "key", limit: 51 });
    for (const last of [false, false, false, true]) {
      read = 0;
      const { done, value } = search.next();
      assert.equal(done ?? false, last);
      // Of each step the newest tokens; of the last one their items too.
      assert.ok(read <= (last ? end : step), `${read} rows and questions`);
      if (done === true) {
        const found = [...value].map(({ at }) => at);
        assert.deepEqual(found, expected);
      }
    }
  }
});
