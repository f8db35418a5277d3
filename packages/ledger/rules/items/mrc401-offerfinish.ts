import { mrc401Offerfinish } from "@moneta/protocol";
import { ITEM_OFFER } from "../../state/offer-entry.ts";
import { closingOf } from "../offer-endings.ts";
import { type RuledOperation, ruleOf } from "../rule.ts";

/** Source: offers §5. */
export const mrc401OfferfinishRule: RuledOperation = ruleOf(
  mrc401Offerfinish,
  closingOf(ITEM_OFFER, "mrc401offerfinish"),
);
