import { BOB } from "../../description/examples.ts";
import { signedOperation } from "../../description/operation.ts";
import { fullySigned } from "../../description/parameter.ts";
import { createdFor } from "../items/item-data.ts";
import { unitSupplyChange } from "./unit-supply.ts";

/** Source: mrc402 §7. */
export const mrc402Mint = signedOperation({
  name: "mrc402mint",
  title: "Mint units",
  route: "PUT /mrc402/mint/{mrc402id}",
  about:
    "Issues more units of an item to its creator, or to the address that `to` names. The creator pays their reserve.",
  ...unitSupplyChange,
  parameters: { ...unitSupplyChange.parameters, to: fullySigned(createdFor) },
  example: { ...unitSupplyChange.example, to: BOB },
  refusals: ["6004", "3090", "7002", "7110", "5000"],
});
