import { mrc010Buy, paymentFor, Refused } from "@moneta/protocol";
import { refuseUnaffordable } from "../../market/balances.ts";
import { paymentsText } from "../../market/payments.ts";
import { done, type Rule, record, ruleOf } from "../rule.ts";
import {
  expense,
  openListingForTaker,
  paySeller,
  putListing,
  refuseQuantity,
  taker,
  traded,
} from "./token-listing.ts";

/** Buys from an offer of tokens. Source: tokens §11. */
export const mrc010BuyRule: Rule<typeof mrc010Buy.parameters> = ruleOf(mrc010Buy, {
  actor: taker,

  apply(state, { dexid, address: buyer, amount, tkey, signature }) {
    const offer = openListingForTaker(state, { dexid, address: buyer }, "sell");
    if (offer instanceof Refused) {
      return offer;
    }
    const { creator: seller, token, payToken } = offer;
    const payment = paymentFor(amount, offer.price, offer.unit);
    const refused =
      refuseQuantity(offer, amount) ??
      refuseUnaffordable(state, { address: buyer, token: payToken, amount: payment });
    if (refused !== undefined) {
      return refused;
    }

    // Nothing below can fail.
    const by = { signature, tkey };
    state.debit(buyer, payToken, payment);
    const sale = paySeller(state, offer, payment, { kind: "sale", by });
    state.credit(buyer, token, amount);
    const after = traded(offer, buyer, amount, { time: state.time, recordType: "mrc010_buy" });
    const payments = paymentsText([
      { type: "mrc010_buy", from: buyer, to: dexid, amount: payment, token: payToken },
      { type: "mrc010_recv_item", from: dexid, to: buyer, amount, units: token },
      ...sale.movements,
    ]);
    const listing = putListing(state, after, [dexid, seller, buyer, payments, token]);
    const paid = expense(offer, buyer, { paid: payment, units: amount }, by);
    return done(state, record("transfer_mrc010buy", buyer, token, paid), [
      ...sale.effects,
      listing,
    ]);
  },
});
