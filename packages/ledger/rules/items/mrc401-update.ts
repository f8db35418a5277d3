import { type ChangedItem, itemNumberOf, mrc401Update, Refused, refuse } from "@moneta/protocol";
import { done, record } from "../../records/record.ts";
import { ITEM, type Item } from "../../state/item-entry.ts";
import type { Project } from "../../state/project-entry.ts";
import type { StateReader } from "../../state/state.ts";
import { mustExist } from "../existence.ts";
import { allOrFirstRefusal, firstRefusal } from "../first-refusal.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";
import { itemNamed, projectNamed, putItem } from "./item.ts";
import { refuseAct } from "./item-life.ts";
import {
  refuseEditor,
  refuseFixedTerms,
  refuseFrozen,
  refuseTransferable,
  termsAfter,
} from "./terms.ts";

/** Source: mrc401 §8. */
export const mrc401UpdateRule: RuledOperation = ruleOf(mrc401Update, {
  actor(state, { mrc400id, creator, itemdata }, keyHolder) {
    const project = projectNamed(state, mrc400id);
    if (project instanceof Refused) {
      return project;
    }
    const items = itemsNamed(state, project, itemdata.entries);
    return items instanceof Refused
      ? items
      : acting(mustExist(state, "creator", creator) ?? creator ?? keyHolder(), { project, items });
  },

  apply(state, { mrc400id, itemdata, tkey, signature }, { actor, found }) {
    const { project, items } = found;
    const changes = items.map((item, index) => ({
      item,
      changed: changedBy(item, itemdata.entries[index] as ChangedItem, state.time),
    }));
    const refused =
      firstRefusal(changes, ({ item, changed }, index) =>
        refuseEditor(project, actor, {
          id: item.id,
          creator: item.creator,
          before: item,
          after: changed,
          parameter: `itemdata[${index}]`,
        }),
      ) ??
      firstRefusal(items, (item, index) => refuseAct("update", item, `itemdata[${index}]`)) ??
      firstRefusal(changes, ({ item, changed }, index) =>
        refuseFrozen(item, changed, { time: state.time, prefix: `itemdata[${index}].` }),
      ) ??
      firstRefusal(changes, ({ item, changed }, index) =>
        refuseTransferable(item, changed, `itemdata[${index}].transferable`),
      ) ??
      firstRefusal(changes, ({ item, changed }, index) =>
        refuseFixedTerms(state, item, changed, `itemdata[${index}]`),
      );
    if (refused !== undefined) {
      return refused;
    }
    if (changes.every(({ item, changed }) => ITEM.isSame(item, changed))) {
      return refuse({ code: "4900", what: "Each of the items" });
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

function itemsNamed(
  state: StateReader,
  { id: mrc400id }: Project,
  entries: readonly ChangedItem[],
): readonly Item[] | Refused {
  return allOrFirstRefusal(entries, (entry, index) =>
    itemNamed(state, `${mrc400id}_${itemNumberOf(entry)}`, `itemdata[${index}].item_id`),
  );
}
