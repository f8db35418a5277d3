import { ALICE } from "../../description/examples.ts";
import { signedOperation } from "../../description/operation.ts";
import { address } from "../../description/parameters/ids.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";

/** Source: authority §4.3. */
export const addressRecoverCancel = signedOperation({
  name: "addressrecovercancel",
  title: "Cancel a recovery",
  route: "POST /address/recover/cancel/{address}",
  about: "Cancels the recovery of an address that is under way. The present keys sign.",
  parameters: { address: address(), tkey: temporaryKey() },
  example: { address: ALICE },
  actor: "address",
  signed: [],
  fullOnly: true,
  isAlone: true,
  refusals: ["3090", "7141"],
});
