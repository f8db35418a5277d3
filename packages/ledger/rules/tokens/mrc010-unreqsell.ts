import { mrc010Unreqsell, Refused } from "@moneta/protocol";
import { type RuledOperation, ruleOf } from "../rule.ts";
import { cancel, canceller, ifOpen } from "./token-listing.ts";

/** Source: tokens §10. */
export const mrc010UnreqsellRule: RuledOperation = ruleOf(mrc010Unreqsell, {
  actor: canceller,

  apply(state, values, { found }) {
    const request = ifOpen(found, "buy");
    if (request instanceof Refused) {
      return request;
    }
    const { buy_token: payToken, buy_price_total: amount, remain_amount: units } = request;
    // The price in its records is the whole returned amount.
    const escrow = { token: payToken, amount };
    return cancel("unreqsell", state, request, { escrow, units, price: amount, by: values });
  },
});
