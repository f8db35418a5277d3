import { addressRecover, canonicalJson, type Json, keptKeys, refuse } from "@moneta/protocol";
import { type KeySetEntry, keySetOf } from "../../state/key-set-entry.ts";
import { mustExist } from "../existence.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";
import { putKeySet, refuseVersion } from "./key-set.ts";

/** Source: authority §4.2. */
export const addressRecoverRule: RuledOperation = ruleOf(addressRecover, {
  actor: (state, { address }) => acting(mustExist(state, "address", address) ?? address),

  apply(state, { address, keys, threshold, version, ...request }) {
    const entry = keySetOf(state, address);
    const refused = refuseVersion(entry, version);
    if (refused !== undefined) {
      return refused;
    }
    const pendingkeys = keptKeys(keys);
    if (threshold === entry.pendingthreshold && textOf(pendingkeys) === textOf(entry.pendingkeys)) {
      const reason = `are those of the recovery under way, which can be finished from ${entry.pendingdue} on`;
      return refuse({ code: "7142", parameter: "keys", reason });
    }

    const pendingdue = state.time + entry.recoverydelay;
    const pending = { pendingkeys, pendingthreshold: threshold, pendingdue };
    return putKeySet(state, { ...entry, ...pending }, "Recovery", request);
  },
});

function textOf(keys: KeySetEntry["keys"]): string {
  return canonicalJson(keys as unknown as Json);
}
