import { type Amount, mrc402Melt, NATIVE_COIN, type TokenId } from "@moneta/protocol";
import { payMelted, refuseYoung } from "../../market/melt.ts";
import { done, record, sent } from "../../records/record.ts";
import { existingUnits } from "../../state/units/unit-item-entry.ts";
import { type RuledOperation, ruleOf } from "../rule.ts";
import {
  moveUnits,
  putUnitItem,
  refuseEnded,
  refuseListedUnits,
  refuseMissingUnits,
  refuseNoHolder,
  reserveOf,
  unitItemActor,
} from "./unit-item.ts";

/** Source: mrc402 §8. */
export const mrc402MeltRule: RuledOperation = ruleOf(mrc402Melt, {
  actor: (state, { mrc402id, address }, keyHolder) =>
    unitItemActor(state, mrc402id, address, keyHolder),

  apply(state, values, { actor, found: item, operation }) {
    const { mrc402id, amount, tkey, signature } = values;
    const units = { address: actor, amount, parameter: "amount" };
    const refused =
      refuseNoHolder(state, item, actor) ??
      refuseEnded(item, "mrc402id") ??
      refuseListedUnits(state, item, units) ??
      refuseYoung(item, state.time, "mrc402id") ??
      refuseMissingUnits(state, item, units);
    if (refused !== undefined) {
      return refused;
    }

    const by = { signature, tkey };
    const { projectOwner, meltint_fee: rate } = item;
    const shares = projectOwner === "" ? [] : [{ payee: projectOwner, rate, movement: "" }];
    const paid = reserveOf(item, amount).flatMap(
      (reserve) => payMelted(state, reserve, { item: item.id, holder: actor, shares, by }).effects,
    );
    const left = {
      ...moveUnits(state, item, actor, { balance: -amount }),
      meltedamount: (item.meltedamount + amount) as Amount,
    };
    const gone = existingUnits(left) === 0n ? { ...left, melting_date: state.time } : left;
    const meltedUnits = { item: mrc402id, actor, ...sent(operation, "amount"), signature, tkey };
    const melted = putUnitItem(state, gone, "mrc402_melt", meltedUnits);
    const [token = NATIVE_COIN] = Object.keys(item.initialreserve) as TokenId[];
    return done(state, record("mrc402melt", meltedUnits, { token }), [melted, ...paid]);
  },
});
