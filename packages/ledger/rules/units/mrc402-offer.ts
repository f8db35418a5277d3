import { mrc402Offer, ONE, paymentFor } from "@moneta/protocol";
import { makeOffer, refuseNewOffer } from "../../market/offers.ts";
import { named } from "../../state/entries.ts";
import { derivedId } from "../../state/ids/derived-id.ts";
import { UNIT_OFFER, type UnitOffer } from "../../state/offer-entry.ts";
import { UNIT_ITEM } from "../../state/units/unit-item-entry.ts";
import { mustExist, tokenMustExist } from "../existence.ts";
import { guardsOfOffer } from "../items/terms.ts";
import { actingOn, type RuledOperation, ruleOf } from "../rule.ts";
import { refuseTokenOf } from "./asks.ts";
import { refuseBoundUnits, refuseEnded } from "./unit-item.ts";

/** Source: offers §2. */
export const mrc402OfferRule: RuledOperation = ruleOf(mrc402Offer, {
  actor: (state, { id, buyer, token }) =>
    actingOn(
      named(state, UNIT_ITEM, id, "id"),
      (item) =>
        mustExist(state, "buyer", buyer) ??
        tokenMustExist(state, token) ??
        refuseTokenOf(state, item, token, "token") ??
        buyer,
    ),

  apply(
    state,
    { buyer, id, amount, price, token, end, tkey, signature, ...guards },
    { found: item },
  ) {
    const held = paymentFor(amount, price, ONE);
    const refused =
      refuseEnded(item, "id") ??
      refuseBoundUnits(item, "id") ??
      refuseNewOffer(state, { buyer, token, end, held });
    if (refused !== undefined) {
      return refused;
    }

    const offer: UnitOffer = {
      ...{ offerid: derivedId("OFF402", buyer, tkey), buyer, id, price, token },
      ...guardsOfOffer(guards),
      ...{ amount, remain_amount: amount, held, createdate: state.time, end: Number(end) },
      ...{ state: "open", close_date: 0, order: state.operationNumber },
    };
    const { offerid } = offer;
    const terms = { offerid, buyer, item: id, amount, price, token, end };
    const values = { ...terms, payment: held, signature, tkey };
    return makeOffer(state, UNIT_OFFER, offer, { type: "mrc402offer", values });
  },
});
