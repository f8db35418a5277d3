import { signedOperation } from "../../description/operation.ts";
import { supplyChange } from "./supply-change.ts";

/** Source: tokens §5. */
export const tokenIncrease = signedOperation({
  name: "tokenincrease",
  title: "Increase the supply of a token",
  route: "PUT /token/increase/{tkey}",
  about: "Issues more units of a token to its owner.",
  ...supplyChange,
  refusals: ["4001", "7001"],
});
