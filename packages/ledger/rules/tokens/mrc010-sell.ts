import { type Amount, mrc010Sell, PLATFORM_FIELDS } from "@moneta/protocol";
import { refuseUnaffordable } from "../../market/balances.ts";
import { done, type Rule, record, ruleOf, sent, signatureOf } from "../rule.ts";
import { lister, newListing, putListing } from "./token-listing.ts";

/** Offers units of a token for sale; they are held until they are sold. Source: tokens §9. */
export const mrc010SellRule: Rule<typeof mrc010Sell.parameters> = ruleOf(mrc010Sell, {
  actor: lister,

  apply(state, values, operation) {
    const { address, mrc010id: token, amount, price, min_trade_unit } = values;
    const poor = refuseUnaffordable(state, { address, token, amount });
    if (poor !== undefined) {
      return poor;
    }

    // Nothing below can fail.
    state.debit(address, token, amount);
    const unit = BigInt(min_trade_unit) as Amount;
    const listing = {
      ...newListing(state, values, unit, "mrc010_sell"),
      side: "sell" as const,
      price,
    };
    const parameters = [
      listing.id,
      ...sent(operation, "address", "amount", "mrc010id", "price", "token", ...PLATFORM_FIELDS),
      ...sent(operation, "min_trade_unit"),
      signatureOf(operation),
      ...sent(operation, "tkey"),
    ];
    const listed = putListing(state, listing, parameters);
    return done(state, record("mrc010sell", address, token, parameters), [listed]);
  },
});
