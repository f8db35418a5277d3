import { BOB, SWORD } from "../../description/examples.ts";
import { signedOperation } from "../../description/operation.ts";
import { aliased, optional } from "../../description/parameter.ts";
import { address, recordId } from "../../description/parameters/ids.ts";
import { itemGuardsExample, purchaseParameters } from "./item-data.ts";
import { HOLDER_CHANGE_REFUSALS } from "./policy.ts";

/** Source: mrc401 §12. */
export const mrc401Buy = signedOperation({
  name: "mrc401buy",
  title: "Buy an item",
  route: "POST /mrc401/buy/{mrc401id}",
  about:
    "Buys an item that is on sale. Price and token, if given, guard against a sale that was replaced meanwhile; maxmeltfee, maxsellfee and transferable against other terms of the item, which its project's owner may change at any time.",
  parameters: {
    mrc401id: recordId("an item"),
    buyer: optional(aliased(address(), "address")),
    ...purchaseParameters,
  },
  example: { mrc401id: SWORD, buyer: BOB, price: "30", token: "0", ...itemGuardsExample },
  actor: "buyer",
  signed: ["mrc401id", "tkey"],
  refusals: [
    "6004",
    "3090",
    "7110",
    "7106",
    "7109",
    "7112",
    ...HOLDER_CHANGE_REFUSALS,
    "7202",
    "7203",
    "5000",
  ],
});
