import { NATIVE_COIN, tokenSave } from "@moneta/protocol";
import { DRAFT, DRAFTS_MAX, draftId } from "../../state/draft-entry.ts";
import { mustExist } from "../existence.ts";
import { done, type Rule, record, ruleOf, sent, signatureOf } from "../rule.ts";
import { isLive } from "./token-draft.ts";

/** Leaves the draft of a token in the ledger. Source: tokens §3. */
export const tokenSaveRule: Rule<typeof tokenSave.parameters> = ruleOf(tokenSave, {
  actor(state, { owner, reserve }) {
    const unknown = mustExist(state, "owner", owner);
    if (unknown !== undefined) {
      return unknown;
    }
    for (const [index, { address }] of reserve.entries.entries()) {
      const payee = mustExist(state, `reserve[${index}].address`, address);
      if (payee !== undefined) {
        return payee;
      }
    }
    return owner;
  },

  apply(state, { owner, name }, operation) {
    // Nothing below can fail.
    const others = state.drafts(owner).filter((draft) => draft.name !== name);
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
      transactionNumber: state.transactionNumber,
    });
    const parameters = [
      ...sent(operation, "owner", "symbol", "token", "name", "url", "totalsupply", "decimal"),
      ...sent(operation, "category", "reservedamount", "reserve", "tier", "type", "image"),
      signatureOf(operation),
      ...sent(operation, "Temporarykey"),
    ];
    return done(state, record("tokenSave", owner, NATIVE_COIN, parameters));
  },
});
