import { mrc401Unoffer, Refused } from "@moneta/protocol";
import { offerNamed, refuseWithdrawal, returnOffer } from "../../market/offers.ts";
import { ITEM_OFFER } from "../../state/offer-entry.ts";
import { mustExist } from "../existence.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";

/** Withdraws an offer. Source: offers §4. */
export const mrc401UnofferRule: RuledOperation = ruleOf(mrc401Unoffer, {
  actor(state, { offerid, buyer }) {
    const offer = offerNamed(state, ITEM_OFFER, offerid);
    return offer instanceof Refused
      ? offer
      : acting(mustExist(state, "buyer", buyer) ?? buyer, offer);
  },

  apply: (state, values, { found: offer }) =>
    refuseWithdrawal(offer, values.buyer) ??
    returnOffer(state, ITEM_OFFER, offer, { as: "withdrawn", type: "mrc401unoffer", by: values }),
});
