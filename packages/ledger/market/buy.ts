import type { Address, Amount, Refused, TransactionRecord } from "@moneta/protocol";
import { done, type Signed } from "../records/record.ts";
import type { Auction } from "../state/auction.ts";
import type { State } from "../state/state.ts";
import { refuseUnaffordable } from "./balances.ts";
import type { Goods } from "./goods.ts";
import { paymentsText } from "./payments.ts";
import { settle } from "./settlement.ts";

/** Refused with 5000 if the buyer cannot pay. Source: market §2.4. */
export function buy<Lot extends Auction>(
  goods: Goods<Lot>,
  state: State,
  offer: Lot,
  {
    buyer,
    amount,
    payment,
    by,
  }: {
    readonly buyer: Address;
    readonly amount: Amount;
    readonly payment: Amount;
    readonly by: Signed;
  },
): TransactionRecord | Refused {
  const { kind } = goods;
  const { id, payToken: token } = goods.termsOf(offer);
  const poor = refuseUnaffordable(state, { address: buyer, token, amount: payment });
  if (poor !== undefined) {
    return poor;
  }

  state.balances.debit(buyer, token, payment);
  const sale = settle(goods, state, offer, { taker: buyer, amount, payment, way: "sale", by });
  const payments = paymentsText([
    { type: `${kind}_buy`, from: buyer, to: id, amount: payment, token },
    ...sale.movements,
  ]);
  const trade = { is: "buy", taker: buyer, payments, by } as const;
  const listed = goods.putTraded(state, { before: offer, after: sale.lot }, trade);
  const primary = goods.paid(offer, "buy", buyer, { paid: payment, units: amount }, by);
  return done(state, primary, [...sale.effects, listed]);
}
