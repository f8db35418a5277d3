import { tokenSave } from "@moneta/protocol";
import { done, record, sent, signatureOf } from "../../records/record.ts";
import { DRAFT, DRAFTS_MAX, draftId, draftsOf } from "../../state/token-entry.ts";
import { mustExist } from "../existence.ts";
import { firstRefusal } from "../first-refusal.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";
import { isLive } from "./token-draft.ts";

/** Source: tokens §3. */
export const tokenSaveRule: RuledOperation = ruleOf(tokenSave, {
  actor(state, { owner, reserve }) {
    return acting(
      mustExist(state, "owner", owner) ??
        firstRefusal(reserve.entries, ({ address }, index) =>
          mustExist(state, `reserve[${index}].address`, address),
        ) ??
        owner,
    );
  },

  apply(state, { owner, name }, { operation }) {
    const others = draftsOf(state, owner).filter((draft) => draft.name !== name);
    const kept = others.filter((draft) => isLive(draft, state.time)).slice(1 - DRAFTS_MAX);
    for (const draft of others) {
      if (!kept.includes(draft)) {
        state.remove(DRAFT, draftId(draft));
      }
    }
    state.put(DRAFT, {
      owner,
      name,
      saved: state.time,
      params: operation.params,
      operationNumber: state.operationNumber,
    });
    const draft = {
      ...sent(operation, "owner", "symbol", "token", "name", "url", "totalsupply", "decimal"),
      ...sent(operation, "category", "reservedamount", "reserve", "tier", "type", "image"),
      signature: signatureOf(operation),
      tkey: sent(operation, "Temporarykey").Temporarykey,
    };
    return done(state, record("tokenSave", draft));
  },
});
