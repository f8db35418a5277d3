import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import fc from "fast-check";
import type { Database } from "../database.ts";
import { type HistoryFilter, HistoryView, type KindSearch } from "./history.ts";

// What it takes to find the first transactions of many addresses: anybody may ask for the past of
// 100 addresses, and may have made a history of many kinds for each.

const ADDRESSES = Array.from({ length: 100 }, (_, index) => index);
const KIND = 2 ** 32;
const ENTRY = 4096;
const LIMIT = 500;

/** A history, and how many questions and rows it has taken. */
function countingView(kindsTogether?: number): {
  readonly view: HistoryView;
  readonly database: DatabaseSync;
  work: number;
} {
  const database = new DatabaseSync(":memory:");
  const counting = { database, work: 0, view: undefined as unknown as HistoryView };
  HistoryView.create(database as unknown as Database);
  const prepare = (sql: string) => {
    const statement = database.prepare(sql);
    return {
      all(...values: number[]) {
        const rows = statement.all(...values);
        counting.work += 1 + rows.length;
        return rows;
      },
    };
  };
  counting.view = new HistoryView({ prepare } as unknown as Database, "read", kindsTogether);
  return counting;
}

function file(database: DatabaseSync, entries: Iterable<readonly [number, number, number]>): void {
  const insert = database.prepare("INSERT INTO history VALUES (?, ?, ?)");
  database.exec("BEGIN");
  for (const [address, kind, transaction] of entries) {
    insert.run(address, kind * KIND, transaction * ENTRY);
  }
  database.exec("COMMIT");
}

test("addresses with many kinds of entries are not asked kind by kind", () => {
  const counting = countingView();
  function* received() {
    for (const address of ADDRESSES) {
      for (let token = 0; token < 300; token += 1) {
        yield [address, token, token] as const;
      }
    }
  }
  file(counting.database, received());
  const found = counting.view.transactionsOf(ADDRESSES, { from: 0, before: 300 }, LIMIT);
  assert.equal(found, undefined);
  assert.ok(counting.work < 1100, `${counting.work} questions and rows`);
});

test("of addresses with long histories no more is read than is wanted", () => {
  const counting = countingView();
  const count = 60_000;
  function* received() {
    for (let number = 0; number < count; number += 1) {
      yield [number % ADDRESSES.length, number % 7, number] as const;
    }
  }
  file(counting.database, received());
  const wanted = { from: 100, before: count };
  const found = counting.view.transactionsOf(ADDRESSES, wanted, LIMIT);
  assert.deepEqual(
    found?.transactions,
    Array.from({ length: LIMIT }, (_, index) => 100 + index),
  );
  assert.equal(found?.end, 100 + LIMIT);
  assert.ok(counting.work < 10_000, `${counting.work} questions and rows`);
});

const ADDRESS = 5;
const EVERYTHING = { types: undefined, token: undefined, from: 0, before: 2 ** 40 };

function* stepsOf(
  view: HistoryView,
  filter: HistoryFilter,
  page: { readonly after: number | undefined; readonly limit: number },
): Generator<KindSearch> {
  let search = view.search(ADDRESS, filter, page);
  yield search;
  while (search.rest.length > 0) {
    search = view.searchOn(search);
    yield search;
  }
}

test("of an address with many kinds of entries, one step of a search asks 2,000 and keeps a page of them", () => {
  const counting = countingView();
  const kinds = Array.from({ length: 20_500 }, (_, place) => (place % 5) * KIND + place * 3);
  file(
    counting.database,
    kinds.map((kind, place) => [ADDRESS, kind / KIND, (place * 7919) % kinds.length]),
  );
  let asked = 0;
  let last: KindSearch | undefined;
  for (const step of stepsOf(counting.view, EVERYTHING, { after: undefined, limit: 101 })) {
    const end = step.rest[0]?.from ?? Number.POSITIVE_INFINITY;
    const askedNow = kinds.filter((kind) => kind < end).length - asked;
    assert.ok(askedNow <= 2000, `${askedNow} kinds`);
    assert.ok(counting.work <= 103, `${counting.work} questions and rows`);
    assert.ok(step.found.length <= 101, `${step.found.length} kinds kept`);
    counting.work = 0;
    asked += askedNow;
    last = step;
  }
  assert.equal(asked, kinds.length);
  const found = counting.view.entries(last as KindSearch);
  assert.deepEqual(
    found,
    Array.from({ length: 101 }, (_, place) => (kinds.length - 1 - place) * ENTRY),
  );
});

