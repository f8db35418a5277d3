import { type Address, addAmounts, refuse, tokenIncrease } from "@moneta/protocol";
import { invariant } from "../../invariant.ts";
import { TOKEN } from "../../state/token-entry.ts";
import { ownerOfToken } from "../existence.ts";
import { done, effectOn, type Rule, record, ruleOf } from "../rule.ts";

/** Issues more units of a token to its owner. Source: tokens §5. */
export const tokenIncreaseRule: Rule<typeof tokenIncrease.parameters> = ruleOf(tokenIncrease, {
  actor: (state, { token }) => ownerOfToken(state, token),

  apply(state, { token, amount, memo, signature }, operation) {
    const owner = operation.actor as Address;
    const entry = state.token(token);
    invariant(entry !== undefined, "actor() has found the token");
    const totalSupply = addAmounts(entry.totalSupply, amount);
    if (totalSupply === undefined) {
      const wanted = `such that no more than 10^40 are ever issued: ${entry.totalSupply} have been`;
      return refuse({ code: "1101", parameter: "amount", given: String(amount), wanted });
    }

    // Nothing below can fail.
    state.credit(owner, token, amount);
    state.put(TOKEN, { ...entry, totalSupply });
    const parameters = [token, String(amount), signature, ...(memo === "" ? [] : [memo])];
    return done(state, record("tokenIncrease", owner, token, parameters), [
      effectOn(owner, "ownerIncrease", parameters),
    ]);
  },
});
