import { mrc401Unauction } from "@moneta/protocol";
import { type RuledOperation, ruleOf } from "../rule.ts";
import { idEntriesOf, itemLister, takeOff } from "./listings.ts";

/** Source: mrc401 §15. */
export const mrc401UnauctionRule: RuledOperation = ruleOf(mrc401Unauction, {
  actor: (state, values, keyHolder) =>
    itemLister(state, values, idEntriesOf(values.itemdata.entries), keyHolder),
  apply: (state, values, given) => takeOff("unauction", state, values, given),
});
