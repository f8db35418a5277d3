import { mrc401Melt, refuse } from "@moneta/protocol";
import { payOut } from "../../market/pay-out.ts";
import { paymentsText } from "../../market/payments.ts";
import { done, effect, record } from "../../records/record.ts";
import { type RuledOperation, ruleOf } from "../rule.ts";
import { itemActor, putItem, refuseStranger, shareOfOwner } from "./item.ts";
import { melted, refuseAct, withoutEndedSale } from "./item-life.ts";

/** Pays its reserve out: the project's owner its fee, the holder the rest. Source: mrc401 §13. */
export const mrc401MeltRule: RuledOperation = ruleOf(mrc401Melt, {
  actor: (state, { mrc401id, address }, keyHolder) =>
    itemActor(state, mrc401id, { address }, keyHolder),

  apply(state, { mrc401id, tkey, signature }, { actor, found }) {
    const item = withoutEndedSale(found, state.time);
    const refused = refuseStranger(item, actor, "mrc401id") ?? refuseAct("melt", item, "mrc401id");
    if (refused !== undefined) {
      return refused;
    }
    if (state.time < item.expiredate) {
      const reason = `names an item that may be melted from ${item.expiredate} on`;
      return refuse({ code: "7204", parameter: "mrc401id", reason });
    }

    const { initial_reserve: reserve, initial_token: token, meltint_fee: meltFee } = item;
    const { fees, rest, movements } = payOut(state, reserve, {
      from: mrc401id,
      token,
      shares: shareOfOwner(item, meltFee, "mrc401_recv_meltfee"),
      payee: actor,
      movement: "mrc401_recv_melt",
    });
    const paid = { item: mrc401id, token, signature, tkey };
    const payments = paymentsText(movements);
    const values = { item: mrc401id, owner: actor, payments, signature, tkey };
    const gone = putItem(state, melted(item, state.time), "mrc401_melt", values);
    return done(state, record("mrc401_melt", values, { token }), [
      ...fees.map(({ payee, amount: payment }) =>
        effect("receive_meltfee", { ...paid, payee, payment }),
      ),
      ...(rest > 0n ? [effect("receive_melt", { ...paid, payee: actor, payment: rest })] : []),
      gone,
    ]);
  },
});
