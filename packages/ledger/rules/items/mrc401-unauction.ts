import { mrc401Unauction } from "@moneta/protocol";
import { type Rule, ruleOf } from "../rule.ts";
import { idEntriesOf, itemLister, takeOff } from "./item-listing.ts";

/** Takes items off auction. Source: mrc401 §15. */
export const mrc401UnauctionRule: Rule<typeof mrc401Unauction.parameters> = ruleOf(
  mrc401Unauction,
  {
    actor: (state, values, keyHolder) =>
      itemLister(state, values, idEntriesOf(values.itemdata.entries), keyHolder),
    apply: (state, values, operation) => takeOff("unauction", state, values, operation),
  },
);
