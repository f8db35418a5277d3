import { type Amount, mrc402Sell, ONE, PLATFORM_FIELDS, type TokenId } from "@moneta/protocol";
import { type Rule, ruleOf, sent } from "./rule.ts";
import { offerUnits, type UnitAsk, unitLister } from "./unit-offers.ts";

/** Puts units of items on sale. Source: mrc402 §11. */
export const mrc402SellRule: Rule<typeof mrc402Sell.parameters> = ruleOf(mrc402Sell, {
  actor: (state, values, keyHolder) => unitLister(state, values, asksOf(values), keyHolder),

  apply: (state, values, operation) =>
    offerUnits("sell", state, values, {
      operation,
      asks: asksOf(values),
      terms: (index) => ({
        side: "sell",
        price: (values.itemdata?.entries[index]?.price ?? values.price) as Amount,
      }),
      own: sent(operation, "amount", "id", "price", "token", ...PLATFORM_FIELDS),
    }),
});

type Values = Parameters<Rule<typeof mrc402Sell.parameters>["actor"]>[1];

function asksOf(values: Values): readonly UnitAsk[] {
  const { itemdata, amount, token } = values;
  if (itemdata === undefined) {
    const own = { amount: amount ?? ONE, token: token as TokenId };
    return [{ ...values, ...own, parameter: "id", prefix: "" }];
  }
  return itemdata.entries.map((entry, index) => ({
    ...entry,
    amount: entry.amount ?? ONE,
    parameter: `itemdata[${index}].id`,
    prefix: `itemdata[${index}].`,
  }));
}
