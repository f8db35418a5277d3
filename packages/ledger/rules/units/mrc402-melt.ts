import {
  type Address,
  type Amount,
  mrc402Melt,
  NATIVE_COIN,
  type Refused,
  refuse,
  type TokenId,
} from "@moneta/protocol";
import { payOut } from "../../market/pay-out.ts";
import { done, type EffectDraft, effect, record, type Signed, sent } from "../../records/record.ts";
import type { State } from "../../state/state.ts";
import { existingUnits, type UnitItem } from "../../state/unit-item-entry.ts";
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
      refuseYoung(item, state.time) ??
      refuseMissingUnits(state, item, units);
    if (refused !== undefined) {
      return refused;
    }

    const by = { signature, tkey };
    const paid = reserveOf(item, amount).flatMap((reserve) =>
      payMelted(state, item, actor, reserve, by),
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

/** Refused with 7204 before the item may be melted. */
function refuseYoung({ expiredate: expireDate }: UnitItem, time: number): Refused | undefined {
  const reason = `names an item that may be melted from ${expireDate} on`;
  return time < expireDate ? refuse({ code: "7204", parameter: "mrc402id", reason }) : undefined;
}

/** The project's owner gets its fee, the holder the rest. Source: mrc402 §2.5. */
function payMelted(
  state: State,
  item: UnitItem,
  holder: Address,
  { token, amount }: { readonly token: TokenId; readonly amount: Amount },
  by: Signed,
): readonly EffectDraft[] {
  const { id, projectOwner, meltint_fee: rate } = item;
  const { fees, rest } = payOut(state, amount, {
    from: id,
    token,
    shares: projectOwner === "" ? [] : [{ payee: projectOwner, rate, movement: "" }],
    payee: holder,
    movement: "",
  });
  const paid = { item: id, token, signature: by.signature, tkey: by.tkey };
  return [
    ...fees.map(({ payee, amount: payment }) =>
      effect("receive_meltfee", { ...paid, payee, payment }),
    ),
    ...(rest > 0n ? [effect("receive_melt", { ...paid, payee: holder, payment: rest })] : []),
  ];
}
