import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import {
  AMOUNT_MAX,
  addAmounts,
  decimalText,
  isRestOfNumber,
  parseAmount,
  readDecimal,
  subtractAmounts,
} from "./amount.ts";

test("conventions §1.6: a text of 100,000 digits is no integer string", () =>
  assert.equal(parseAmount(`1${"0".repeat(100_000)}`), undefined));

const amounts = fc
  .bigInt({ min: 0n, max: AMOUNT_MAX })
  .map((value) => parseAmount(String(value)) as typeof AMOUNT_MAX);

test("every amount is read back from its decimal text", () =>
  fc.assert(fc.property(amounts, (amount) => assert.equal(parseAmount(String(amount)), amount))));

test("conventions §6.1: a sum is exact, and none above 10^40", () =>
  fc.assert(
    fc.property(amounts, amounts, (a, b) => {
      const sum = addAmounts(a, b);
      assert.equal(sum, a + b <= 10n ** 40n ? a + b : undefined);
      if (sum !== undefined) {
        assert.equal(subtractAmounts(sum, b), a);
      }
    }),
  ));

for (const [text, decimals, is] of [
  ["1.5", 8, 150_000_000n],
  ["0", 0, 0n],
  ["3.000", 0, 3n],
  ["1.123", 2, { what: "finer", decimals: 3 }],
  ["1".repeat(42), 2, { what: "large" }],
  ...[
    "",
    "-1",
    "+1",
    "1.",
    ".5",
    "01",
    "00.5",
    "1e3",
    "1 000",
    "1_000",
    "1,5",
    "0x10",
    "١",
    "１",
  ].map((wrong) => [wrong, 2, { what: "form" }] as const),
] as const) {
  test(`"${text}" of a token with ${decimals} decimals is ${JSON.stringify(is, (_, value) => (typeof value === "bigint" ? `${value}` : value))}`, () =>
    assert.deepEqual(readDecimal(text, decimals), is));
}

test("every amount in decimals is read back as the same amount", () =>
  fc.assert(
    fc.property(amounts, fc.integer({ min: 0, max: 18 }), (amount, decimals) =>
      assert.equal(readDecimal(decimalText(amount, decimals), decimals), amount),
    ),
  ));

test("a memo that may be the rest of an amount is recognized", () => {
  for (const rest of ["5", "000", "000.50", "000,50", "5 ", "٥", "５", "000'000"]) {
    assert.equal(isRestOfNumber(rest), true, rest);
  }
  for (const memo of ["", ".", "rent", "5 May", "#5", "invoice 5", "5€"]) {
    assert.equal(isRestOfNumber(memo), false, memo);
  }
  assert.equal(isRestOfNumber(`${"1".repeat(100_000)}x`), false);
});
