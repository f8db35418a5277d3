import { type ChangedItem, mrc401Update } from "@moneta/protocol";
import { done, record } from "../../records/record.ts";
import { ITEM, type Item } from "../../state/item-entry.ts";
import { namedOrKeyHolder } from "../existence.ts";
import { actingOn, type RuledOperation, ruleOf } from "../rule.ts";
import { putItem } from "./item.ts";
import { refuseAct } from "./item-life.ts";
import { itemsToChange, refuseChanges, refuseSame, termsAfter } from "./terms.ts";

/** Source: mrc401 §8. */
export const mrc401UpdateRule: RuledOperation = ruleOf(mrc401Update, {
  actor: (state, values, keyHolder) =>
    actingOn(itemsToChange(state, ITEM, values), () =>
      namedOrKeyHolder(state, "creator", values.creator, keyHolder),
    ),

  apply(state, { mrc400id, itemdata, tkey, signature }, { actor, found }) {
    const { project, items } = found;
    const changes = items.map((item, index) => ({
      item,
      changed: changedBy(item, itemdata.entries[index] as ChangedItem, state.time),
    }));
    const refused =
      refuseChanges(state, { project, actor, changes }, (item, parameter) =>
        refuseAct("update", item, parameter),
      ) ?? refuseSame(ITEM, changes);
    if (refused !== undefined) {
      return refused;
    }

    const by = { actor, signature, tkey };
    const effects = changes.map(({ changed }) => {
      const { id: item, initial_reserve, initial_token } = changed;
      const held = { item, initial_reserve, initial_token };
      return putItem(state, changed, "mrc401_update", { ...by, ...held });
    });
    const all = { ...by, mrc400id, itemdata: itemdata.text };
    return done(state, record("mrc401update", all), effects);
  },
});

function changedBy(item: Item, entry: ChangedItem, time: number): Item {
  const terms = termsAfter(item, entry);
  const groupedSince = terms.groupid === item.groupid ? item.groupedSince : time;
  return { ...item, ...terms, groupedSince };
}
