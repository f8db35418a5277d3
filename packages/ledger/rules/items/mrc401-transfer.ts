import { mrc401Transfer, Refused, refuse } from "@moneta/protocol";
import { refuseHolderChange } from "../../market/holder-change.ts";
import { done, effect, record } from "../../records/record.ts";
import { named } from "../../state/entries.ts";
import { ITEM, type Item } from "../../state/item-entry.ts";
import type { StateReader } from "../../state/state.ts";
import { mustExist } from "../existence.ts";
import { allOrFirstRefusal, firstRefusal } from "../first-refusal.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";
import { putItem, refuseStranger } from "./item.ts";
import { passedOn, refuseAct, withoutEndedSale } from "./item-life.ts";

/** Source: mrc401 §9. */
export const mrc401TransferRule: RuledOperation = ruleOf(mrc401Transfer, {
  actor(state, values) {
    const items = itemsNamed(state, values);
    if (items instanceof Refused) {
      return items;
    }
    const foreign = items.findIndex(({ mrc400: project }) => project !== items[0]?.mrc400);
    const reason = "names an item of another project than the first one";
    const actor =
      (foreign === -1
        ? undefined
        : refuse({ code: "3005", parameter: `itemdata[${foreign}]`, reason })) ??
      mustExist(state, "fromAddr", values.fromAddr) ??
      mustExist(state, "toAddr", values.toAddr) ??
      values.fromAddr;
    return acting(actor, items);
  },

  apply(state, values, { found }) {
    const items = found.map((item) => withoutEndedSale(item, state.time));
    const { mrc401id, itemdata, fromAddr, toAddr, tkey, signature } = values;
    const nameOf = (index: number): string => (mrc401id === "" ? `itemdata[${index}]` : "mrc401id");
    const refused =
      firstRefusal(items, (item, index) => refuseStranger(item, fromAddr, nameOf(index))) ??
      firstRefusal(items, (item, index) => refuseAct("transfer", item, nameOf(index))) ??
      firstRefusal(items, (item, index) =>
        refuseHolderChange(state, item, {
          ...{ way: "transfer", from: fromAddr, to: toAddr, at: state.time },
          units: unitsUpTo(items, index),
          parameter: nameOf(index),
        }),
      );
    if (refused !== undefined) {
      return refused;
    }

    const passed = { fromAddr, toAddr, signature, tkey };
    const effects = items.flatMap((item) => [
      putItem(state, passedOn(item, toAddr), "mrc401_transfer", { ...passed, item: item.id }),
      effect("receive_mrc401", { ...passed, item: item.id }),
    ]);
    const all = { ...passed, items: mrc401id || itemdata.text };
    return done(state, record("mrc401transfer", all), effects);
  },
});

function unitsUpTo(items: readonly Item[], index: number): bigint {
  const number = items[index]?.policy_number ?? 0;
  return number === 0
    ? 1n
    : BigInt(items.slice(0, index + 1).filter((item) => item.policy_number === number).length);
}

function itemsNamed(
  state: StateReader,
  {
    mrc401id,
    itemdata,
  }: { readonly mrc401id: string; readonly itemdata: { readonly entries: readonly string[] } },
): readonly Item[] | Refused {
  const ids = mrc401id === "" ? itemdata.entries : [mrc401id];
  return allOrFirstRefusal(ids, (id, index) =>
    named(state, ITEM, id, mrc401id === "" ? `itemdata[${index}]` : "mrc401id"),
  );
}
