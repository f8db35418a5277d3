import { mrc402Buy, ONE, paymentFor, Refused } from "@moneta/protocol";
import { buy } from "../../market/buy.ts";
import { refuseHolderChange } from "../../market/holder-change.ts";
import {
  refuseMoreThanRemains,
  refuseOutsideWindow,
  refuseUnexpected,
} from "../../market/listing.ts";
import { refuseOtherTerms } from "../items/terms.ts";
import { type RuledOperation, ruleOf } from "../rule.ts";
import { unitGoods } from "./goods.ts";
import { listingFor, unitTaker } from "./takers.ts";
import { refuseBoundUnits } from "./unit-item.ts";

/** Source: mrc402 §13. */
export const mrc402BuyRule: RuledOperation = ruleOf(mrc402Buy, {
  actor: unitTaker,

  apply(state, values, { actor: buyer, found: item }) {
    const { id, amount = ONE } = values;
    const offer = listingFor(state, { id, taker: buyer, side: "sell" });
    if (offer instanceof Refused) {
      return offer;
    }
    const { sell_token: token, sell_price: price } = offer;
    const payment = paymentFor(amount, price, ONE);
    return (
      refuseOtherTerms(item, values) ??
      refuseBoundUnits(item, "id") ??
      refuseUnexpected({ price, token }, values) ??
      refuseHolderChange(state, item, {
        ...{ way: "purchase", from: offer.seller, to: buyer, units: amount, at: state.time },
        ...{ prices: [{ amount: price, parameter: "id" }], token, parameter: "id" },
      }) ??
      refuseOutsideWindow(offer, state.time, "id") ??
      refuseMoreThanRemains(offer, amount) ??
      buy(unitGoods, state, offer, { buyer, amount, payment, by: values })
    );
  },
});
