import { signedOperation } from "../../description/operation.ts";
import { unitSupplyChange } from "./unit-supply.ts";

/** Issues more units of an item to its creator, who pays their reserve. Source: mrc402 §7. */
export const mrc402Mint = signedOperation({
  name: "mrc402mint",
  title: "Mint units",
  route: "PUT /mrc402/mint/{mrc402id}",
  about: "Issues more units of an item to its creator, who pays their reserve.",
  ...unitSupplyChange,
  refusals: ["6004", "3090", "7002", "7110", "5000"],
});
