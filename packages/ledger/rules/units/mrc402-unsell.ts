import { mrc402Unsell } from "@moneta/protocol";
import { type Rule, ruleOf } from "../rule.ts";
import { cancelUnits, unitCanceller } from "./unit-cancels.ts";

/** Takes back offers of units. Source: mrc402 §12. */
export const mrc402UnsellRule: Rule<typeof mrc402Unsell.parameters> = ruleOf(mrc402Unsell, {
  actor: (state, values, keyHolder) => unitCanceller(state, values, keyHolder),
  apply: (state, values, operation) => cancelUnits("unsell", state, values, operation),
});
