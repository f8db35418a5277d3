import { mrc401Unsell } from "@moneta/protocol";
import { type Rule, ruleOf } from "../rule.ts";
import { idEntriesOf, itemLister, takeOff } from "./item-listing.ts";

/** Takes items off sale. Source: mrc401 §11. */
export const mrc401UnsellRule: Rule<typeof mrc401Unsell.parameters> = ruleOf(mrc401Unsell, {
  actor: (state, values, keyHolder) =>
    itemLister(state, values, idEntriesOf(values.itemdata.entries), keyHolder),
  apply: (state, values, operation) => takeOff("unsell", state, values, operation),
});
