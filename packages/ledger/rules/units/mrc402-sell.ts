import { type Amount, mrc402Sell, PLATFORM_FIELDS } from "@moneta/protocol";
import { type Rule, ruleOf, sent } from "../rule.ts";
import { asksOf, offerUnits, unitLister } from "./unit-offers.ts";

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
