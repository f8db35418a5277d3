import assert from "node:assert/strict";
import { test } from "node:test";
import { type Amount, parseAmount } from "@moneta/protocol";
import fc from "fast-check";
import {
  type Balance,
  balanceJson,
  credited,
  debited,
  EMPTY,
  isEmpty,
  isSameBalance,
  matured,
} from "./balance.ts";
import { storedBalance } from "./tables.ts";

const T = 1767225600;

function amount(text: string | number): Amount {
  return parseAmount(String(text)) as Amount;
}

/** A balance from its free amount and the locked ones by seconds behind T. */
function balance(free: number, locked: readonly (readonly [number, number])[] = []): Balance {
  return {
    free: amount(free),
    locked: locked.map(([locks, seconds]) => ({ amount: amount(locks), unlockDate: T + seconds })),
  };
}

const ROW_1 = balance(100, [
  [50, 100],
  [30, 200],
]);

test("accounts §8 row 1: at T+99 nothing has matured, and 100 can be taken from the free amount", () => {
  assert.equal(matured(ROW_1, T + 99), ROW_1);
  assert.deepEqual(
    debited(ROW_1, amount(100), T + 99),
    balance(0, [
      [50, 100],
      [30, 200],
    ]),
  );
});

test("accounts §8 row 2: at T+100 101 can be taken, and 49 remain free", () =>
  assert.deepEqual(debited(ROW_1, amount(101), T + 100), balance(49, [[30, 200]])));

test("accounts §8 row 3: at T+100 150 are free", () =>
  assert.deepEqual(matured(ROW_1, T + 100), balance(150, [[30, 200]])));

test("accounts §8 row 4: a credit joins the locked amount of its date, or makes a new one in order", () => {
  const before = balance(0, [[50, 100]]);
  assert.deepEqual(credited(before, amount(20), T + 100, T), balance(0, [[70, 100]]));
  assert.deepEqual(
    credited(before, amount(20), T + 101, T),
    balance(0, [
      [50, 100],
      [20, 101],
    ]),
  );
  assert.deepEqual(
    credited(before, amount(20), T + 99, T),
    balance(0, [
      [20, 99],
      [50, 100],
    ]),
  );
});

for (const unlockDate of [T, T - 1, 0]) {
  test(`accounts §8 row 5: a credit with date ${unlockDate} is free at T`, () =>
    assert.deepEqual(credited(balance(5), amount(20), unlockDate, T), balance(25)));
}

test("accounts §8 row 6: 30 at T+200 leave nothing to spend at T+100", () =>
  assert.equal(matured(balance(0, [[30, 200]]), T + 100).free, 0n));

test("accounts §8 row 7: nothing is left of 10 after 10 are sent", () => {
  assert(isEmpty(debited(balance(10), amount(10), T)));
  assert(!isEmpty(balance(0, [[1, 1]])));
});

test("chain §5: the state entry of a balance", () =>
  assert.deepEqual(balanceJson(ROW_1), {
    free: "100",
    locked: [
      { amount: "50", unlockdate: T + 100 },
      { amount: "30", unlockdate: T + 200 },
    ],
  }));

test("balances are the same if free and locked amounts and dates are", () => {
  assert(isSameBalance(ROW_1, structuredClone(ROW_1)));
  for (const other of [
    { ...ROW_1, free: amount(99) },
    balance(100, [[50, 100]]),
    balance(100, [
      [50, 100],
      [31, 200],
    ]),
    balance(100, [
      [50, 100],
      [30, 201],
    ]),
  ]) {
    assert(!isSameBalance(ROW_1, other));
  }
});

test("a balance is read back from its row", () => {
  assert.deepEqual(storedBalance("100", `${T + 100}:50 ${T + 200}:30`), ROW_1);
  assert.deepEqual(storedBalance("0", ""), EMPTY);
});

const credits = fc.array(
  fc.record({ amount: fc.nat(1000).map((n) => n + 1), unlock: fc.nat(10), wait: fc.nat(3) }),
);

test("accounts §8.2, §8.3: any credits are all there, by date, once each, and matured ones are free", () =>
  fc.assert(
    fc.property(credits, (all) => {
      let at = 0;
      let held = EMPTY;
      for (const { amount: credit, unlock, wait } of all) {
        at += wait;
        held = credited(held, amount(credit), unlock, at);
      }
      const sum = (those: typeof all): number =>
        those.reduce((total, one) => total + one.amount, 0);
      assert.equal(held.free, BigInt(sum(all.filter(({ unlock }) => unlock <= at))));
      const dates = [...new Set(all.map(({ unlock }) => unlock))].filter((date) => date > at);
      assert.deepEqual(
        held.locked,
        dates
          .sort((a, b) => a - b)
          .map((date) => ({
            amount: BigInt(sum(all.filter(({ unlock }) => unlock === date))),
            unlockDate: date,
          })),
      );
    }),
  ));
