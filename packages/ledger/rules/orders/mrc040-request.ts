import { mrc040Request, Refused, refuse } from "@moneta/protocol";
import { done, record, sent, signatureOf } from "../../records/record.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";
import { refuseClosedPair } from "../tokens/pair.ts";
import { match, trade } from "./matching.ts";
import { debitTaker, pairOf, refuseUnpaid, takerOf, targetOf } from "./order.ts";

/** Source: protocols §10. */
export const mrc040RequestRule: RuledOperation = ruleOf(mrc040Request, {
  actor(state, values) {
    const { requester } = values;
    const target = targetOf(state, values, { parameter: "requester", address: requester });
    return target instanceof Refused ? target : acting(requester, target);
  },

  apply(state, values, { actor: requester, found: target, operation }) {
    const taker = takerOf(values, requester, target);
    const closed = refuseClosedPair(state, taker);
    if (closed !== undefined) {
      return closed;
    }
    const found = match(state, taker);
    if (found instanceof Refused) {
      return found;
    }
    if (found.quantity < values.minqtt) {
      const reason = `is ${values.qtt}, of which the book has ${found.quantity} at this price, less than minqtt ${values.minqtt}`;
      return refuse({ code: "7117", parameter: "qtt", reason });
    }
    const poor = refuseUnpaid(state, taker, found);
    if (poor !== undefined) {
      return poor;
    }

    debitTaker(state, taker, found);
    const trades = trade(state, taker, found.trades, values);
    const traded = {
      ...sent(operation, "requester", "side", "price", "qtt", "minqtt"),
      ...pairOf(operation),
      ...{ doneqtt: found.quantity, cost: found.cost },
      ...{ signature: signatureOf(operation), tkey: values.tkey },
    };
    const primary = record("stodexRequest", traded, { token: taker.targettoken });
    return done(state, primary, trades, { isOfOrders: true });
  },
});
