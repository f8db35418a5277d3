import { addAmounts, refuse, tokenIncrease } from "@moneta/protocol";
import { done, effect, record } from "../../records/record.ts";
import { TOKEN } from "../../state/token-entry.ts";
import { ownerOfToken } from "../existence.ts";
import { type RuledOperation, ruleOf } from "../rule.ts";

/** Source: tokens §5. */
export const tokenIncreaseRule: RuledOperation = ruleOf(tokenIncrease, {
  actor: (state, { token }) => ownerOfToken(state, token),

  apply(state, { token, amount, memo, signature }, { actor: owner, found }) {
    const totalSupply = addAmounts(found.totalsupply, amount);
    if (totalSupply === undefined) {
      const wanted = `such that no more than 10^40 are ever issued: ${found.totalsupply} have been`;
      return refuse({ code: "1101", parameter: "amount", given: String(amount), wanted });
    }

    state.balances.credit(owner, token, amount);
    state.put(TOKEN, { ...found, totalsupply: totalSupply });
    const supply = { token, amount, signature, ...(memo === "" ? {} : { memo }) };
    return done(state, record("tokenIncrease", supply, { of: owner, token }), [
      effect("ownerIncrease", supply, { of: owner }),
    ]);
  },
});
