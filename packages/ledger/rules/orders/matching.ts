import { type Address, type Amount, orderCost, type Refused, refuse, ZERO } from "@moneta/protocol";
import { type EffectDraft, effect, effectOnEntry, type Signed } from "../../records/record.ts";
import { derivedId } from "../../state/ids/derived-id.ts";
import { type BookSide, ORDER, type Order, type OrderSide } from "../../state/order-entry.ts";
import { ordersInLine, putOrder } from "../../state/orders.ts";
import type { State } from "../../state/state.ts";
import { creditMoved } from "./moved.ts";

/** At most, in an operation or a group. Source: protocols §9.6, batches §2.12. */
export const TRADES_MAX = 100;

const READ_AHEAD = [4, 25, TRADES_MAX + 1] as const;

export interface Taker extends BookSide {
  readonly address: Address;
  /** Of one whole target token. */
  readonly price: Amount;
  readonly quantity: Amount;
  readonly decimal: number;
}

/** Units of the target, and their cost in the base. */
export interface OrderTrade {
  readonly order: Order;
  readonly quantity: Amount;
  readonly cost: Amount;
}

export interface Match {
  readonly trades: readonly OrderTrade[];
  readonly quantity: Amount;
  readonly cost: Amount;
  readonly isStopped: boolean;
}

export function opposite(side: OrderSide): OrderSide {
  return side === "SELL" ? "BUY" : "SELL";
}

export function isBeyond(limit: Amount, side: OrderSide, price: bigint): boolean {
  return side === "BUY" ? price > limit : price < limit;
}

/** Changes nothing. Refused with 3004 at an order of the taker's own. Source: protocols §9.6. */
export function match(state: State, taker: Taker): Match | Refused {
  const { address, side, price, decimal } = taker;
  const trades: OrderTrade[] = [];
  let quantity = 0n;
  let cost = 0n;
  const result = (isStopped: boolean): Match => ({
    trades,
    quantity: quantity as Amount,
    cost: cost as Amount,
    isStopped,
  });
  for (const order of lineOf(state, { ...taker, side: opposite(side) })) {
    if (quantity === taker.quantity || isBeyond(price, side, order.price)) {
      break;
    }
    if (order.owner === address) {
      const reason = `is ${price} and meets ${order.mrc040id}, an order of ${address} itself: cancel that first, an address cannot trade with itself`;
      return refuse({ code: "3004", parameter: "price", reason });
    }
    if (state.tradesMade + trades.length >= TRADES_MAX) {
      return result(true);
    }
    const left = (taker.quantity - quantity) as Amount;
    const trade = tradeWith(order, left < order.remainqtt ? left : order.remainqtt, decimal);
    if (side === "SELL" && trade.cost === ZERO) {
      return result(true);
    }
    trades.push(trade);
    quantity += trade.quantity;
    cost += trade.cost;
  }
  return result(false);
}

export function tradeWith(order: Order, quantity: Amount, decimal: number): OrderTrade {
  const traded = order.qtt - order.remainqtt;
  const cost = orderCost(order, traded + quantity, decimal) - orderCost(order, traded, decimal);
  return { order, quantity, cost: cost as Amount };
}

function* lineOf(state: State, side: BookSide): Generator<Order> {
  let seen = 0;
  for (const limit of READ_AHEAD) {
    const orders = ordersInLine(state, side, limit);
    yield* orders.slice(seen);
    seen = orders.length;
    if (seen < limit) {
      return;
    }
  }
}

/** Credits the taker, whom the caller debits. Source: protocols §9.6, §10. */
export function trade(
  state: State,
  { address, side, basetoken: base, targettoken: target }: Taker,
  trades: readonly OrderTrade[],
  by: Signed,
): readonly EffectDraft[] {
  state.noteTrades(trades.length);
  return trades.flatMap(({ order, quantity, cost }, index) => {
    const id = derivedId("TRD040", address, by.tkey, String(index));
    const remaining = (order.remainqtt - quantity) as Amount;
    const isComplete = remaining === ZERO;
    const traded: Order = {
      ...order,
      status: isComplete ? "COMPLETE" : "TRADING",
      remainqtt: remaining,
      held: (order.held - (order.side === "SELL" ? quantity : cost)) as Amount,
      complete_date: isComplete ? state.time : 0,
      job_type: "stodexExchange",
    };
    putOrder(state, traded);
    if (side === "BUY") {
      creditMoved(state, order.owner, base, cost);
      creditMoved(state, address, target, quantity);
    } else {
      creditMoved(state, order.owner, target, quantity);
      creditMoved(state, address, base, cost);
    }
    const made = {
      ...{ owner: order.owner, requester: address, base, target, price: order.price },
      ...{ qtt: quantity, time: state.time, order: order.mrc040id, trade: id, cost },
    };
    const given = {
      ...{ requester: address, qtt: quantity, order: order.mrc040id, trade: id },
      ...{ signature: by.signature, tkey: by.tkey },
    };
    return [
      effect("stodexExchangePending", { ...made, side: order.side }),
      effect("stodexExchangeRequest", { ...made, side }),
      effectOnEntry("stodexExchange", given, ORDER, traded),
    ];
  });
}
