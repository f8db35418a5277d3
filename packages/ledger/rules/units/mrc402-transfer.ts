import { mrc402Transfer } from "@moneta/protocol";
import { refuseHolderChange } from "../../market/holder-change.ts";
import { done, effect, record, sent, signatureOf } from "../../records/record.ts";
import { UNIT_ITEM } from "../../state/units/unit-item-entry.ts";
import { finderOf, mustExist } from "../existence.ts";
import { actingOnNamed, type RuledOperation, ruleOf } from "../rule.ts";
import {
  moveUnits,
  refuseBoundUnits,
  refuseEnded,
  refuseListedUnits,
  refuseMissingUnits,
  refuseNoHolder,
} from "./unit-item.ts";

/** Source: mrc402 §6. */
export const mrc402TransferRule: RuledOperation = ruleOf(mrc402Transfer, {
  actor: (state, { mrc402id, fromAddr, toAddr }) =>
    actingOnNamed(
      mustExist(state, "fromAddr", fromAddr) ??
        mustExist(state, "toAddr", toAddr) ??
        finderOf(state, UNIT_ITEM, mrc402id, "mrc402id"),
      () => fromAddr,
    ),

  apply(state, values, { found: item, operation }) {
    const { mrc402id, fromAddr, toAddr, amount, tag, memo, tkey } = values;
    const units = { address: fromAddr, amount, parameter: "amount" };
    const refused =
      refuseNoHolder(state, item, fromAddr) ??
      refuseEnded(item, "mrc402id") ??
      refuseBoundUnits(item, "mrc402id") ??
      refuseHolderChange(state, item, {
        ...{ way: "transfer", from: fromAddr, to: toAddr, units: amount, at: state.time },
        parameter: "mrc402id",
      }) ??
      refuseListedUnits(state, item, units) ??
      refuseMissingUnits(state, item, units);
    if (refused !== undefined) {
      return refused;
    }

    const given = moveUnits(state, item, fromAddr, { balance: -amount });
    const passed = moveUnits(state, given, toAddr, { balance: amount });
    state.put(UNIT_ITEM, { ...passed, hasChangedHands: true });
    const passedOn = {
      ...{ from: fromAddr, to: toAddr, ...sent(operation, "amount"), item: mrc402id },
      ...{ tags: tag, memo, signature: signatureOf(operation), tkey },
    };
    return done(state, record("transfer_mrc402", passedOn), [effect("receive_mrc402", passedOn)]);
  },
});
