import { type Amount, mrc402Acceptoffer, ONE, paymentFor, Refused, ZERO } from "@moneta/protocol";
import { refuseHolderChange } from "../../market/holder-change.ts";
import { refuseMoreThanRemains } from "../../market/listing.ts";
import {
  putOffer,
  refuseClosedOffer,
  refuseEndedOffer,
  refuseLess,
  refuseOwnOffer,
} from "../../market/offers.ts";
import { paymentsText } from "../../market/payments.ts";
import { platformOf } from "../../market/platform.ts";
import { settle } from "../../market/settlement.ts";
import { done, effect, effectOnEntry, record } from "../../records/record.ts";
import { named } from "../../state/entries.ts";
import { UNIT_OFFER, type UnitOffer } from "../../state/offer-entry.ts";
import { UNIT_ITEM } from "../../state/units/unit-item-entry.ts";
import { mustExist } from "../existence.ts";
import { refuseOtherTerms } from "../items/terms.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";
import { unitGoods } from "./goods.ts";
import { listUnits, sharesOf } from "./listing.ts";
import {
  putUnitItem,
  refuseBoundUnits,
  refuseEnded,
  refuseListedUnits,
  refuseMissingUnits,
  refuseNoHolder,
} from "./unit-item.ts";

/** Sells units to the buyer of an offer. Source: offers §3. */
export const mrc402AcceptofferRule: RuledOperation = ruleOf(mrc402Acceptoffer, {
  actor(state, { offerid, seller }) {
    const offer = named(state, UNIT_OFFER, offerid, "offerid");
    if (offer instanceof Refused) {
      return offer;
    }
    const item = named(state, UNIT_ITEM, offer.id, "offerid");
    return item instanceof Refused
      ? item
      : acting(mustExist(state, "seller", seller) ?? seller, { offer, item });
  },

  apply(state, { seller, amount, atleast, tkey, signature }, { found: { offer, item } }) {
    const { offerid, buyer, price, token } = offer;
    const payment = paymentFor(amount, price, ONE);
    const platform = platformOf(item);
    const units = { address: seller, amount, parameter: "amount" };
    const refused =
      refuseNoHolder(state, item, seller) ??
      refuseClosedOffer(offer) ??
      refuseOwnOffer(offer, seller) ??
      refuseEnded(item, "offerid") ??
      refuseListedUnits(state, item, units) ??
      refuseLess(payment, sharesOf(item, { sell_fee: item.sell_fee, ...platform }), atleast) ??
      refuseOtherTerms(item, offer, "offerid") ??
      refuseBoundUnits(item, "offerid") ??
      refuseHolderChange(state, item, {
        ...{ way: "offer", from: seller, to: buyer, units: amount, at: state.time, token },
        ...{ prices: [{ amount: price, parameter: "offerid" }], parameter: "offerid" },
      }) ??
      refuseEndedOffer(offer, state.time) ??
      refuseMoreThanRemains(offer, amount) ??
      refuseMissingUnits(state, item, units);
    if (refused !== undefined) {
      return refused;
    }

    const by = { signature, tkey };
    // Units are listed and sold at once, at the offer's price.
    const { listing, item: listed } = listUnits(state, item, {
      ...platform,
      ...{ dexid: offerid, seller, agent: "", amount, sell_token: token, index: 0 },
      terms: { side: "sell", sell_price: price, sell_start: 0, sell_end: 0 },
      job_type: "mrc402_acceptoffer",
    });
    state.put(UNIT_ITEM, listed);
    const deal = { taker: buyer, amount, payment, way: "sale", by } as const;
    const { movements, effects } = settle(unitGoods, state, listing, deal);
    const remaining = (offer.remain_amount - amount) as Amount;
    const bought: UnitOffer = {
      ...offer,
      remain_amount: remaining,
      held: (offer.held - payment) as Amount,
      ...(remaining === ZERO ? { state: "accepted", close_date: state.time } : {}),
    };
    putOffer(state, UNIT_OFFER, bought);
    const payments = paymentsText(movements);
    const values = { offerid, seller, buyer, item: item.id, amount, payments, ...by };
    const sold = { seller, offerid, payment, token, amount, item: item.id, ...by };
    const after = state.find(UNIT_ITEM, item.id) ?? item;
    return done(state, record("transfer_mrc402acceptoffer", sold, { token }), [
      effect("receive_mrc402acceptoffer", { ...sold, buyer }),
      ...effects,
      putUnitItem(state, after, "mrc402_acceptoffer", values),
      effectOnEntry("mrc402_acceptoffer", values, UNIT_OFFER, bought),
    ]);
  },
});
