import {
  type Amount,
  mrc040Create,
  orderCost,
  orderTotal,
  Refused,
  refuse,
  ZERO,
} from "@moneta/protocol";
import { refuseUnaffordable } from "../../market/balances.ts";
import { done, effectOnEntry, record, sent, signatureOf } from "../../records/record.ts";
import { derivedId } from "../../state/ids/derived-id.ts";
import { heldToken, ORDER, type Order } from "../../state/order-entry.ts";
import { ordersHolding, putOrder } from "../../state/orders.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";
import { refuseClosedPair } from "../tokens/pair.ts";
import { type Match, match, type Taker, trade } from "./matching.ts";
import { debitMoved } from "./moved.ts";
import { debitTaker, pairOf, takerOf, targetOf } from "./order.ts";

/** Open orders of one address that hold the same token. Source: protocols §9.8. */
const OPEN_ORDERS_MAX = 1000;

/** Trades at once as far as possible, and stays open for the rest. Source: protocols §10. */
export const mrc040CreateRule: RuledOperation = ruleOf(mrc040Create, {
  actor(state, values) {
    const target = targetOf(state, values, { parameter: "owner", address: values.owner });
    if (target instanceof Refused) {
      return target;
    }
    const total = orderTotal(values, target.decimal);
    return total instanceof Refused ? total : acting(values.owner, { target, total });
  },

  apply(state, values, { actor: owner, found, operation }) {
    const taker = takerOf(values, owner, found.target);
    const closed = refuseClosedPair(state, taker);
    if (closed !== undefined) {
      return closed;
    }
    const token = heldToken(taker);
    if (ordersHolding(state, owner, token) >= OPEN_ORDERS_MAX) {
      const reason = `is ${owner}, which has ${OPEN_ORDERS_MAX} open orders that hold token ${token}, the most there may be: cancel one`;
      return refuse({ code: "7116", parameter: "owner", reason });
    }
    const matched = match(state, taker);
    if (matched instanceof Refused) {
      return matched;
    }
    const needed = taker.side === "SELL" ? taker.quantity : found.total;
    const poor = refuseUnaffordable(state, { address: owner, token, amount: needed });
    if (poor !== undefined) {
      return poor;
    }

    const order = orderAfter(taker, matched, {
      id: derivedId("MRC040", owner, values.tkey),
      total: found.total,
      time: state.time,
      number: state.operationNumber,
    });
    debitTaker(state, taker, matched);
    debitMoved(state, owner, token, order.held);
    const trades = trade(state, taker, matched.trades, values);
    putOrder(state, order);
    const ordered = {
      ...sent(operation, "owner", "side", "price", "qtt"),
      ...pairOf(operation),
      ...{ order: order.mrc040id, signature: signatureOf(operation), tkey: values.tkey },
    };
    const primary = record("stodexRegister", ordered, { token: taker.targettoken });
    const registered = effectOnEntry("stodexRegister", ordered, ORDER, order);
    return done(state, primary, [...trades, registered], { isOfOrders: true });
  },
});

function orderAfter(
  taker: Taker,
  { quantity: traded, isStopped }: Match,
  {
    id,
    total,
    time,
    number,
  }: {
    readonly id: string;
    readonly total: Amount;
    readonly time: number;
    readonly number: number;
  },
): Order {
  const {
    address: owner,
    side,
    basetoken: base,
    targettoken: target,
    price,
    quantity,
    decimal,
  } = taker;
  const remaining = (quantity - traded) as Amount;
  const isComplete = remaining === ZERO;
  const isCancelled = !isComplete && isStopped;
  const rest = side === "SELL" ? remaining : total - orderCost(taker, traded, decimal);
  const status = traded === ZERO ? "WAIT" : "TRADING";
  return {
    ...{
      mrc040id: id,
      owner,
      side,
      basetoken: base,
      targettoken: target,
      price,
      qtt: quantity,
      remainqtt: remaining,
    },
    status: isComplete ? "COMPLETE" : isCancelled ? "CANCEL" : status,
    held: (isComplete || isCancelled ? ZERO : rest) as Amount,
    regdate: time,
    complete_date: isComplete ? time : 0,
    cancel_date: isCancelled ? time : 0,
    job_type: "stodexRegister",
    order: number,
  };
}
