import assert from "node:assert/strict";
import { test } from "node:test";
import type { TokenCandle } from "@moneta/sdk";
import { dayOf, type Step, stepsOf } from "./candles.ts";

const candle = (time: number, open: number, close: number, volume = 0n): TokenCandle => ({
  ...{ time, volume, trades: 1, open: String(open), close: String(close) },
  ...{ high: String(Math.max(open, close)), low: String(Math.min(open, close)) },
});
const NOW = 1_000_000;
const hoursAgo = (hours: number): number => (Math.floor(NOW / 3600) - hours) * 3600;

test("a day has the volume of its 24 hours, and the change since the last trade before them", () => {
  const [last, first] = [candle(hoursAgo(0), 50, 60, 5n), candle(hoursAgo(23), 48, 44, 7n)];
  const earlier = candle(hoursAgo(24), 50, 40, 100n);
  assert.deepEqual(dayOf({ hour: [earlier, first, last], day: [] }, NOW), {
    ...{ volume: 12n, change: 0.5 },
  });
  assert.equal(dayOf({ hour: [first, last], day: [] }, NOW).change, 0.25);
  const [old, today] = [candle(hoursAgo(24 * 30), 1, 80), candle(hoursAgo(10), 1, 60)];
  assert.equal(dayOf({ hour: [first, last], day: [old, today] }, NOW).change, -0.25);
  assert.deepEqual(dayOf({ hour: [earlier], day: [] }, NOW), { volume: 0n, change: 0 });
  assert.deepEqual(dayOf({ hour: [], day: [] }, NOW), { volume: 0n, change: undefined });
});

test("a chart begins with the longest step that has enough candles, and offers those that have any", () => {
  const of = (day: number, hour: number, ago = 0): readonly Step[] => {
    const some = (count: number) =>
      Array.from({ length: count }, () => candle(hoursAgo(ago), 1, 1));
    return stepsOf({ day: some(day), hour: some(hour) }, NOW);
  };
  assert.deepEqual(of(9, 9), ["day", "hour", "minute"]);
  assert.deepEqual(of(1, 9), ["hour", "day", "minute"]);
  assert.deepEqual(of(1, 9, 5), ["hour", "day"]);
  assert.deepEqual(of(1, 1), ["minute", "day", "hour"]);
  assert.deepEqual(of(1, 1, 5), ["hour", "day"]);
  assert.deepEqual(of(2, 0), ["day"]);
  assert.deepEqual(of(0, 0), []);
});
