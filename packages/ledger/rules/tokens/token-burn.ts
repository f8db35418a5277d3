import { type Amount, tokenBurn } from "@moneta/protocol";
import { refuseUnaffordable } from "../../market/balances.ts";
import { done, effect, record } from "../../records/record.ts";
import { TOKEN } from "../../state/token-entry.ts";
import { ownerOfToken } from "../existence.ts";
import { type RuledOperation, ruleOf } from "../rule.ts";

/** Source: tokens §5. */
export const tokenBurnRule: RuledOperation = ruleOf(tokenBurn, {
  actor: (state, { token }) => ownerOfToken(state, token),

  apply(state, { token, amount, memo, signature }, { actor: owner, found }) {
    const poor = refuseUnaffordable(state, { address: owner, token, amount });
    if (poor !== undefined) {
      return poor;
    }

    state.balances.debit(owner, token, amount);
    state.put(TOKEN, { ...found, burnningamount: (found.burnningamount + amount) as Amount });
    const supply = { token, amount, signature, ...(memo === "" ? {} : { memo }) };
    return done(state, record("tokenBurning", supply, { of: owner, token }), [
      effect("ownerBurning", supply, { of: owner }),
    ]);
  },
});
