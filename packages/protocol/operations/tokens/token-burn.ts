import { signedOperation } from "../../description/operation.ts";
import { supplyChange } from "./supply-change.ts";

/** Source: tokens §5. */
export const tokenBurn = signedOperation({
  name: "tokenburn",
  title: "Burn units of a token",
  route: "PUT /token/burn/{tkey}",
  about: "Burns units of a token that its owner holds.",
  ...supplyChange,
  refusals: ["4001", "7001", "5000"],
});
