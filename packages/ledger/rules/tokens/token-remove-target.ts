import { refuse, tokenRemoveTarget } from "@moneta/protocol";
import { done, record } from "../../records/record.ts";
import { TOKEN } from "../../state/token-entry.ts";
import { type RuledOperation, ruleOf } from "../rule.ts";
import { hasTarget, pairMaker } from "./pair.ts";

/** Source: protocols §8. */
export const tokenRemoveTargetRule: RuledOperation = ruleOf(tokenRemoveTarget, {
  actor: (state, { token, targetToken }) =>
    pairMaker(state, token, { parameter: "targetToken", token: targetToken }),

  apply(state, { token, targetToken, signature, tkey }, { actor: owner, found }) {
    if (!hasTarget(found, targetToken)) {
      return refuse({ code: "4900", what: `That ${targetToken} is no target of token ${token}` });
    }

    const { [targetToken]: _, ...targets } = found.targettoken;
    state.put(TOKEN, { ...found, targettoken: targets });
    const pair = { base: token, target: targetToken, signature, tkey };
    return done(state, record("tokenRemoveTarget", pair, { of: owner, token, shows: {} }));
  },
});
