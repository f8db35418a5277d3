import { mrc402Buy, ONE, paymentFor, Refused, refuse } from "@moneta/protocol";
import { buy } from "../../market/buy.ts";
import { refuseUnexpected } from "../../market/listing.ts";
import { type RuledOperation, ruleOf } from "../rule.ts";
import { unitGoods } from "./goods.ts";
import { listingFor, unitTaker } from "./takers.ts";
import { refuseBoundUnits } from "./unit-item.ts";

/** Buys units from an offer. Source: mrc402 §13. */
export const mrc402BuyRule: RuledOperation = ruleOf(mrc402Buy, {
  actor: unitTaker,

  apply(state, values, { actor: buyer, found: item }) {
    const { id, amount = ONE } = values;
    const offer = listingFor(state, { id, taker: buyer, side: "sell" });
    if (offer instanceof Refused) {
      return offer;
    }
    const { payToken: token, price, remaining } = offer;
    const payment = paymentFor(amount, price, ONE);
    const reason = `is ${amount} but only ${remaining} remain`;
    return (
      refuseBoundUnits(item, "id") ??
      refuseUnexpected({ price, token }, values) ??
      (amount > remaining ? refuse({ code: "3004", parameter: "amount", reason }) : undefined) ??
      buy(unitGoods, state, offer, { buyer, amount, payment, by: values })
    );
  },
});
