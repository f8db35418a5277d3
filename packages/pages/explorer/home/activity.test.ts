import assert from "node:assert/strict";
import { test } from "node:test";
import { activityBars, firstBar } from "./activity.ts";

test("the last hour has a bar for each minute, the last day one for each hour, up to now", () => {
  const now = 1_795_361_429;
  for (const [span, bars, seconds] of [
    ["hour", 60, 60],
    ["day", 24, 3600],
  ] as const) {
    const first = firstBar(span, now);
    const shown = activityBars([], span, { first, begun: 0 });
    assert.equal(shown.length, bars);
    const last = shown.at(-1)?.time ?? 0;
    assert.ok(last <= now && now < last + seconds);
    assert.ok(shown.every(({ count }) => count === 0));
  }
});

test("bars begin with the ledger, and there are five at least", () => {
  const first = firstBar("hour", 1_795_361_429);
  const times = (begun: number): readonly number[] =>
    activityBars([], "hour", { first, begun }).map(({ time }) => (time - first) / 60);
  assert.deepEqual(times(first + 53 * 60 + 59), [53, 54, 55, 56, 57, 58, 59]);
  assert.deepEqual(times(first + 54 * 60), [54, 55, 56, 57, 58, 59]);
  assert.deepEqual(times(first + 3600), [55, 56, 57, 58, 59]);
});

test("transactions are counted by kind, and those of later versions as others", () => {
  const first = firstBar("hour", 1_795_361_429);
  const types = {
    transfer: 5,
    multi_transfer: 1,
    mrc401sell: 2,
    transfer_mrc402buy: 3,
    transfer_mrc010bid: 4,
    mrc400create: 1,
    mrc402melt: 1,
    tokenRegister: 1,
    NewWallet: 2,
    later: 7,
  };
  const [bar, next] = activityBars([{ time: first, count: 27, types }], "hour", {
    first,
    begun: 0,
  });
  assert.deepEqual(bar?.kinds, {
    payments: 6,
    market: 5,
    auctions: 4,
    items: 2,
    tokens: 1,
    other: 9,
  });
  const { count } = bar;
  assert.equal(
    Object.values(bar.kinds).reduce((sum, one) => sum + one, 0),
    count,
  );
  assert.equal(next?.count, 0);
});
