import { ALICE } from "../../description/examples.ts";
import { unsignedOperation } from "../../description/operation.ts";
import { address } from "../../description/parameters/ids.ts";

/** Source: authority §4.4. */
export const addressRecoverFinish = unsignedOperation({
  name: "addressrecoverfinish",
  title: "Finish a recovery",
  route: "POST /address/recover/finish/{address}",
  about:
    "Finishes a recovery whose delay is over: the new keys replace those of the address. Anybody can call it; a node does so within seconds.",
  parameters: { address: address() },
  example: { address: ALICE },
  refusals: ["3090", "7141", "7201"],
});
