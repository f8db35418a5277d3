import { type Address, type Amount, mrc402Burn, NATIVE_COIN, Refused } from "@moneta/protocol";
import { done, type Rule, record, ruleOf } from "../rule.ts";
import {
  moveUnits,
  putUnitItem,
  refuseEnded,
  refuseListedUnits,
  refuseMissingUnits,
  refuseNotIssuer,
  reserveOf,
  unitItemActor,
  unitItemNamed,
} from "./unit-item.ts";

/** Takes units of an item that its creator holds out of existence, and gives their reserve back. Source: mrc402 §7. */
export const mrc402BurnRule: Rule<typeof mrc402Burn.parameters> = ruleOf(mrc402Burn, {
  actor: (state, { mrc402id, address }, keyHolder) =>
    unitItemActor(state, mrc402id, address, keyHolder),

  apply(state, { mrc402id, amount, memo, tkey, signature }, operation) {
    const actor = operation.actor as Address;
    const item = unitItemNamed(state, mrc402id);
    if (item instanceof Refused) {
      return item;
    }
    const units = { address: actor, amount, parameter: "amount" };
    const refused =
      refuseNotIssuer(item, actor) ??
      refuseEnded(item, "mrc402id") ??
      refuseListedUnits(state, item, units) ??
      refuseMissingUnits(state, item, units);
    if (refused !== undefined) {
      return refused;
    }

    // Nothing below can fail.
    for (const reserve of reserveOf(item, amount)) {
      state.credit(actor, reserve.token, reserve.amount);
    }
    const left = {
      ...moveUnits(state, item, actor, { balance: -amount }),
      totalSupply: (item.totalSupply - amount) as Amount,
      burned: (item.burned + amount) as Amount,
    };
    const parameters = [mrc402id, actor, String(amount), memo, signature, tkey];
    const effect = putUnitItem(state, left, "mrc402_burn", parameters);
    return done(state, record("mrc402burn", actor, NATIVE_COIN, parameters), [effect]);
  },
});
