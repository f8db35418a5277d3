import { mrc010Unsell, Refused } from "@moneta/protocol";
import { type RuledOperation, ruleOf } from "../rule.ts";
import { cancel, canceller, ifOpen } from "./token-listing.ts";

/** Source: tokens §10. */
export const mrc010UnsellRule: RuledOperation = ruleOf(mrc010Unsell, {
  actor: canceller,

  apply(state, values, { found }) {
    const offer = ifOpen(found, "sell");
    if (offer instanceof Refused) {
      return offer;
    }
    const { mrc010: token, remain_amount: remaining, sell_price: price } = offer;
    const escrow = { token, amount: remaining };
    return cancel("unsell", state, offer, { escrow, units: remaining, price, by: values });
  },
});
