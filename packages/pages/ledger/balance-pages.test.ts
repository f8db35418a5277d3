import assert from "node:assert/strict";
import { test } from "node:test";
import { balancePageOf, entriesUpTo } from "./balance-pages.ts";

test("a short page of balances with a Link is not the last one", () => {
  const body = [{ token: "0", balance: "7", unlockdate: 0 }];
  const items = [{ token: "0", balance: 7n, unlockdate: 0 }];
  const link = '</balance/MT?limit=100&after=0:0>; rel="next"';
  assert.deepEqual(balancePageOf({ headers: new Headers({ Link: link }), body }), {
    items,
    cursor: "0:0",
  });
  assert.deepEqual(balancePageOf({ headers: new Headers(), body }), { items });
});

/** The first page is requested without a cursor. */
function pages(...counts: readonly number[]): Parameters<typeof entriesUpTo<string>>[1] {
  return ({ limit, cursor = "0" }) => {
    const at = Number(cursor);
    const items = Array.from({ length: Math.min(limit, counts[at] ?? 0) }, () => cursor);
    const hasMore = at + 1 < counts.length || limit < (counts[at] ?? 0);
    return Promise.resolve(hasMore ? { items, cursor: String(at + 1) } : { items });
  };
}

for (const { what, max, counts, entries, isMore } of [
  { what: "one page", max: 5, counts: [2], entries: "00", isMore: false },
  { what: "short pages", max: 5, counts: [1, 2, 1], entries: "0112", isMore: false },
  { what: "as many as are wanted", max: 3, counts: [1, 2], entries: "011", isMore: false },
  { what: "more than are wanted", max: 3, counts: [1, 2, 1], entries: "011", isMore: true },
  { what: "a longer page", max: 3, counts: [1, 7], entries: "011", isMore: true },
  {
    ...{ what: "too many pages", max: 99, counts: Array.from({ length: 11 }, () => 1) },
    ...{ entries: "0123456789", isMore: true },
  },
]) {
  test(`${what}: read up to their end, and whether there is more`, async () => {
    const read = await entriesUpTo(max, pages(...counts));
    assert.deepEqual([read.entries.join(""), read.isMore], [entries, isMore]);
  });
}
