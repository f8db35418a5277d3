import { mrc402Unsell } from "@moneta/protocol";
import { type RuledOperation, ruleOf } from "../rule.ts";
import { cancelUnits, unitCanceller } from "./cancels.ts";

/** Source: mrc402 §12. */
export const mrc402UnsellRule: RuledOperation = ruleOf(mrc402Unsell, {
  actor: unitCanceller,
  apply: (state, values, given) => cancelUnits("unsell", state, values, given),
});
