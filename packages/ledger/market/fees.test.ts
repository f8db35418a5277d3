import assert from "node:assert/strict";
import { test } from "node:test";
import { type Address, type Amount, parseRate, type Rate } from "@moneta/protocol";
import fc from "fast-check";
import { distribute, type FeeShare } from "./fees.ts";

const ALL = 1_000_000n; // 100 % in ten-thousandths of a percent
const amounts = fc.oneof(fc.bigInt(0n, 2000n), fc.bigInt(0n, 10n ** 40n)) as fc.Arbitrary<Amount>;

/** Shares of up to six payees, together at most 100 %, some of them nothing. */
const shares: fc.Arbitrary<FeeShare[]> = fc
  .array(fc.tuple(fc.oneof(fc.constant(0n), fc.bigInt(0n, ALL)), fc.nat(2)), { maxLength: 6 })
  .map((drawn) => {
    let left = ALL;
    return drawn.map(([wanted, payee], index) => {
      const rate = (wanted < left ? wanted : left) as Rate;
      left -= rate;
      return { payee: `payee ${payee}` as Address, rate, movement: `fee ${index}` };
    });
  });

function paid(amount: Amount, parts: readonly FeeShare[]): ReadonlyMap<string, bigint> {
  return new Map(distribute(amount, parts).fees.map((fee) => [fee.movement, fee.amount]));
}

test("conventions §6.2: fees and rest add up to the amount, and nobody gets more than his share", () =>
  fc.assert(
    fc.property(amounts, shares, (amount, parts) => {
      const { fees, rest } = distribute(amount, parts);
      assert.equal(fees.reduce((sum, fee) => sum + fee.amount, 0n as bigint) + rest, amount);
      for (const { amount: fee, rate } of fees) {
        assert(fee * ALL <= amount * rate && (fee + 1n) * ALL > amount * rate);
      }
    }),
  ));

test("conventions §6.2: every fee is computed from the whole amount, so that their order changes nothing", () =>
  fc.assert(
    fc.property(amounts, shares, fc.infiniteStream(fc.nat()), (amount, parts, keys) => {
      const shuffled = parts
        .map((part) => ({ part, key: keys.next().value }))
        .toSorted((a, b) => a.key - b.key)
        .map(({ part }) => part);
      assert.deepEqual(new Map([...paid(amount, shuffled)].sort()), paid(amount, parts));
      assert.equal(distribute(amount, shuffled).rest, distribute(amount, parts).rest);
    }),
  ));

test("who gets nothing is not among the fees, the others are in their order", () =>
  fc.assert(
    fc.property(amounts, shares, (amount, parts) => {
      const { fees } = distribute(amount, parts);
      assert.deepEqual(
        fees.map(({ movement }) => movement),
        parts.filter(({ rate }) => amount * rate >= ALL).map(({ movement }) => movement),
      );
    }),
  ));

for (const { row, amount, rate, fee } of [
  { row: 2, amount: 30n, rate: "2.5", fee: 0n },
  { row: 3, amount: 120n, rate: "2.5", fee: 3n },
  { row: 4, amount: 150n, rate: "2.5", fee: 3n },
  { row: 18, amount: 9n, rate: "10", fee: 0n },
  { row: 18, amount: 10n, rate: "10", fee: 1n },
  { row: 31, amount: 500n, rate: "1", fee: 5n },
  { row: 32, amount: 105n, rate: "1", fee: 1n },
]) {
  test(`tokens §13 row ${row}: ${rate} % of ${amount} is ${fee}`, () => {
    const share = { payee: "P" as Address, rate: parseRate(rate) as Rate, movement: "fee" };
    const { fees, rest } = distribute(amount as Amount, [share]);
    assert.deepEqual(fees, fee === 0n ? [] : [{ ...share, amount: fee }]);
    assert.equal(rest, amount - fee);
  });
}

test("rates that exceed the whole are a bug of the caller", () => {
  const share = { payee: "P" as Address, rate: (ALL / 2n + 1n) as Rate, movement: "fee" };
  assert.throws(() => distribute(ALL as Amount, [share, share]));
});