test("types that are wanted together are asked no more than one step may ask", () => {
  const counting = countingView();
  const types = Array.from({ length: 20 }, (_, type) => type);
  file(
    counting.database,
    types.flatMap((type) =>
      Array.from({ length: 500 }, (_, token) => [ADDRESS, type + token / KIND, token] as const),
    ),
  );
  const steps = [
    ...stepsOf(counting.view, { ...EVERYTHING, types }, { after: undefined, limit: 51 }),
  ];
  assert.equal(steps.length, 5);
  assert.ok(steps.every(({ found }) => found.length === 51));
});

test("an address with few kinds of entries is asked for them in one query", () => {
  const counting = countingView();
  file(
    counting.database,
    Array.from({ length: 2000 }, (_, token) => [ADDRESS, token / KIND, token]),
  );
  const [first, ...others] = stepsOf(counting.view, EVERYTHING, { after: undefined, limit: 51 });
  assert.deepEqual([others.length, first?.rest.length], [0, 0]);
  assert.equal(counting.work, 1 + 52);
});

test("a search in steps finds what one query finds, whatever is added meanwhile", () => {
  const small = { max: 6 };
  const entry = fc.record({ type: fc.nat(small), token: fc.nat(small), transaction: fc.nat(60) });
  const filter = fc.record({
    types: fc.option(fc.uniqueArray(fc.nat(small)), { nil: undefined }),
    token: fc.option(fc.nat(small), { nil: undefined }),
    from: fc.nat(20),
    before: fc.integer({ min: 20, max: 70 }),
  });
  const page = fc.record({
    after: fc.option(fc.nat(60 * ENTRY), { nil: undefined }),
    limit: fc.integer({ min: 1, max: 9 }),
  });
  const size = 61;
  fc.assert(
    fc.property(
      ...[fc.array(entry, { maxLength: 80 }), filter, page, fc.integer({ min: 1, max: 9 })],
      (entries, wanted, { after, limit }, kindsTogether) => {
        const { database, view } = countingView(kindsTogether);
        const { types, token, from } = wanted;
        const before = Math.min(size, wanted.before);
        const kept = new Map(
          entries.map((each, place) => [each.transaction * ENTRY + place, each]),
        );
        const insert = database.prepare("INSERT INTO history VALUES (?, ?, ?)");
        for (const [place, each] of kept) {
          insert.run(ADDRESS, each.type * KIND + each.token, place);
        }
        let last: KindSearch | undefined;
        for (const step of stepsOf(view, { types, token, from, before }, { after, limit })) {
          last = step;
          for (let kind = 0; kind < 7; kind += 1) {
            const added = (size + database.prepare("SELECT 1 FROM history").all().length) * ENTRY;
            insert.run(ADDRESS, kind * KIND + (added % 7), added);
          }
        }
        const plain = [...kept]
          .filter(
            ([place, each]) =>
              (types?.includes(each.type) ?? true) &&
              (token === undefined || each.token === token) &&
              place >= from * ENTRY &&
              place < Math.min(before * ENTRY, after ?? Number.POSITIVE_INFINITY),
          )
          .map(([place]) => place)
          .sort((a, b) => b - a)
          .slice(0, limit);
        assert.deepEqual(view.entries(last as KindSearch), plain);
      },
    ),
  );
});
