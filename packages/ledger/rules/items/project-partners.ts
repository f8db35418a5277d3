import type { Address, JsonMembers, PartnerRole, Refused } from "@moneta/protocol";
import type { StateReader } from "../../state/state.ts";
import { mustExist } from "../existence.ts";

/** Refused with 3090 if one of the partners that a request names is unknown. Source: mrc401 §3. */
export function refuseUnknownPartner(
  state: StateReader,
  partner: JsonMembers<PartnerRole> | undefined,
): Refused | undefined {
  for (const address of partner?.members.keys() ?? []) {
    const unknown = mustExist(state, `partner.${address}`, address as Address);
    if (unknown !== undefined) {
      return unknown;
    }
  }
  return undefined;
}
