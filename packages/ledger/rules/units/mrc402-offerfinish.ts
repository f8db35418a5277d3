import { mrc402Offerfinish } from "@moneta/protocol";
import { UNIT_OFFER } from "../../state/offer-entry.ts";
import { closingOf } from "../offer-endings.ts";
import { type RuledOperation, ruleOf } from "../rule.ts";

/** Source: offers §5. */
export const mrc402OfferfinishRule: RuledOperation = ruleOf(
  mrc402Offerfinish,
  closingOf(UNIT_OFFER, "mrc402offerfinish"),
);
