import { signedOperation } from "../../description/operation.ts";
import { unitSupplyChange } from "./unit-supply.ts";

/** Source: mrc402 §7. */
export const mrc402Burn = signedOperation({
  name: "mrc402burn",
  title: "Burn units",
  route: "PUT /mrc402/burn/{mrc402id}",
  about:
    "Takes units of an item that its creator holds out of existence, and gives their reserve back.",
  ...unitSupplyChange,
  refusals: ["6004", "3090", "7002", "7110", "7108", "5000"],
});
