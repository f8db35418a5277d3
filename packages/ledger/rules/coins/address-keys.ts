import { addressKeys, keptKeys } from "@moneta/protocol";
import { keySetOf, NO_RECOVERY, NOTHING_PENDING } from "../../state/key-set-entry.ts";
import { mustExist } from "../existence.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";
import { putKeySet, refuseVersion } from "./key-set.ts";

/** Source: authority §1.3. */
export const addressKeysRule: RuledOperation = ruleOf(addressKeys, {
  actor: (state, { address }) => acting(mustExist(state, "address", address) ?? address),

  apply(state, { address, keys, threshold, version, ...request }) {
    const before = keySetOf(state, address);
    const refused = refuseVersion(before, version);
    if (refused !== undefined) {
      return refused;
    }

    const { recoverykeys, recoverythreshold, recoverydelay } = request;
    const recovery =
      recoverykeys === undefined || recoverythreshold === undefined || recoverydelay === undefined
        ? NO_RECOVERY
        : { recoverykeys: keptKeys(recoverykeys), recoverythreshold, recoverydelay };
    const entry = {
      ...{ address, version, keys: keptKeys(keys), threshold },
      ...recovery,
      ...NOTHING_PENDING,
      grantsfrom: request.grants === "keep" ? before.grantsfrom : version,
    };
    return putKeySet(state, entry, "NewKeys", request);
  },
});
