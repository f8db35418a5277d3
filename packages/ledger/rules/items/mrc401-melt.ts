import { type Address, mrc401Melt, Refused, refuse } from "@moneta/protocol";
import { paymentsText } from "../../market/payments.ts";
import { done, type Rule, record, ruleOf } from "../rule.ts";
import { itemActor } from "./item-actor.ts";
import { melted, refuseAct } from "./item-life.ts";
import { itemNamed, payHolder, putItem, refuseStranger } from "./project-item.ts";

/** Melts an item, and pays its reserve out. Source: mrc401 §13. */
export const mrc401MeltRule: Rule<typeof mrc401Melt.parameters> = ruleOf(mrc401Melt, {
  actor: (state, { mrc401id, address }, keyHolder) =>
    itemActor(state, mrc401id, { address }, keyHolder),

  apply(state, { mrc401id, tkey, signature }, operation) {
    const actor = operation.actor as Address;
    const item = itemNamed(state, mrc401id);
    if (item instanceof Refused) {
      return item;
    }
    const refused = refuseStranger(item, actor, "mrc401id") ?? refuseAct("melt", item, "mrc401id");
    if (refused !== undefined) {
      return refused;
    }
    if (state.time < item.expireDate) {
      const reason = `names an item that may be melted from ${item.expireDate} on`;
      return refuse({ code: "7204", parameter: "mrc401id", reason });
    }

    // Nothing below can fail.
    const { reserve: amount, reserveToken: token, meltFee: rate } = item;
    const by = { signature, tkey };
    const payment = { amount, token, rate, kind: "melt", payer: mrc401id, by } as const;
    const paid = payHolder(state, item, payment);
    const parameters = [mrc401id, actor, paymentsText(paid.movements), signature, tkey];
    const gone = putItem(state, melted(item, state.time), "mrc401_melt", parameters);
    return done(state, record("mrc401_melt", actor, token, parameters), [...paid.effects, gone]);
  },
});
