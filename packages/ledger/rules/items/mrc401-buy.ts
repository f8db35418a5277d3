import { type Address, mrc401Buy, Refused } from "@moneta/protocol";
import { refuseUnaffordable } from "../../market/balances.ts";
import { refuseUnexpected } from "../../market/listing.ts";
import { paymentsText } from "../../market/payments.ts";
import { holderOf } from "../../state/item-entry.ts";
import { done, type Rule, record, ruleOf } from "../rule.ts";
import { itemActor } from "./item-actor.ts";
import { refuseAct, saleOf, tradedTo } from "./item-life.ts";
import { itemNamed, moneyParameters, payHolder, putItem, refuseHolder } from "./project-item.ts";

/** Buys an item that is on sale. Source: mrc401 §12. */
export const mrc401BuyRule: Rule<typeof mrc401Buy.parameters> = ruleOf(mrc401Buy, {
  actor: (state, { mrc401id, buyer }, keyHolder) =>
    itemActor(state, mrc401id, { buyer }, keyHolder),

  apply(state, values, operation) {
    const { mrc401id, tkey, signature } = values;
    const buyer = operation.actor as Address;
    const item = itemNamed(state, mrc401id);
    if (item instanceof Refused) {
      return item;
    }
    const unsuitable =
      refuseHolder(item, buyer, "buyer") ??
      refuseAct("buy", item, "mrc401id") ??
      refuseUnexpected(saleOf(item), values);
    if (unsuitable !== undefined) {
      return unsuitable;
    }
    const { price: amount, token, listingFee: rate } = saleOf(item);
    const poor = refuseUnaffordable(state, { address: buyer, token, amount });
    if (poor !== undefined) {
      return poor;
    }

    // Nothing below can fail.
    const holder = holderOf(item);
    const by = { signature, tkey };
    state.debit(buyer, token, amount);
    const sale = payHolder(state, item, { amount, token, rate, kind: "sale", payer: buyer, by });
    const payments = paymentsText([
      { type: "mrc401_buy", from: buyer, to: mrc401id, amount, token },
      ...sale.movements,
    ]);
    const trade = { date: state.time, amount, token, type: "Sell" as const };
    const bought = putItem(state, tradedTo(item, buyer, trade), "mrc401_buy", [
      mrc401id,
      holder,
      buyer,
      payments,
      signature,
      tkey,
    ]);
    const paid = moneyParameters(mrc401id, { from: buyer, to: mrc401id, amount, token }, by);
    return done(state, record("transfer_mrc401buy", buyer, token, paid), [...sale.effects, bought]);
  },
});
