import { mrc401Sell } from "@moneta/protocol";
import { type Rule, ruleOf } from "../rule.ts";
import { putOnSale } from "./item-life.ts";
import { entriesOf, itemLister, listItems } from "./item-listing.ts";

/** Puts items on sale. Source: mrc401 §10. */
export const mrc401SellRule: Rule<typeof mrc401Sell.parameters> = ruleOf(mrc401Sell, {
  actor: (state, values, keyHolder) =>
    itemLister(state, values, entriesOf(values.itemdata.entries), keyHolder),

  apply: (state, values, operation) =>
    listItems("sell", state, values, {
      operation,
      list: (item, { price, token }) => [
        putOnSale(item, { price, token, time: state.time }),
        [String(price), token],
      ],
    }),
});
