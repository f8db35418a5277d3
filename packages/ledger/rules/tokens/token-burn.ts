import { type Address, type Amount, tokenBurn } from "@moneta/protocol";
import { invariant } from "../../invariant.ts";
import { refuseUnaffordable } from "../../market/balances.ts";
import { TOKEN } from "../../state/token-entry.ts";
import { ownerOfToken } from "../existence.ts";
import { done, effectOn, type Rule, record, ruleOf } from "../rule.ts";

/** Takes units of a token that its owner holds out of existence. Source: tokens §5. */
export const tokenBurnRule: Rule<typeof tokenBurn.parameters> = ruleOf(tokenBurn, {
  actor: (state, { token }) => ownerOfToken(state, token),

  apply(state, { token, amount, memo, signature }, operation) {
    const owner = operation.actor as Address;
    const entry = state.token(token);
    invariant(entry !== undefined, "actor() has found the token");
    const poor = refuseUnaffordable(state, { address: owner, token, amount });
    if (poor !== undefined) {
      return poor;
    }

    // Nothing below can fail.
    state.debit(owner, token, amount);
    state.put(TOKEN, { ...entry, burned: (entry.burned + amount) as Amount });
    const parameters = [token, String(amount), signature, ...(memo === "" ? [] : [memo])];
    return done(state, record("tokenBurning", owner, token, parameters), [
      effectOn(owner, "ownerBurning", parameters),
    ]);
  },
});
