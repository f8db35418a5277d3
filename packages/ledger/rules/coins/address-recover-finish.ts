import { addressRecoverFinish, refuse } from "@moneta/protocol";
import { BY_NOBODY } from "../../records/record.ts";
import { keySetOf, NOTHING_PENDING } from "../../state/key-set-entry.ts";
import { mustExist } from "../existence.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";
import { putKeySet, refuseNothingPending } from "./key-set.ts";

/**
 * Finishes the recovery of an address: its keys and their threshold change. Source: authority §4.4.
 */
export const addressRecoverFinishRule: RuledOperation = ruleOf(addressRecoverFinish, {
  actor: (state, { address }) => acting(mustExist(state, "address", address) ?? ""),

  apply(state, { address }) {
    const entry = keySetOf(state, address);
    const refused = refuseNothingPending(entry);
    if (refused !== undefined) {
      return refused;
    }
    const { pendingkeys: keys, pendingthreshold: threshold, pendingdue } = entry;
    if (state.time < pendingdue) {
      const reason = `is of an address whose recovery can be finished from ${pendingdue} on`;
      return refuse({ code: "7201", parameter: "address", reason });
    }

    const version = entry.version + 1;
    const recovered = { ...entry, version, keys, threshold, grantsfrom: version };
    return putKeySet(state, { ...recovered, ...NOTHING_PENDING }, "NewKeys", BY_NOBODY);
  },
});
