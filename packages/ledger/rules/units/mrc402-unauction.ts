import { mrc402Unauction } from "@moneta/protocol";
import { type Rule, ruleOf } from "../rule.ts";
import { cancelUnits, unitCanceller } from "./unit-cancels.ts";

/** Takes back auctions of units that nobody has bid in. Source: mrc402 §15. */
export const mrc402UnauctionRule: Rule<typeof mrc402Unauction.parameters> = ruleOf(
  mrc402Unauction,
  {
    actor: (state, values, keyHolder) => unitCanceller(state, values, keyHolder),
    apply: (state, values, operation) => cancelUnits("unauction", state, values, operation),
  },
);
