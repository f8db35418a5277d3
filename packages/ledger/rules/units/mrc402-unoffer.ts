import { mrc402Unoffer, Refused } from "@moneta/protocol";
import { offerNamed, refuseWithdrawal, returnOffer } from "../../market/offers.ts";
import { UNIT_OFFER } from "../../state/offer-entry.ts";
import { mustExist } from "../existence.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";

/** Withdraws an offer. Source: offers §4. */
export const mrc402UnofferRule: RuledOperation = ruleOf(mrc402Unoffer, {
  actor(state, { offerid, buyer }) {
    const offer = offerNamed(state, UNIT_OFFER, offerid);
    return offer instanceof Refused
      ? offer
      : acting(mustExist(state, "buyer", buyer) ?? buyer, offer);
  },

  apply: (state, values, { found: offer }) =>
    refuseWithdrawal(offer, values.buyer) ??
    returnOffer(state, UNIT_OFFER, offer, { as: "withdrawn", type: "mrc402unoffer", by: values }),
});
