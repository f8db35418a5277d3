import { refuse, tokenSetBase } from "@moneta/protocol";
import { done, record } from "../../records/record.ts";
import { TOKEN } from "../../state/token-entry.ts";
import { type RuledOperation, ruleOf } from "../rule.ts";
import { hasTarget, pairMaker } from "./pair.ts";

/** Source: protocols §8. */
export const tokenSetBaseRule: RuledOperation = ruleOf(tokenSetBase, {
  actor: (state, { token, baseToken }) =>
    pairMaker(state, token, { parameter: "baseToken", token: baseToken }),

  apply(state, { token, baseToken }, { actor: owner, found }) {
    if (hasTarget(found, baseToken)) {
      const reason = `is ${baseToken}, which is a target of ${token}: of two tokens only one is the base`;
      return refuse({ code: "3005", parameter: "baseToken", reason });
    }
    if (String(found.basetoken) === baseToken) {
      return refuse({ code: "4900", what: `The base of token ${token}` });
    }

    state.put(TOKEN, { ...found, basetoken: Number(baseToken) });
    return done(
      state,
      record("SetBase", { base: baseToken, target: token }, { of: owner, token, shows: {} }),
    );
  },
});
