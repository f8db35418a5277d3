import { type Amount, mrc010Reqsell, paymentFor } from "@moneta/protocol";
import { refuseUnaffordable } from "../../market/balances.ts";
import { platformFee, platformOf } from "../../market/platform.ts";
import { type RuledOperation, ruleOf } from "../rule.ts";
import { list, lister } from "./token-listing.ts";

/** Payment and commission are in escrow until a sale. Source: tokens §9. */
export const mrc010ReqsellRule: RuledOperation = ruleOf(mrc010Reqsell, {
  actor: lister,

  apply(state, values, { operation }) {
    const { address, token, amount, price, min_trade_unit } = values;
    const unit = BigInt(min_trade_unit) as Amount;
    const payment = paymentFor(amount, price, unit);
    const escrow = (payment + platformFee(platformOf(values), payment)) as Amount;
    const poor = refuseUnaffordable(state, { address, token, amount: escrow });
    if (poor !== undefined) {
      return poor;
    }

    state.balances.debit(address, token, escrow);
    const terms = {
      side: "buy",
      buyer: address,
      buy_price: price,
      buy_token: token,
      buy_price_total: escrow,
    } as const;
    return list("reqsell", state, values, { unit, terms, operation });
  },
});
