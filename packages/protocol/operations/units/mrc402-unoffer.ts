import { BOB, UNIT_OFFER } from "../../description/examples.ts";
import { signedOperation } from "../../description/operation.ts";
import { withdrawal } from "../offer.ts";

/** Source: offers §4. */
export const mrc402Unoffer = signedOperation({
  ...withdrawal,
  name: "mrc402unoffer",
  title: "Withdraw an offer for units",
  route: "POST /mrc402/unoffer/{offerid}",
  about: "Withdraws what is open of an offer; its buyer gets back what it holds.",
  example: { offerid: UNIT_OFFER, buyer: BOB },
});
