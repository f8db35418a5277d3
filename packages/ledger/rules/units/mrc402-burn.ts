import { type Amount, mrc402Burn } from "@moneta/protocol";
import { done, record } from "../../records/record.ts";
import { type RuledOperation, ruleOf } from "../rule.ts";
import {
  moveUnits,
  putUnitItem,
  refuseEnded,
  refuseListedUnits,
  refuseMissingUnits,
  refuseNotIssuer,
  reserveOf,
  unitItemActor,
} from "./unit-item.ts";

/** Gives their reserve back. Source: mrc402 §7. */
export const mrc402BurnRule: RuledOperation = ruleOf(mrc402Burn, {
  actor: (state, { mrc402id, address }, keyHolder) =>
    unitItemActor(state, mrc402id, address, keyHolder),

  apply(state, { mrc402id, amount, memo, tkey, signature }, { actor, found: item }) {
    const units = { address: actor, amount, parameter: "amount" };
    const refused =
      refuseNotIssuer(item, actor) ??
      refuseEnded(item, "mrc402id") ??
      refuseListedUnits(state, item, units) ??
      refuseMissingUnits(state, item, units);
    if (refused !== undefined) {
      return refused;
    }

    for (const reserve of reserveOf(item, amount)) {
      state.balances.credit(actor, reserve.token, reserve.amount);
    }
    const left = {
      ...moveUnits(state, item, actor, { balance: -amount }),
      totalsupply: (item.totalsupply - amount) as Amount,
      burnedamount: (item.burnedamount + amount) as Amount,
    };
    const values = { item: mrc402id, creator: actor, amount, memo, signature, tkey };
    const changed = putUnitItem(state, left, "mrc402_burn", values);
    return done(state, record("mrc402burn", values), [changed]);
  },
});
