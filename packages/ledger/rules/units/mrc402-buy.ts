import { type Address, mrc402Buy, ONE, paymentFor, Refused, refuse } from "@moneta/protocol";
import { refuseUnaffordable } from "../../market/balances.ts";
import { refuseUnexpected } from "../../market/listing.ts";
import { paymentsText } from "../../market/payments.ts";
import { done, type Rule, record, ruleOf } from "../rule.ts";
import { refuseBoundUnits } from "./unit-item.ts";
import { itemOf, trade, unitExpense, unitListingRecord } from "./unit-listing.ts";
import { listingFor, unitTaker } from "./unit-takers.ts";

/** Buys units from an offer. Source: mrc402 §13. */
export const mrc402BuyRule: Rule<typeof mrc402Buy.parameters> = ruleOf(mrc402Buy, {
  actor: unitTaker,

  apply(state, values, operation) {
    const { id, tkey, signature } = values;
    const buyer = operation.actor as Address;
    const amount = values.amount ?? ONE;
    const offer = listingFor(state, { id, taker: buyer, side: "sell" });
    if (offer instanceof Refused) {
      return offer;
    }
    const { payToken: token, price, remaining } = offer;
    const payment = paymentFor(amount, price, ONE);
    const reason = `is ${amount} but only ${remaining} remain`;
    const refused =
      refuseBoundUnits(itemOf(state, offer), "id") ??
      refuseUnexpected({ price, token }, values) ??
      (amount > remaining ? refuse({ code: "3004", parameter: "amount", reason }) : undefined) ??
      refuseUnaffordable(state, { address: buyer, token, amount: payment });
    if (refused !== undefined) {
      return refused;
    }

    // Nothing below can fail.
    const by = { signature, tkey };
    state.debit(buyer, token, payment);
    const sale = trade(state, offer, { buyer, amount, payment, by, recordType: "mrc402_buy" });
    const payments = paymentsText([
      { type: "mrc402_buy", from: buyer, to: offer.id, amount: payment, token },
      { type: "mrc402_recv_item", from: offer.id, to: buyer, amount, units: offer.item },
      ...sale.movements,
    ]);
    const parameters = [offer.id, offer.seller, buyer, payments, offer.item];
    const paid = unitExpense(offer, buyer, { paid: payment, units: String(amount) }, by);
    return done(state, record("transfer_mrc402buy", buyer, token, paid), [
      ...sale.effects,
      unitListingRecord(sale.listing, parameters),
    ]);
  },
});
