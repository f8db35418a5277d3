import { mrc040Cancel, refuse, ZERO } from "@moneta/protocol";
import { done, effectOnEntry, record, signatureOf } from "../../records/record.ts";
import { named } from "../../state/entries.ts";
import { heldToken, ORDER, type Order } from "../../state/order-entry.ts";
import { putOrder } from "../../state/orders.ts";
import { mustExist } from "../existence.ts";
import { actingOn, type RuledOperation, ruleOf } from "../rule.ts";
import { refuseClosedOrder } from "./order.ts";

/** Cancels an order and returns the amount that it holds. Source: protocols §10. */
export const mrc040CancelRule: RuledOperation = ruleOf(mrc040Cancel, {
  actor: (state, { mrc040id, owner }) =>
    actingOn(
      named(state, ORDER, mrc040id, "mrc040id"),
      () => mustExist(state, "owner", owner) ?? owner,
    ),

  apply(state, { owner, mrc040id, tkey }, { found: order, operation }) {
    if (order.owner !== owner) {
      const reason = `${mrc040id} is an order of ${order.owner}, who alone may cancel it.`;
      return refuse({ code: "7001", parameter: "owner", reason });
    }
    const closed = refuseClosedOrder(order);
    if (closed !== undefined) {
      return closed;
    }

    const token = heldToken(order);
    const recordType = "stodexUnRegister";
    const cancelled: Order = {
      ...order,
      status: "CANCEL",
      held: ZERO,
      cancel_date: state.time,
      job_type: recordType,
    };
    state.balances.credit(owner, token, order.held);
    putOrder(state, cancelled);
    const returned = {
      ...{ owner, order: mrc040id, signature: signatureOf(operation), tkey },
      ...{ refund: order.held, token },
    };
    return done(
      state,
      record(recordType, returned, { token: order.targettoken }),
      [effectOnEntry(recordType, returned, ORDER, cancelled)],
      { isOfOrders: true },
    );
  },
});
