import { mrc401Offerfinish, Refused } from "@moneta/protocol";
import { offerNamed, refuseClosing, returnOffer } from "../../market/offers.ts";
import { BY_NOBODY } from "../../records/record.ts";
import { ITEM_OFFER } from "../../state/offer-entry.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";

/** Closes an offer that has ended. Source: offers §5. */
export const mrc401OfferfinishRule: RuledOperation = ruleOf(mrc401Offerfinish, {
  actor(state, { offerid }) {
    const offer = offerNamed(state, ITEM_OFFER, offerid);
    return offer instanceof Refused ? offer : acting("", offer);
  },

  apply: (state, _values, { found: offer }) =>
    refuseClosing(offer, state.time) ??
    returnOffer(state, ITEM_OFFER, offer, {
      ...{ as: "ended", type: "mrc401offerfinish", by: BY_NOBODY },
    }),
});
