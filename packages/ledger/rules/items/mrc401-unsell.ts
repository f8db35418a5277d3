import { mrc401Unsell } from "@moneta/protocol";
import { type RuledOperation, ruleOf } from "../rule.ts";
import { idEntriesOf, itemLister, takeOff } from "./listings.ts";

/** Source: mrc401 §11. */
export const mrc401UnsellRule: RuledOperation = ruleOf(mrc401Unsell, {
  actor: (state, values, keyHolder) =>
    itemLister(state, values, idEntriesOf(values.itemdata.entries), keyHolder),
  apply: (state, values, given) => takeOff("unsell", state, values, given),
});
