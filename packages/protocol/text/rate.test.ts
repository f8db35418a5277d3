import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Refused } from "../description/faults.ts";
import { rate } from "../description/parameters/amounts.ts";
import type { Amount } from "./amount.ts";
import { feeOf, parseRate, type Rate, rateText } from "./rate.ts";

test("conventions §1.7: platform commissions have at most 2 decimals and at most 10 percent", () => {
  const commission = rate("10", 2);
  assert.equal(commission.read("9.99", "platform_commission"), 99900n);
  assert.equal(commission.read("10.00", "platform_commission"), 100000n);
  for (const text of ["9.999", "10.01", "11"]) {
    const refused = commission.read(text, "platform_commission");
    assert(refused instanceof Refused);
    assert.equal(refused.fault.code, "3005");
  }
});

test("printing and reading a rate are inverse, and what is printed has no superfluous zeros", () =>
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 9_999_999n }), (value) => {
      const text = rateText(value as Rate);
      assert.equal(parseRate(text), value);
      assert.doesNotMatch(text, /\.$|\.[0-9]*0$/);
    }),
  ));

test("conventions §6.2: a fee is the largest integer that is not above amount * rate / 100, and fees of parts are not above that of the whole", () =>
  fc.assert(
    fc.property(
      fc.oneof(fc.bigInt(0n, 5000n), fc.bigInt(0n, 10n ** 40n)),
      fc.bigInt(0n, 1_000_000n),
      fc.bigInt(0n, 100n),
      (amount, rate, percent) => {
        const fee = feeOf(amount as Amount, rate as Rate);
        assert(fee * 1_000_000n <= amount * rate && amount * rate < (fee + 1n) * 1_000_000n);
        const part = (amount * percent) / 100n;
        const parts = [part, amount - part].map((one) => feeOf(one as Amount, rate as Rate));
        assert(parts.reduce((sum, one) => sum + one, 0n as bigint) <= fee);
      },
    ),
  ));
