import { mrc401Sell, Refused } from "@moneta/protocol";
import { newSaleWindow } from "../../market/listing.ts";
import { type RuledOperation, ruleOf } from "../rule.ts";
import { putOnSale } from "./item-life.ts";
import { entriesOf, itemLister, listItems } from "./listings.ts";

/** Source: mrc401 §10. */
export const mrc401SellRule: RuledOperation = ruleOf(mrc401Sell, {
  actor: (state, values, keyHolder) =>
    itemLister(state, values, entriesOf(values.itemdata.entries), keyHolder),

  apply: (state, values, given) =>
    listItems(
      "sell",
      state,
      values,
      given,
      (item, { price, token, ...times }, parameter) => {
        const window = newSaleWindow(times, state.time, `${parameter}.`);
        return window instanceof Refused
          ? window
          : [putOnSale(item, { price, token, time: state.time, ...window }), { price, token }];
      },
      ({ price: amount, token }, parameter) => ({
        at: state.time,
        prices: [{ amount, parameter: `${parameter}.price` }],
        token,
      }),
    ),
});
