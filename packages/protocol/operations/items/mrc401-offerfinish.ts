import { OFFER } from "../../description/examples.ts";
import { unsignedOperation } from "../../description/operation.ts";
import { closing } from "../offer.ts";

/** Source: offers §5. */
export const mrc401Offerfinish = unsignedOperation({
  ...closing,
  name: "mrc401offerfinish",
  title: "Close an offer for an item",
  route: "POST /mrc401/offerfinish/{offerid}",
  about:
    "Closes an offer that has ended: its buyer gets back what it holds. Anybody can call it; a node does so within seconds.",
  example: { offerid: OFFER },
});
