import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { decimalText, parseDecimal } from "./decimals.ts";

for (const [text, decimals, amount] of [
  ["1.5", 8, 150_000_000n],
  ["0", 8, 0n],
  ["0.00000001", 8, 1n],
  ["1.50", 1, 15n],
  ["12345678901234567890123456789012345678.90", 2, 1234567890123456789012345678901234567890n],
] as const) {
  test(`${text} with ${decimals} decimals is ${amount}`, () => {
    assert.equal(parseDecimal(text, decimals), amount);
  });
}

for (const text of [
  "",
  ".",
  "1.",
  ".5",
  "007",
  "-1",
  "+1",
  "1e3",
  "1,5",
  " 1",
  "1 ",
  "0x1",
  "١",
  "NaN",
  "1.5.1",
]) {
  test(`${JSON.stringify(text)} is no amount`, () => {
    assert.throws(() => parseDecimal(text, 8), { name: "RangeError", message: /is no amount/ });
  });
}

test("more decimals than the token has are refused, not rounded", () => {
  assert.throws(() => parseDecimal("0.015", 2), {
    name: "RangeError",
    message: "0.015 has 3 decimals but this token has 2",
  });
});

test("what is printed is read as the same amount", () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 40n), fc.integer({ min: 0, max: 18 }), (amount, decimals) => {
      assert.equal(parseDecimal(decimalText(amount, decimals), decimals), amount);
    }),
  );
});

test("a negative difference is printed with its sign", () => {
  assert.equal(decimalText(-150n, 2), "-1.5");
});
