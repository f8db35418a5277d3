import { type Amount, mrc010Reqsell, PLATFORM_FIELDS, paymentFor } from "@moneta/protocol";
import { refuseUnaffordable } from "../../market/balances.ts";
import { platformFee, platformOf } from "../../market/platform.ts";
import { done, type Rule, record, ruleOf, sent, signatureOf } from "../rule.ts";
import { lister, newListing, putListing } from "./token-listing.ts";

/** Asks for units of a token; payment and commission are held until somebody sells. Source: tokens §9. */
export const mrc010ReqsellRule: Rule<typeof mrc010Reqsell.parameters> = ruleOf(mrc010Reqsell, {
  actor: lister,

  apply(state, values, operation) {
    const { address, token, amount, price, min_trade_unit } = values;
    const unit = BigInt(min_trade_unit) as Amount;
    const payment = paymentFor(amount, price, unit);
    const escrow = (payment + platformFee(platformOf(values), payment)) as Amount;
    const poor = refuseUnaffordable(state, { address, token, amount: escrow });
    if (poor !== undefined) {
      return poor;
    }

    // Nothing below can fail.
    state.debit(address, token, escrow);
    const terms = newListing(state, values, unit, "mrc010_reqsell");
    const listing = { ...terms, side: "buy" as const, price, escrow };
    const parameters = [
      listing.id,
      ...sent(operation, "address", "amount", "mrc010id", "price", "token", ...PLATFORM_FIELDS),
      ...sent(operation, "min_trade_unit"),
      signatureOf(operation),
      ...sent(operation, "tkey"),
    ];
    const listed = putListing(state, listing, parameters);
    return done(state, record("mrc010reqsell", address, values.mrc010id, parameters), [listed]);
  },
});
