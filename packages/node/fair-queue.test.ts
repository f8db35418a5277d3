import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { FairQueue, type Turn } from "./fair-queue.ts";

interface Item {
  readonly turn: Turn;
}

/** Clients, and requests of two of them: one has an item of no request, as singles are. */
const TURNS: readonly Turn[] = [
  {},
  { client: "a" },
  { client: "a", request: {} },
  { client: "a", request: {} },
  { client: "b", request: {} },
  { client: "b", request: {} },
  { request: {} },
];

test("batches §1.5: an item waits for at most one of each other client, and between two turns of its client for at most one of each other request; items of one request keep their order", () =>
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.nat({ max: TURNS.length - 1 }), fc.constant("take" as const)), {
        maxLength: 60,
      }),
      (steps) => {
        const queue = new FairQueue<Item>();
        /** In the order of arrival, each with what has been taken since it was first of its turn. */
        let waiting: Item[] = [];
        const passed = new Map<Item, Item[]>();
        const noteFirsts = (): void => {
          for (const item of waiting) {
            const { turn } = item;
            const { request } = turn;
            const first = request && waiting.find((one) => one.turn.request === request);
            if ((first ?? item) === item && !passed.has(item)) {
              passed.set(item, []);
            }
          }
        };
        const take = (): void => {
          let left = 1;
          for (const item of queue.takeWhile(() => left-- > 0)) {
            const before = passed.get(item);
            assert.ok(before !== undefined, "the first of its request");
            assertTurns(item, before);
            waiting = waiting.filter((one) => one !== item);
            passed.delete(item);
            for (const since of passed.values()) {
              since.push(item);
            }
          }
          noteFirsts();
          assert.equal(queue.length, waiting.length);
        };
        for (const step of steps) {
          if (step === "take") {
            take();
            continue;
          }
          const item = { turn: TURNS[step] as Turn };
          queue.push(item, item.turn);
          waiting.push(item);
          noteFirsts();
        }
        while (waiting.length > 0) {
          take();
        }
        assert.deepEqual(queue.takeAll(), []);
      },
    ),
  ));

/** Checks what was taken while an item was the first of its request. */
function assertTurns({ turn }: Item, before: readonly Item[]): void {
  const own = before.filter((one) => one.turn.client === turn.client);
  const rounds = turn.client === undefined ? 1 : own.length + 1;
  for (const client of ["a", "b"].filter((one) => one !== turn.client)) {
    const others = before.filter((one) => one.turn.client === client).length;
    assert.ok(others <= rounds, `${others} of ${client} in ${rounds} rounds`);
  }
  if (turn.client !== undefined && turn.request !== undefined) {
    const requests = own.flatMap((one) => one.turn.request ?? []);
    assert.equal(new Set(requests).size, requests.length, "one of each other request");
  }
}

test("takes only as many as fit", () => {
  const queue = new FairQueue<number>();
  const batch = {};
  for (const item of [1, 2, 3]) {
    queue.push(item, { request: batch });
  }
  queue.push(4);
  assert.deepEqual(
    queue.takeWhile((item) => item !== 2),
    [1, 4],
  );
  assert.deepEqual(queue.takeAll(), [2, 3]);
});

test("by cost, a turn is one item, or several that together cost no more", () => {
  const queue = new FairQueue<number>({ costOf: (item) => item, turnCost: 16 });
  for (const item of [16, 40, 1]) {
    queue.push(item, { client: "dear" });
  }
  for (const item of [8, 7, 1, 5, 12]) {
    queue.push(item, { client: "cheap", request: {} });
  }
  assert.deepEqual(queue.takeAll(), [16, 8, 7, 1, 40, 5, 1, 12]);
});
