import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { AMOUNT_MAX, addAmounts, parseAmount, parseTokenId, subtractAmounts } from "./amount.ts";

const MAX = `1${"0".repeat(40)}`;

for (const text of ["0", "1", "10", "9007199254740993", "9".repeat(40), MAX]) {
  test(`conventions §1.6: ${text} is an integer string`, () => {
    assert.equal(parseAmount(text), BigInt(text));
    assert.equal(parseTokenId(text), text);
  });
}

for (const text of [
  ...["", "00", "01", "+1", "-1", "-0", "1.0", "1e3", "1E3", " 1", "1 ", "1\n", "0x1", "1_000"],
  ...["1,000", "Infinity", "NaN", "x", "１", "٣", `1${"0".repeat(39)}1`, "9".repeat(41)],
  `1${"0".repeat(100_000)}`,
]) {
  test(`conventions §1.6: ${JSON.stringify(text.slice(0, 60))} is no integer string`, () => {
    assert.equal(parseAmount(text), undefined);
    assert.equal(parseTokenId(text), undefined);
  });
}

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
