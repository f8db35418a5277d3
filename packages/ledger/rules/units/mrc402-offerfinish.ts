import { mrc402Offerfinish, Refused } from "@moneta/protocol";
import { offerNamed, refuseClosing, returnOffer } from "../../market/offers.ts";
import { BY_NOBODY } from "../../records/record.ts";
import { UNIT_OFFER } from "../../state/offer-entry.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";

/** Closes an offer that has ended. Source: offers §5. */
export const mrc402OfferfinishRule: RuledOperation = ruleOf(mrc402Offerfinish, {
  actor(state, { offerid }) {
    const offer = offerNamed(state, UNIT_OFFER, offerid);
    return offer instanceof Refused ? offer : acting("", offer);
  },

  apply: (state, _values, { found: offer }) =>
    refuseClosing(offer, state.time) ??
    returnOffer(state, UNIT_OFFER, offer, {
      ...{ as: "ended", type: "mrc402offerfinish", by: BY_NOBODY },
    }),
});
