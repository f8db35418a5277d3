import { UNIT_OFFER } from "../../description/examples.ts";
import { unsignedOperation } from "../../description/operation.ts";
import { closing } from "../offer.ts";

/** Source: offers §5. */
export const mrc402Offerfinish = unsignedOperation({
  ...closing,
  name: "mrc402offerfinish",
  title: "Close an offer for units",
  route: "POST /mrc402/offerfinish/{offerid}",
  about:
    "Closes an offer that has ended: its buyer gets back what it holds. Anybody can call it; a node does so within seconds.",
  example: { offerid: UNIT_OFFER },
});
