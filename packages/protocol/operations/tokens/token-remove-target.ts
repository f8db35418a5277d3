import { signedOperation } from "../../description/operation.ts";
import { refuseNoTarget, targetChange } from "./pair.ts";

/** Source: protocols §8. */
export const tokenRemoveTarget = signedOperation({
  name: "tokenremovetarget",
  title: "Remove a target",
  route: "POST /tokenUpdate/TokenTargetRemove/{tkey}/{token}/{targetToken}",
  about:
    "Withdraws the admission of a token that is traded for this one on the order exchange. Orders of the pair stay, and can be cancelled.",
  ...targetChange,
  check: refuseNoTarget,
  refusals: ["4001", "4900"],
});
