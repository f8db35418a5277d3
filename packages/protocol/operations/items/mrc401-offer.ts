import { BOB, PROJECT, SWORD, TOMORROW } from "../../description/examples.ts";
import { refuse } from "../../description/faults.ts";
import { signedOperation } from "../../description/operation.ts";
import { address, recordId } from "../../description/parameters/ids.ts";
import { offerResult } from "../../description/results.ts";
import { isItemId } from "../../text/item-number.ts";
import { offerTerms } from "../offer.ts";
import { itemGroup, itemGuardsExample } from "./item-data.ts";

/** Source: offers §2. */
export const mrc401Offer = signedOperation({
  name: "mrc401offer",
  title: "Make an offer for an item",
  route: "POST /mrc401/offer",
  about:
    "Offers a price for an item, whether it is on sale or not, or for any item of a project, with `groupid` any item of that group. The price leaves the buyer's balance and is held until a holder accepts, the buyer withdraws or the offer ends. maxmeltfee, maxsellfee and transferable guard against other terms of the item at that time.",
  parameters: {
    buyer: address(),
    id: recordId("an item or a project"),
    groupid: itemGroup,
    ...offerTerms,
  },
  example: {
    buyer: BOB,
    id: SWORD,
    price: "25",
    token: "0",
    end: `${TOMORROW}`,
    ...itemGuardsExample,
  },
  otherExamples: {
    project: {
      ...{ buyer: BOB, id: PROJECT, groupid: "swords", price: "25", token: "0" },
      end: `${TOMORROW}`,
    },
  },
  actor: "buyer",
  signed: [],
  fullOnly: true,
  check({ id, groupid }) {
    const reason = "is for offers for any item of a project, but id names an item";
    return groupid !== "" && isItemId(id)
      ? refuse({ code: "3005", parameter: "groupid", reason })
      : undefined;
  },
  refusals: ["6004", "3090", "4001", "7110", "7109", "7125", "5000"],
  result: offerResult("OfferMade", "401"),
});
