import { BOB, SWORD } from "../../description/examples.ts";
import { signedOperation } from "../../description/operation.ts";
import { recordId } from "../../description/parameters/ids.ts";
import { bidParameters, itemGuardsExample } from "./item-data.ts";
import { HOLDER_CHANGE_REFUSALS } from "./policy.ts";

/** Source: mrc401 §16. */
export const mrc401Bid = signedOperation({
  name: "mrc401bid",
  title: "Bid for an item",
  route: "POST /mrc401/bid/{mrc401id}",
  about:
    "Bids for an item that is on auction; a bid of the buy-now price wins at once. maxmeltfee, maxsellfee and transferable, if given, guard against other terms of the item, which its project's owner may change at any time.",
  parameters: {
    mrc401id: recordId("an item"),
    ...bidParameters,
  },
  example: { mrc401id: SWORD, amount: "10", token: "0", buyer: BOB, ...itemGuardsExample },
  actor: "buyer",
  signed: ["mrc401id", "amount", "token", "tkey"],
  refusals: [
    "6004",
    "3090",
    "7110",
    "7106",
    "7112",
    "7109",
    "7105",
    ...HOLDER_CHANGE_REFUSALS,
    "7202",
    "5000",
  ],
});
