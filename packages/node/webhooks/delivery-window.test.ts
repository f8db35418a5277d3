import assert from "node:assert/strict";
import { test } from "node:test";
import { type Delivery, DeliveryWindow } from "./delivery-window.ts";

/** Deliveries from `first` on, each for some addresses. */
function found(
  first: number,
  ...addresses: readonly string[][]
): Parameters<DeliveryWindow["add"]>[0] {
  return addresses.map((of, index) => {
    const number = first + index;
    return { number, message: { id: String(number), body: "{}" }, addresses: of };
  });
}

function next(window: DeliveryWindow, nowMs = 0): Delivery {
  const delivery = window.next(nowMs);
  assert.ok(typeof delivery !== "number", `none is due before ${delivery}`);
  delivery.isUnderWay = true;
  return delivery;
}

test("the position stays before the oldest delivery that has not succeeded", () => {
  const window = new DeliveryWindow(5);
  assert.equal(window.position, 5);
  window.add(found(7, [], [], []), 12);
  const [a, b, c] = [next(window), next(window), next(window)];
  assert.equal(window.position, 7);
  window.remove(b);
  assert.equal(window.position, 7);
  window.remove(a);
  assert.equal(window.position, 9);
  window.remove(c);
  assert.equal(window.position, 12);
});

test("deliveries of one address wait for each other, in order, and others do not", () => {
  const window = new DeliveryWindow(0);
  window.add(found(0, ["a", "b"], ["b", "c"], ["c"], ["d"], ["a"]), 5);
  const first = next(window);
  assert.equal(first.number, 0);
  assert.equal(next(window).number, 3);
  assert.equal(window.next(0), Number.POSITIVE_INFINITY);
  window.remove(first);
  assert.deepEqual([next(window).number, next(window).number], [1, 4]);
});

test("a failed delivery is next when it is due, or when the receiver has recovered", () => {
  const window = new DeliveryWindow(0);
  window.add(found(0, []), 1);
  const delivery = next(window);
  Object.assign(delivery, { isUnderWay: false, dueMs: 50 });
  assert.equal(window.next(49), 50);
  assert.equal(window.next(50), delivery);
  window.retryAll();
  assert.equal(window.next(0), delivery);
});

test("at 90 transactions a second of one address, of which 2 % fail once, deliveries in order keep up", () => {
  const window = new DeliveryWindow(0);
  const [perSecond, attemptMs, seconds] = [90, 5, 60];
  let nowMs = 0;
  let delivered = 0;
  for (const second of Array(seconds).keys()) {
    const transactions = Array<string[]>(perSecond).fill(["a"]);
    window.add(found(second * perSecond, ...transactions), (second + 1) * perSecond);
    while (nowMs < (second + 1) * 1000) {
      const delivery = window.next(nowMs);
      if (typeof delivery === "number") {
        nowMs = Math.min(delivery, (second + 1) * 1000);
        continue;
      }
      assert.equal(delivery.number, delivered);
      nowMs += attemptMs;
      if (delivery.number % 50 === 0 && delivery.attempts === 0) {
        window.retry(delivery, nowMs, 1000);
      } else {
        window.remove(delivery);
        delivered += 1;
      }
    }
    assert.equal(window.position, window.end);
  }
});

test("a delivery that fails again and again waits twice as long each time, a minute at most", () => {
  const window = new DeliveryWindow(0);
  window.add(found(0, []), 1);
  const delivery = next(window);
  const waits = Array.from({ length: 10 }, () => {
    window.retry(delivery, 0, 1000);
    return delivery.dueMs;
  });
  assert.equal(waits[0], 50);
  for (const [index, waitMs] of waits.slice(1).entries()) {
    const longest = Math.min(1000 * 2 ** index, 60_000);
    assert.ok(waitMs >= longest / 2 && waitMs <= longest, `${index}: ${waitMs}`);
  }
});

test("a window has room for 1,000 transactions and some megabytes of text", () => {
  const window = new DeliveryWindow(0);
  window.add(found(0, ...Array<string[]>(999).fill([])), 999);
  assert.equal(window.hasRoom, true);
  // What has been delivered behind one that fails counts as well.
  const failing = next(window);
  window.remove(next(window));
  window.add(found(999, []), 1000);
  assert.equal(window.hasRoom, false);
  window.remove(failing);
  assert.equal(window.hasRoom, true);

  const large = new DeliveryWindow(0);
  large.add([{ number: 0, message: { id: "0", body: "x".repeat(4 << 20) }, addresses: [] }], 1);
  assert.equal(large.hasRoom, false);
  large.remove(next(large));
  assert.equal(large.hasRoom, true);
});
