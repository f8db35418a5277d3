import { mrc402Unauction } from "@moneta/protocol";
import { type RuledOperation, ruleOf } from "../rule.ts";
import { cancelUnits, unitCanceller } from "./cancels.ts";

/** Source: mrc402 §15. */
export const mrc402UnauctionRule: RuledOperation = ruleOf(mrc402Unauction, {
  actor: unitCanceller,
  apply: (state, values, given) => cancelUnits("unauction", state, values, given),
});
