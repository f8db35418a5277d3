import { isProjectId, mrc401Acceptoffer, ONE, Refused, refuse, ZERO } from "@moneta/protocol";
import { refuseHolderChange } from "../../market/holder-change.ts";
import {
  putOffer,
  refuseClosedOffer,
  refuseEndedOffer,
  refuseLess,
  refuseOwnOffer,
} from "../../market/offers.ts";
import { paymentsText } from "../../market/payments.ts";
import { settle } from "../../market/settlement.ts";
import { done, effect, effectOnEntry, record } from "../../records/record.ts";
import { named } from "../../state/entries.ts";
import { ITEM, type Item } from "../../state/item-entry.ts";
import { ITEM_OFFER, type ItemOffer } from "../../state/offer-entry.ts";
import { mustExist } from "../existence.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";
import { itemGoods } from "./goods.ts";
import { putItem, refuseStranger } from "./item.ts";
import { putOnSale, refuseBound, refusePhase, takenOff } from "./item-life.ts";
import { refuseOtherTerms } from "./terms.ts";

/** Source: offers §3. */
export const mrc401AcceptofferRule: RuledOperation = ruleOf(mrc401Acceptoffer, {
  actor(state, { offerid, mrc401id, seller }) {
    const offer = named(state, ITEM_OFFER, offerid, "offerid");
    if (offer instanceof Refused) {
      return offer;
    }
    if (mrc401id === "" && isProjectId(offer.id)) {
      return refuse({ code: "1000", parameter: "mrc401id" });
    }
    const item = named(state, ITEM, mrc401id || offer.id, "mrc401id");
    return item instanceof Refused
      ? item
      : acting(mustExist(state, "seller", seller) ?? seller, { offer, item });
  },

  apply(state, { seller, atleast, tkey, signature }, { found: { offer, item } }) {
    const { offerid, buyer, price, token } = offer;
    // An acceptance is a sale at the price of the offer.
    const sale = putOnSale(takenOff(item), {
      ...{ price, token, time: state.time, sell_start: 0, sell_end: 0 },
    });
    const refused =
      refuseStranger(item, seller, "seller") ??
      refuseClosedOffer(offer) ??
      refuseOwnOffer(offer, seller) ??
      refuseOther(offer, item) ??
      refusePhase("accept", item, "mrc401id") ??
      refuseLess(price, itemGoods.sharesOf(state, sale), atleast) ??
      refuseOtherTerms(item, offer, "offerid") ??
      refuseBound("accept", item, "mrc401id") ??
      refuseHolderChange(state, item, {
        ...{ way: "offer", from: seller, to: buyer, units: 1n, at: state.time, token },
        ...{ prices: [{ amount: price, parameter: "offerid" }], parameter: "mrc401id" },
      }) ??
      refuseEndedOffer(offer, state.time);
    if (refused !== undefined) {
      return refused;
    }

    const by = { signature, tkey };
    const deal = { taker: buyer, amount: ONE, payment: price, way: "sale", by } as const;
    const { lot, movements, effects } = settle(itemGoods, state, sale, { ...deal, from: offerid });
    const accepted: ItemOffer = {
      ...{ ...offer, state: "accepted", held: ZERO, close_date: state.time },
      ...{ mrc401: item.id, seller },
    };
    putOffer(state, ITEM_OFFER, accepted);
    const payments = paymentsText(movements);
    const values = { offerid, seller, buyer, item: item.id, payments, ...by };
    const sold = { seller, offerid, payment: price, token, item: item.id, ...by };
    return done(state, record("transfer_mrc401acceptoffer", sold, { token }), [
      effect("receive_mrc401acceptoffer", { ...sold, buyer }),
      ...effects,
      putItem(state, lot, "mrc401_acceptoffer", values),
      effectOnEntry("mrc401_acceptoffer", values, ITEM_OFFER, accepted),
    ]);
  },
});

/**
 * Refused with 3004. Items created or grouped at the time of an offer for a project, or later, do
 * not count: the owner could create worthless ones and accept. Source: offers §3.
 */
function refuseOther({ id, groupid, createdate }: ItemOffer, item: Item): Refused | undefined {
  const other = (reason: string): Refused =>
    refuse({ code: "3004", parameter: "mrc401id", reason: `names ${item.id}, ${reason}` });
  if (id === item.id) {
    return undefined;
  }
  if (id !== item.mrc400 || (groupid !== "" && groupid !== item.groupid)) {
    return other(`but the offer is for ${groupid === "" ? id : `group ${groupid} of ${id}`}`);
  }
  const since = groupid === "" ? item.createdate : Math.max(item.createdate, item.groupedSince);
  return since < createdate
    ? undefined
    : other(`which is there since ${since}, not before the offer of ${createdate}`);
}
