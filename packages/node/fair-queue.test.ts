import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { FairQueue } from "./fair-queue.ts";

interface Item {
  /** Undefined for an item of no request. */
  readonly request: object | undefined;
  readonly number: number;
}

test("batches §1.5: nobody waits for more than one item of each other request, and items of one keep their order", () =>
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.nat({ max: 3 }), fc.constant("take" as const)), { maxLength: 60 }),
      (steps) => {
        const requests = [undefined, {}, {}, {}];
        const queue = new FairQueue<Item>();
        const waiting: { readonly item: Item; readonly passed: Map<object, number> }[] = [];
        const take = (): void => {
          let left = 1;
          for (const item of queue.takeWhile(() => left-- > 0)) {
            const index = waiting.findIndex((one) => one.item === item);
            const ofOwn = waiting.findIndex((one) => one.item.request === item.request);
            assert.equal(index, ofOwn, "the first of its request, or of those of no request");
            waiting.splice(index, 1);
            const { request } = item;
            const firsts = new Set<object>();
            for (const { item: other, passed } of waiting) {
              // Only the first of a request waits for others: the next one for the first.
              const isFirst = other.request === undefined || !firsts.has(other.request);
              if (other.request !== undefined) {
                firsts.add(other.request);
              }
              if (isFirst && request !== undefined && request !== other.request) {
                passed.set(request, (passed.get(request) ?? 0) + 1);
                assert.equal(passed.get(request), 1);
              }
            }
          }
          assert.equal(queue.length, waiting.length);
        };
        for (const [number, step] of steps.entries()) {
          if (step === "take") {
            take();
            continue;
          }
          const item = { request: requests[step], number };
          queue.push(item, item.request);
          waiting.push({ item, passed: new Map() });
        }
        while (waiting.length > 0) {
          take();
        }
        assert.deepEqual(queue.takeAll(), []);
      },
    ),
  ));

test("takes only as many as fit", () => {
  const queue = new FairQueue<number>();
  const batch = {};
  for (const item of [1, 2, 3]) {
    queue.push(item, batch);
  }
  queue.push(4, undefined);
  assert.deepEqual(
    queue.takeWhile((item) => item !== 2),
    [1, 4],
  );
  assert.deepEqual(queue.takeAll(), [2, 3]);
});
