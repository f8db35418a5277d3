import { type Amount, mrc402Sell, PLATFORM_FIELDS, Refused } from "@moneta/protocol";
import { newSaleWindow } from "../../market/listing.ts";
import { record, sent } from "../../records/record.ts";
import { type RuledOperation, ruleOf } from "../rule.ts";
import { asksOf, listAsks, unitLister } from "./asks.ts";

/** Source: mrc402 §11. */
export const mrc402SellRule: RuledOperation = ruleOf(mrc402Sell, {
  actor: (state, values, keyHolder) => unitLister(state, values, asksOf(values), keyHolder),

  apply: (state, values, { operation, ...given }) =>
    listAsks("sell", state, values, {
      ...given,
      asks: asksOf(values),
      terms(index) {
        const entry = values.itemdata?.entries[index];
        const prefix = entry === undefined ? "" : `itemdata[${index}].`;
        const window = newSaleWindow(entry ?? values, state.time, prefix);
        const sell_price = (entry ?? values).price as Amount;
        return window instanceof Refused ? window : { side: "sell", sell_price, ...window };
      },
      own(listed, filing) {
        const asked = sent(operation, "amount", "price", "token", ...PLATFORM_FIELDS);
        const { id: item } = sent(operation, "id");
        return record("mrc402sell", { ...listed, ...asked, item }, filing);
      },
    }),
});
