import { mrc401Offer, refuse } from "@moneta/protocol";
import { makeOffer, refuseNewOffer } from "../../market/offers.ts";
import { derivedId } from "../../state/ids/derived-id.ts";
import { ITEM } from "../../state/item-entry.ts";
import { ITEM_OFFER, type ItemOffer } from "../../state/offer-entry.ts";
import { PROJECT } from "../../state/project-entry.ts";
import { mustExist, tokenMustExist } from "../existence.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";
import { projectOf, refuseForeignToken, refuseHolder } from "./item.ts";
import { refuseAct } from "./item-life.ts";
import { guardsOfOffer } from "./terms.ts";

/** Offers to buy an item, or any item of a project or group. Source: offers §2. */
export const mrc401OfferRule: RuledOperation = ruleOf(mrc401Offer, {
  actor(state, { id, buyer, token }) {
    const item = state.find(ITEM, id);
    const project = item === undefined ? state.find(PROJECT, id) : projectOf(state, item);
    const actor =
      project === undefined
        ? refuse({ code: "6004", what: "an item or a project", parameter: "id", given: id })
        : (mustExist(state, "buyer", buyer) ??
          tokenMustExist(state, token) ??
          refuseForeignToken(project.allow_token, token, "token", item) ??
          buyer);
    return acting(actor, item);
  },

  apply(
    state,
    { buyer, id, groupid, price, token, end, tkey, signature, ...guards },
    { found: item },
  ) {
    const refused =
      (item === undefined
        ? undefined
        : (refuseHolder(item, buyer, "buyer") ?? refuseAct("offer", item, "id"))) ??
      refuseNewOffer(state, { buyer, token, end, held: price });
    if (refused !== undefined) {
      return refused;
    }

    const offer: ItemOffer = {
      ...{ offerid: derivedId("OFF401", buyer, tkey), buyer, id, groupid, price, token },
      ...guardsOfOffer(guards),
      ...{ held: price, createdate: state.time, end: Number(end), state: "open", close_date: 0 },
      ...{ mrc401: "", seller: "", order: state.operationNumber },
    };
    const { offerid } = offer;
    const values = { offerid, buyer, item: id, groupid, price, token, end, signature, tkey };
    return makeOffer(state, ITEM_OFFER, offer, { type: "mrc401offer", values });
  },
});
