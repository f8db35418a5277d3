import { mrc020, refuse } from "@moneta/protocol";
import { done, effectOnEntry, record, sent, signatureOf } from "../../records/record.ts";
import { SEAL, type Seal, sealId } from "../../state/seal-entry.ts";
import { mustExist } from "../existence.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";

/** Commits to a text that is opened later. Source: protocols §6. */
export const mrc020Rule: RuledOperation = ruleOf(mrc020, {
  actor: (state, { owner }) => acting(mustExist(state, "owner", owner) ?? owner),

  apply(state, values, { operation }) {
    const { owner, referencekey, opendate, tkey } = values;
    const id = sealId(owner, referencekey);
    if (state.find(SEAL, id) !== undefined) {
      const reason = `is that of ${id}, which there is already: take another one`;
      return refuse({ code: "7111", parameter: "referencekey", reason });
    }
    if (opendate <= state.time) {
      const wanted = `later than the ledger's time, ${state.time}`;
      return refuse({ code: "1102", parameter: "opendate", given: String(opendate), wanted });
    }

    const { algorithm, data, keyhash } = values;
    const sealed: Seal = {
      ...{ id, owner, algorithm, data, keyhash, createdate: state.time, opendate },
      ...{ referencekey, publickey: "", is_open: 0, opened: 0 },
      order: state.operationNumber,
    };
    state.put(SEAL, sealed);
    const given = {
      ...{ seal: id, signature: signatureOf(operation), tkey },
      ...sent(operation, "owner", "algorithm", "data", "keyhash", "opendate", "referencekey"),
    };
    return done(state, record("MRC020", given), [effectOnEntry("MRC020", given, SEAL, sealed)]);
  },
});
