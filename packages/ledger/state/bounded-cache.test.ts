import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { BoundedCache } from "./bounded-cache.ts";

test("what was set is found until it is deleted or cleared", () => {
  const cache = new BoundedCache<number>(10);
  cache.set("a", 1);
  cache.set("a", 2);
  assert.equal(cache.get("a"), 2);
  cache.delete("a");
  assert.equal(cache.get("a"), undefined);
  cache.set("b", 3);
  cache.clear();
  assert.equal(cache.get("b"), undefined);
});

test("an entry that was set again does not come back in an older form", () => {
  const cache = new BoundedCache<number>(2);
  cache.set("a", 1);
  cache.set("b", 1);
  cache.set("c", 1); // `a` and `b` are old now
  cache.set("a", 2);
  assert.equal(cache.get("a"), 2);
  cache.delete("a");
  assert.equal(cache.get("a"), undefined);
});

test("the entries used last are there, and never more than twice as many", () =>
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(20), fc.boolean())),
      fc.integer({ min: 1, max: 5 }),
      (uses, size) => {
        const cache = new BoundedCache<number>(size);
        const model = new Map<string, number>();
        for (const [index, [number, isSet]] of uses.entries()) {
          const key = String(number);
          if (isSet) {
            cache.set(key, index);
            model.delete(key);
            model.set(key, index);
          } else {
            const found = cache.get(key);
            if ([...model.keys()].slice(-size).includes(key)) {
              assert.equal(found, model.get(key));
            } else {
              assert(found === undefined || found === model.get(key));
            }
            if (found !== undefined) {
              model.delete(key);
              model.set(key, found);
            }
          }
        }
        const kept = [...model.keys()].filter((key) => cache.get(key) !== undefined);
        assert(kept.length <= 2 * size);
      },
    ),
  ));
