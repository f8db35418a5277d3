import { addressRecoverCancel } from "@moneta/protocol";
import { keySetOf, NOTHING_PENDING } from "../../state/key-set-entry.ts";
import { mustExist } from "../existence.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";
import { putKeySet, refuseNothingPending } from "./key-set.ts";

/** Source: authority §4.3. */
export const addressRecoverCancelRule: RuledOperation = ruleOf(addressRecoverCancel, {
  actor: (state, { address }) => acting(mustExist(state, "address", address) ?? address),

  apply(state, { address, ...request }) {
    const entry = keySetOf(state, address);
    return (
      refuseNothingPending(entry) ??
      putKeySet(state, { ...entry, ...NOTHING_PENDING }, "RecoveryCancelled", request)
    );
  },
});
