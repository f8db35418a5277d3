import { refuse, stateroot } from "@moneta/protocol";
import { done, record, sent } from "../../records/record.ts";
import { STATE_ROOT } from "../../state/entries.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";

/** No rule checks the root itself. Source: proofs §2.2. */
export const staterootRule: RuledOperation = ruleOf(stateroot, {
  actor: () => acting(""),
  apply(state, { height }, { operation }) {
    const newest = state.find(STATE_ROOT, "")?.height ?? -1;
    if (height <= newest || height >= state.height) {
      const reason = `must be from ${newest + 1} to ${state.height - 1}: above the newest that has a root, below the block of this one`;
      return refuse({ code: "3005", parameter: "height", reason });
    }
    state.put(STATE_ROOT, { height });
    return done(
      state,
      record("StateRoot", sent(operation, "height", "root"), { of: "", shows: {} }),
    );
  },
});
