import { mrc010Buy, paymentFor, Refused } from "@moneta/protocol";
import { buy } from "../../market/buy.ts";
import { refuseOutsideWindow } from "../../market/listing.ts";
import { type RuledOperation, ruleOf } from "../rule.ts";
import { tokenGoods } from "./goods.ts";
import { ifOpenTo, refuseQuantity, taker } from "./token-listing.ts";

/** Source: tokens §11. */
export const mrc010BuyRule: RuledOperation = ruleOf(mrc010Buy, {
  actor: taker,

  apply(state, values, { actor: buyer, found }) {
    const offer = ifOpenTo(buyer, found, "sell");
    if (offer instanceof Refused) {
      return offer;
    }
    const { amount } = values;
    const payment = paymentFor(amount, offer.sell_price, offer.min_trade_unit);
    return (
      refuseOutsideWindow(offer, state.time, "dexid") ??
      refuseQuantity(offer, amount) ??
      buy(tokenGoods, state, offer, { buyer, amount, payment, by: values })
    );
  },
});
