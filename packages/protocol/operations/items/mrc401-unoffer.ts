import { BOB, OFFER } from "../../description/examples.ts";
import { signedOperation } from "../../description/operation.ts";
import { withdrawal } from "../offer.ts";

/** Source: offers §4. */
export const mrc401Unoffer = signedOperation({
  ...withdrawal,
  name: "mrc401unoffer",
  title: "Withdraw an offer for an item",
  route: "POST /mrc401/unoffer/{offerid}",
  about: "Withdraws an open offer; its buyer gets back what it holds.",
  example: { offerid: OFFER, buyer: BOB },
});
