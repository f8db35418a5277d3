import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { WrongUse } from "../command-line/wrong-use.ts";
import { fractionOf } from "./amounts.ts";
import { payment, priceEach, wireOffer } from "./token-price.ts";

const coin = { id: "0", symbol: "TST", decimal: 8 };
const token = (decimal: number) => ({ id: "7", symbol: "GLD", decimal });

for (const { price, decimal, amount, unit, wire } of [
  { price: "1.5", decimal: 2, amount: 1000n, wire: ["1500000", "1"] },
  { price: "1", decimal: 0, amount: 3n, wire: ["100000000", "1"] },
  { price: "0.00000001", decimal: 2, amount: 100n, wire: ["1", "100"] },
  { price: "1.50", decimal: 2, amount: 100n, unit: 100n, wire: ["150000000", "100"] },
  { price: "100", decimal: 18, amount: 10n ** 18n, wire: ["1", "100000000"] },
  { price: "0", decimal: 2, amount: 1n, wire: ["0", "1"] },
]) {
  const [wirePrice = "", min_trade_unit = ""] = wire;
  test(`${price} TST for one token of ${decimal} decimals is ${wirePrice} for ${min_trade_unit} of its smallest units`, () => {
    const offer = wireOffer(
      { price, amount, ...(unit !== undefined && { unit }) },
      { goods: token(decimal), money: coin },
    );
    assert.deepEqual(offer, { price: wirePrice, min_trade_unit });
  });
}

for (const { price, decimal, amount, unit, says } of [
  {
    price: "1.5",
    decimal: 18,
    amount: 10n ** 18n,
    says: /^the price of one GLD #7 is 1\.5, but must be a multiple of 100 TST, the finest that the market has: 100 TST$/,
  },
  { price: "250", decimal: 18, amount: 10n ** 18n, says: /: 200 TST or 300 TST$/ },
  {
    price: "0.000000015",
    decimal: 0,
    amount: 1n,
    says: /^1 GLD #7 cannot be traded at 0\.000000015 TST each: .* such as 10 GLD #7$/,
  },
  {
    price: "0.00000001",
    decimal: 2,
    amount: 150n,
    says: /^1\.5 GLD #7 cannot be traded at 0\.00000001 TST each: .* multiples of 1 GLD #7, such as 1 GLD #7 or 2 GLD #7$/,
  },
  { price: "0.00000001", decimal: 2, amount: 50n, says: /such as 1 GLD #7$/ },
  {
    price: "0.000000015",
    decimal: 2,
    amount: 1000n,
    unit: 1n,
    says: /multiple of 0\.000001 TST, the finest with --min-trade-unit 0\.01: 0\.000001 TST$/,
  },
]) {
  test(`${price} TST for one token of ${decimal} decimals, ${amount} of them, is refused with what would be exact`, () => {
    assert.throws(
      () =>
        wireOffer(
          { price, amount, ...(unit !== undefined && { unit }) },
          { goods: token(decimal), money: coin },
        ),
      { name: WrongUse.name, message: says },
    );
  });
}

test("whatever is accepted costs exactly price times amount, and shows the price that was typed", () => {
  const decimals = fc.integer({ min: 0, max: 18 });
  const digits = fc.bigInt({ min: 0n, max: 10n ** 12n });
  fc.assert(
    fc.property(
      decimals,
      decimals,
      digits,
      decimals,
      digits,
      (goods, money, whole, point, amount) => {
        const text = String(whole).padStart(point + 1, "0");
        const price = point === 0 ? text : `${text.slice(0, -point)}.${text.slice(-point)}`;
        const pair = { goods: token(goods), money: { ...coin, decimal: money } };
        let offer: ReturnType<typeof wireOffer>;
        try {
          offer = wireOffer({ price, amount }, pair);
        } catch (thrown) {
          assert.ok(thrown instanceof WrongUse);
          return;
        }
        const [numerator, behind] = fractionOf(price);
        const exact = numerator * amount * 10n ** BigInt(money);
        assert.equal(exact % 10n ** BigInt(behind + goods), 0n);
        assert.equal(payment(offer, amount), exact / 10n ** BigInt(behind + goods));
        assert.deepEqual(fractionOf(priceEach(offer, pair).split(" ")[0] ?? ""), [
          numerator,
          behind,
        ]);
      },
    ),
  );
});
