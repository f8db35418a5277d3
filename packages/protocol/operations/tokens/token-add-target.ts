import { signedOperation } from "../../description/operation.ts";
import { refuseNoTarget, targetChange } from "./pair.ts";

/** Source: protocols §8. */
export const tokenAddTarget = signedOperation({
  name: "tokenaddtarget",
  title: "Admit a target",
  route: "POST /tokenUpdate/TokenTargetAdd/{tkey}/{token}/{targetToken}",
  about:
    "Admits a token as one that is traded for this one on the order exchange. The pair is open once the other token has this one as its base.",
  ...targetChange,
  check: refuseNoTarget,
  refusals: ["4001", "4900"],
});
