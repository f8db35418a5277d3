import { ALICE, ORDER } from "../../description/examples.ts";
import { signedOperation } from "../../description/operation.ts";
import { address, recordId } from "../../description/parameters/ids.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";

/** Source: protocols §10. */
export const mrc040Cancel = signedOperation({
  name: "mrc040cancel",
  title: "Cancel an order",
  route: "POST /mrc040/cancel/{tkey}",
  about: "Cancels an order; its owner gets back what it holds.",
  parameters: { tkey: temporaryKey(), owner: address(), mrc040id: recordId("an order") },
  example: { owner: ALICE, mrc040id: ORDER },
  actor: "owner",
  signed: ["owner", "mrc040id", "tkey"],
  refusals: ["6004", "3090", "7001", "7101", "7102"],
});
