import { refuse, tokenAddTarget } from "@moneta/protocol";
import { done, record } from "../../records/record.ts";
import { TARGETS_MAX, TOKEN } from "../../state/token-entry.ts";
import { type RuledOperation, ruleOf } from "../rule.ts";
import { hasTarget, pairMaker } from "./pair.ts";

/** Source: protocols §8. */
export const tokenAddTargetRule: RuledOperation = ruleOf(tokenAddTarget, {
  actor: (state, { token, targetToken }) =>
    pairMaker(state, token, { parameter: "targetToken", token: targetToken }),

  apply(state, { token, targetToken, signature, tkey }, { actor: owner, found }) {
    if (String(found.basetoken) === targetToken) {
      const reason = `is ${targetToken}, which is the base of ${token}: of two tokens only one is the base`;
      return refuse({ code: "3005", parameter: "targetToken", reason });
    }
    if (hasTarget(found, targetToken)) {
      return refuse({ code: "4900", what: `That ${targetToken} is a target of token ${token}` });
    }
    const count = Object.keys(found.targettoken).length;
    if (count >= TARGETS_MAX) {
      const reason = `would be target ${count + 1} of ${token}: a token has at most ${TARGETS_MAX}`;
      return refuse({ code: "3002", parameter: "targetToken", reason });
    }

    state.put(TOKEN, {
      ...found,
      targettoken: { ...found.targettoken, [targetToken]: state.time },
    });
    const pair = { base: token, target: targetToken, signature, tkey };
    return done(state, record("tokenAddTarget", pair, { of: owner, token, shows: {} }));
  },
});
