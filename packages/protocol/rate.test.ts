import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { Refused } from "./faults.ts";
import { rate } from "./parameters.ts";
import { parseRate, type Rate, rateText } from "./rate.ts";

for (const [text, value] of [
  ["0", 0n],
  ["10", 100000n],
  ["2.5", 25000n],
  ["2.50", 25000n],
  ["99.9999", 999999n],
  ["0.0001", 1n],
] as const) {
  test(`conventions §1.7: ${text} is a rate`, () => assert.equal(parseRate(text), value));
}

for (const text of ["", "-1", "+1", "01", ".5", "2.", "1e1", " 1", "1.00000", "1,5", "1000", "x"]) {
  test(`conventions §1.7: ${JSON.stringify(text)} is none`, () =>
    assert.equal(parseRate(text), undefined));
}

test("conventions §1.7: platform commissions have at most 2 decimals and at most 10 percent", () => {
  const commission = rate({ max: "10", decimals: 2 });
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
