import { ALICE } from "../../description/examples.ts";
import { signedOperation } from "../../description/operation.ts";
import { address } from "../../description/parameters/ids.ts";
import { newKeySet, newKeySetExample, refuseThreshold } from "./key-set.ts";

/** Source: authority §4.2. */
export const addressRecover = signedOperation({
  name: "addressrecover",
  title: "Recover an address",
  route: "POST /address/recover/{address}",
  about:
    "Begins to replace lost keys: the recovery keys sign, and as proof the new ones. After the delay anybody can finish it; until then the present keys can cancel it. Another set begins the delay anew.",
  parameters: { address: address(), ...newKeySet },
  example: { address: ALICE, ...newKeySetExample, version: "3" },
  actor: "address",
  signed: [],
  fullOnly: true,
  isAlone: true,
  by: "recovery",
  proof: "proof",
  check: ({ keys, threshold }) => refuseThreshold(keys, threshold, "threshold"),
  refusals: ["3090", "7140", "7142"],
});
