import { mrc040Exchange, refuse, ZERO } from "@moneta/protocol";
import { invariant } from "../../invariant.ts";
import { done, record, signatureOf } from "../../records/record.ts";
import { named } from "../../state/entries.ts";
import { derivedId } from "../../state/ids/derived-id.ts";
import { ORDER } from "../../state/order-entry.ts";
import { ordersInLine } from "../../state/orders.ts";
import { mustExist } from "../existence.ts";
import { actingOn, type RuledOperation, ruleOf } from "../rule.ts";
import { refuseClosedPair } from "../tokens/pair.ts";
import { opposite, type Taker, TRADES_MAX, trade, tradeWith } from "./matching.ts";
import { debitTaker, refuseClosedOrder, refuseUnpaid } from "./order.ts";

/** Source: protocols §10. */
export const mrc040ExchangeRule: RuledOperation = ruleOf(mrc040Exchange, {
  actor: (state, { mrc040id, requester }) =>
    actingOn(
      named(state, ORDER, mrc040id, "mrc040id"),
      () => mustExist(state, "requester", requester) ?? requester,
    ),

  apply(state, { requester, mrc040id, qtt, ...by }, { found: order, operation }) {
    if (order.owner === requester) {
      const reason = `is ${requester}, whose order it is: an address cannot trade with itself`;
      return refuse({ code: "3004", parameter: "requester", reason });
    }
    const closed = refuseClosedOrder(order) ?? refuseClosedPair(state, order);
    if (closed !== undefined) {
      return closed;
    }
    const [first] = ordersInLine(state, order, 1);
    if (first?.mrc040id !== order.mrc040id) {
      const reason = `is ${mrc040id}, but ${first?.mrc040id} is first in line: who waits longer or at a better price comes first`;
      return refuse({ code: "7115", parameter: "mrc040id", reason });
    }
    if (qtt > order.remainqtt) {
      const reason = `is ${qtt}, but the order has ${order.remainqtt} left`;
      return refuse({ code: "3004", parameter: "qtt", reason });
    }
    const decimal = state.token(order.targettoken)?.decimal;
    invariant(decimal !== undefined, "tokens of orders stay");
    const taker: Taker = {
      ...order,
      address: requester,
      side: opposite(order.side),
      quantity: qtt,
      decimal,
    };
    const only = tradeWith(order, qtt, decimal);
    if (taker.side === "SELL" && only.cost === ZERO) {
      const reason = `is ${qtt}, which would bring 0: sell more at once`;
      return refuse({ code: "3004", parameter: "qtt", reason });
    }
    if (state.tradesMade >= TRADES_MAX) {
      const reason = `names an order to trade with, but the group has made ${TRADES_MAX} trades already, the most there may be`;
      return refuse({ code: "3002", parameter: "mrc040id", reason });
    }
    const poor = refuseUnpaid(state, taker, only);
    if (poor !== undefined) {
      return poor;
    }

    debitTaker(state, taker, only);
    const trades = trade(state, taker, [only], by);
    const id = derivedId("TRD040", requester, by.tkey, "0");
    const signed = { signature: signatureOf(operation), tkey: by.tkey };
    const traded = { requester, qtt, order: mrc040id, trade: id, ...signed };
    const primary = record("stodexExchange", traded, { token: order.targettoken });
    return done(state, primary, trades, { isOfOrders: true });
  },
});
