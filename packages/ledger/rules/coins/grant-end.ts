import { grantEnd, refuse } from "@moneta/protocol";
import { done, effectOnEntry, record } from "../../records/record.ts";
import { named } from "../../state/entries.ts";
import { GRANT } from "../../state/grant-entry.ts";
import { actingOn, type RuledOperation, ruleOf } from "../rule.ts";

/** Source: authority §5.4. */
export const grantEndRule: RuledOperation = ruleOf(grantEnd, {
  actor: (state, { grantid }) =>
    actingOn(named(state, GRANT, grantid, "grantid"), ({ address }) => address),

  apply(state, { signature, tkey }, { found }) {
    const { address, grantid, ended } = found;
    if (ended !== 0) {
      const reason = `names a grant that was ended at ${ended}`;
      return refuse({ code: "7209", parameter: "grantid", reason });
    }

    const after = { ...found, ended: state.time };
    state.put(GRANT, after);
    const values = { address, grantid, signature, tkey };
    return done(state, record("GrantEnd", values, { shows: {} }), [
      effectOnEntry("GrantEnd", values, GRANT, after),
    ]);
  },
});
