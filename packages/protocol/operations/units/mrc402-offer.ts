import { BOB, PRINT, TOMORROW } from "../../description/examples.ts";
import { signedOperation } from "../../description/operation.ts";
import { quantity } from "../../description/parameters/amounts.ts";
import { address, recordId } from "../../description/parameters/ids.ts";
import { offerResult } from "../../description/results.ts";
import { itemGuardsExample } from "../items/item-data.ts";
import { offerTerms, refuseOfferTotal } from "../offer.ts";

/** Source: offers §2. */
export const mrc402Offer = signedOperation({
  name: "mrc402offer",
  title: "Make an offer for units",
  route: "POST /mrc402/offer",
  about:
    "Offers a price for each unit of a number of units. The price of all of them leaves the buyer's balance and is held until holders accept, the buyer withdraws or the offer ends. maxmeltfee, maxsellfee and transferable guard against other terms of the item at that time.",
  parameters: {
    buyer: address(),
    id: recordId("a multi-unit item"),
    amount: quantity({ zero: "1107" }),
    ...offerTerms,
  },
  example: {
    buyer: BOB,
    id: PRINT,
    amount: "4",
    price: "25",
    token: "0",
    end: `${TOMORROW}`,
    ...itemGuardsExample,
  },
  actor: "buyer",
  signed: [],
  fullOnly: true,
  check: refuseOfferTotal,
  refusals: ["6004", "3090", "4001", "7110", "7109", "7125", "5000"],
  result: offerResult("UnitOfferMade", "402"),
});
