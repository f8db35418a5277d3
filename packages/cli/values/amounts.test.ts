import assert from "node:assert/strict";
import { test } from "node:test";
import { isDecimal } from "@moneta/protocol";
import fc from "fast-check";
import { WrongUse } from "../command-line/wrong-use.ts";
import { amountText, notDecimal, unitsOf } from "./amounts.ts";

const coin = { id: "0", symbol: "TST", decimal: 8 };
const gold = { id: "7", symbol: "GLD", decimal: 2 };

for (const { given, token, units } of [
  { given: "1.5", token: coin, units: "150000000" },
  { given: "0", token: coin, units: "0" },
  { given: "0.00000001", token: coin, units: "1" },
  { given: "1.10", token: gold, units: "110" },
  { given: "1.100", token: gold, units: "110" },
  { given: "12345678901234567890.12", token: gold, units: "1234567890123456789012" },
  { given: "3", token: { id: "9", symbol: "ONE", decimal: 0 }, units: "3" },
  { given: "3.000", token: { id: "9", symbol: "ONE", decimal: 0 }, units: "3" },
]) {
  test(`${given} ${token.symbol} is ${units} of the smallest unit`, () => {
    assert.equal(unitsOf(given, "AMOUNT", token), units);
  });
}

for (const { given, token, says } of [
  { given: "1.123", token: gold, says: /AMOUNT is 1\.123, which has 3 decimals, but GLD #7 has 2/ },
  {
    given: "0.1",
    token: { id: "9", symbol: "ONE", decimal: 0 },
    says: /has 1 decimal, but ONE #9 has none/,
  },
  { given: "1".repeat(42), token: gold, says: /more than there can be/ },
  { given: "1,5", token: gold, says: /write a point before the decimals/ },
]) {
  test(`${given} ${token.symbol} is refused with a reason`, () => {
    assert.throws(() => unitsOf(given, "AMOUNT", token), { name: WrongUse.name, message: says });
  });
}

for (const given of [
  "",
  "-1",
  "+1",
  "1.",
  ".5",
  "01",
  "1e3",
  "1 000",
  "1_000",
  "1,5",
  "0x10",
  "NaN",
  "١",
]) {
  test(`"${given}" is no amount`, () => {
    assert.equal(isDecimal(given), false);
    assert.match(notDecimal(given, "AMOUNT"), /must be an amount/);
  });
}

test("what is shown of an amount is read as the same amount, whatever the token's decimals", () =>
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 40n), fc.integer({ min: 0, max: 18 }), (amount, decimal) => {
      const token = { id: "0", symbol: "X", decimal };
      const [shown = ""] = amountText(String(amount), token).split(" ");
      assert.equal(unitsOf(shown, "AMOUNT", token), String(amount));
    }),
  ));

test("the symbol of the native coin stands alone, that of a token has its id with it", () => {
  assert.equal(amountText("150000000", coin), "1.5 TST");
  assert.equal(amountText("150", { ...gold, symbol: "TST" }), "1.5 TST #7");
});

test("an amount of a token that is not there yet is shown without an id", () => {
  assert.equal(amountText("500", { ...gold, symbol: "000,000 TST" }), '5 "000,000 TST" #7');
  assert.equal(amountText("500", { ...gold, symbol: "\u200b" }), "5 (no visible characters) #7");
  assert.equal(amountText("150", { id: "", symbol: "GLD", decimal: 2 }), "1.5 GLD");
});
