import { type Amount, mrc010Sell, Refused } from "@moneta/protocol";
import { refuseUnaffordable } from "../../market/balances.ts";
import { newSaleWindow } from "../../market/listing.ts";
import { type RuledOperation, ruleOf } from "../rule.ts";
import { list, lister } from "./token-listing.ts";

/** The units are in escrow until they are sold. Source: tokens §9. */
export const mrc010SellRule: RuledOperation = ruleOf(mrc010Sell, {
  actor: lister,

  apply(state, values, { operation }) {
    const { address, mrc010id: token, amount, price, min_trade_unit } = values;
    const window = newSaleWindow(values, state.time);
    if (window instanceof Refused) {
      return window;
    }
    const poor = refuseUnaffordable(state, { address, token, amount });
    if (poor !== undefined) {
      return poor;
    }

    state.balances.debit(address, token, amount);
    const unit = BigInt(min_trade_unit) as Amount;
    const terms = {
      side: "sell",
      seller: address,
      sell_price: price,
      sell_token: values.token,
      ...window,
    } as const;
    return list("sell", state, values, { unit, terms, operation });
  },
});
