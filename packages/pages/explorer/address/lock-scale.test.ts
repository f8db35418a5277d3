import assert from "node:assert/strict";
import { test } from "node:test";
import { placeOf, ticksOf } from "./lock-scale.ts";

const DAY = 86_400;

test("a line of locks begins now, ends at the last one, and keeps their order", () => {
  const year = 365 * DAY;
  assert.equal(placeOf(0, year), 0);
  assert.equal(placeOf(year, year), 1);
  const places = [180, 3600, DAY, 30 * DAY, year].map((time) => placeOf(time, year));
  assert.deepEqual(places, places.toSorted());
  assert.equal(new Set(places).size, places.length);
  assert.equal(placeOf(-5, year), 0);
  assert.equal(placeOf(2 * year, year), 1);
});

test("its marks do not overlap, whatever its length", () => {
  for (const length of [1, 59, 3600, 3601, 2 * DAY, 8 * DAY, 40 * DAY, 700 * DAY, 10_000 * DAY]) {
    const ticks = ticksOf(length);
    assert.equal(ticks[0], 0);
    assert.equal(ticks.at(-1), length);
    const places = ticks.map((tick) => placeOf(tick, length));
    for (const [index, place] of places.slice(1).entries()) {
      assert.ok(place - (places[index] ?? 0) >= 0.17, `${length}: ${places}`);
    }
  }
});
