import { mrc401Melt } from "@moneta/protocol";
import { payMelted, refuseYoung } from "../../market/melt.ts";
import { paymentsText } from "../../market/payments.ts";
import { done, record } from "../../records/record.ts";
import { type RuledOperation, ruleOf } from "../rule.ts";
import { itemActor, putItem, refuseStranger, shareOfOwner } from "./item.ts";
import { melted, refuseAct, withoutEndedSale } from "./item-life.ts";

/** Pays its reserve out: the project's owner its fee, the holder the rest. Source: mrc401 §13. */
export const mrc401MeltRule: RuledOperation = ruleOf(mrc401Melt, {
  actor: (state, { mrc401id, address }, keyHolder) =>
    itemActor(state, mrc401id, { address }, keyHolder),

  apply(state, { mrc401id, tkey, signature }, { actor, found }) {
    const item = withoutEndedSale(found, state.time);
    const refused =
      refuseStranger(item, actor, "mrc401id") ??
      refuseAct("melt", item, "mrc401id") ??
      refuseYoung(item, state.time, "mrc401id");
    if (refused !== undefined) {
      return refused;
    }

    const { initial_reserve: amount, initial_token: token, meltint_fee: meltFee } = item;
    const shares = shareOfOwner(item, meltFee, "mrc401_recv_meltfee");
    const by = { signature, tkey };
    const paid = { item: mrc401id, holder: actor, shares, by };
    const { movements, effects } = payMelted(state, { token, amount }, paid);
    const payments = paymentsText(movements);
    const values = { item: mrc401id, owner: actor, payments, signature, tkey };
    const gone = putItem(state, melted(item, state.time), "mrc401_melt", values);
    return done(state, record("mrc401_melt", values, { token }), [...effects, gone]);
  },
});
