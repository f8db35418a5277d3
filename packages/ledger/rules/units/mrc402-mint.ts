import { AMOUNT_MAX, type Amount, mrc402Mint, Refused, refuse } from "@moneta/protocol";
import { done, effect, record } from "../../records/record.ts";
import { existingUnits, type UnitItem } from "../../state/units/unit-item-entry.ts";
import { mustExist } from "../existence.ts";
import { firstRefusal } from "../first-refusal.ts";
import { payReserves, sumsByToken } from "../items/new-items.ts";
import { type RuledOperation, ruleOf } from "../rule.ts";
import {
  moveUnits,
  putUnitItem,
  refuseEnded,
  refuseNotIssuer,
  reserveOf,
  unitItemActor,
} from "./unit-item.ts";

const UNITS_MAX = 99_999_999n;

/**
 * To its creator, who pays their reserve, or to another address. Source: mrc402 §7, policies §9.
 */
export const mrc402MintRule: RuledOperation = ruleOf(mrc402Mint, {
  actor(state, { mrc402id, address, to }, keyHolder) {
    const acts = unitItemActor(state, mrc402id, address, keyHolder);
    return acts instanceof Refused ? acts : (mustExist(state, "to", to) ?? acts);
  },

  apply(state, { mrc402id, amount, memo, to, tkey, signature }, { actor, found: item }) {
    const reserves = sumsByToken(reserveOf(item, amount));
    const refused =
      refuseNotIssuer(item, actor) ??
      refuseEnded(item, "mrc402id") ??
      refuseTooMany(item, amount) ??
      payReserves(state, actor, reserves);
    if (refused !== undefined) {
      return refused;
    }

    const minted = moveUnits(state, item, to ?? actor, { balance: amount });
    const totalSupply = (item.totalsupply + amount) as Amount;
    const values = { item: mrc402id, creator: actor, amount, memo, signature, tkey };
    const changed = putUnitItem(
      state,
      { ...minted, totalsupply: totalSupply },
      "mrc402_mint",
      values,
    );
    if (to === undefined) {
      return done(state, record("mrc402mint", values), [changed]);
    }
    const by = { signature, tkey };
    const received = { from: actor, to, amount: String(amount), item: mrc402id, ...by };
    return done(state, record("mrc402mint", { ...values, to }), [
      changed,
      effect("receive_mrc402", { ...received, tags: "", memo }),
    ]);
  },
});

/** Refused with 3005 for units, 1101 for the reserve. Source: mrc402 §7, check 6. */
function refuseTooMany(item: UnitItem, amount: Amount): Refused | undefined {
  if (item.totalsupply + amount > UNITS_MAX) {
    const reason = `is ${amount} but an item has at most ${UNITS_MAX} units, and there are ${item.totalsupply}`;
    return refuse({ code: "3005", parameter: "amount", reason });
  }
  const units = (existingUnits(item) + amount) as Amount;
  const wanted = "such that the reserve of a token is at most 10^40";
  return firstRefusal(reserveOf(item, units), (reserve) =>
    reserve.amount > AMOUNT_MAX
      ? refuse({ code: "1101", parameter: "amount", given: String(amount), wanted })
      : undefined,
  );
}
