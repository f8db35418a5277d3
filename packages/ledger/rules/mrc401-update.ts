import {
  type Address,
  type ChangedItem,
  itemNumberOf,
  mrc401Update,
  NATIVE_COIN,
  Refused,
  refuse,
  transferableOf,
} from "@moneta/protocol";
import { refuseAct } from "../items/item-life.ts";
import { may, standingsOf } from "../items/permissions.ts";
import { ITEM, type Item } from "../state/item-entry.ts";
import type { Project } from "../state/project-entry.ts";
import type { StateReader } from "../state/state.ts";
import { mustExist } from "./existence.ts";
import { firstRefusal } from "./item-listing.ts";
import { itemNamed, projectNamed, putItem } from "./project-item.ts";
import { done, type Rule, record, ruleOf } from "./rule.ts";

/** Changes items of a project. Source: mrc401 §8. */
export const mrc401UpdateRule: Rule<typeof mrc401Update.parameters> = ruleOf(mrc401Update, {
  actor(state, { mrc400id, creator, itemdata }, keyHolder) {
    const project = projectNamed(state, mrc400id);
    const items =
      project instanceof Refused ? project : itemsNamed(state, project, itemdata.entries);
    return items instanceof Refused
      ? items
      : (mustExist(state, "creator", creator) ?? creator ?? keyHolder());
  },

  apply(state, { mrc400id, itemdata, tkey, signature }, operation) {
    const actor = operation.actor as Address;
    const project = projectNamed(state, mrc400id);
    if (project instanceof Refused) {
      return project;
    }
    const items = itemsNamed(state, project, itemdata.entries);
    if (items instanceof Refused) {
      return items;
    }
    const changes = items.map((item, index) => ({
      item,
      changed: changedBy(item, itemdata.entries[index] as ChangedItem),
    }));
    const refused =
      firstRefusal(changes, ({ item, changed }) => refuseEditor(project, actor, item, changed)) ??
      firstRefusal(items, (item, index) => refuseAct("update", item, `itemdata[${index}]`)) ??
      firstRefusal(changes, ({ item, changed }, index) =>
        refuseTransferable(item, changed, `itemdata[${index}].transferable`),
      );
    if (refused !== undefined) {
      return refused;
    }
    if (changes.every(({ item, changed }) => ITEM.isSame(item, changed))) {
      return refuse({ code: "4900", what: "Each of the items" });
    }

    // Nothing below can fail.
    const parameters = [mrc400id, actor, itemdata.text, signature, tkey];
    const effects = changes.map(({ changed }) => {
      const reserve = [String(changed.reserve), changed.reserveToken];
      return putItem(state, changed, "mrc401_update", [
        changed.id,
        actor,
        ...reserve,
        signature,
        tkey,
      ]);
    });
    return done(state, record("mrc401update", actor, NATIVE_COIN, parameters), effects);
  },
});

function itemsNamed(
  state: StateReader,
  { id: mrc400id }: Project,
  entries: readonly ChangedItem[],
): readonly Item[] | Refused {
  const items: Item[] = [];
  for (const [index, entry] of entries.entries()) {
    const id = `${mrc400id}_${itemNumberOf(entry)}`;
    const item = itemNamed(state, id, `itemdata[${index}].item_id`);
    if (item instanceof Refused) {
      return item;
    }
    items.push(item);
  }
  return items;
}

function changedBy(item: Item, entry: ChangedItem): Item {
  return {
    ...item,
    url: entry.item_url ?? item.url,
    imageUrl: entry.item_image_url ?? item.imageUrl,
    group: entry.groupid ?? item.group,
    sellFee: entry.sell_fee ?? item.sellFee,
    meltFee: entry.melt_fee ?? item.meltFee,
    transferable: transferableOf(entry.transferable) ?? item.transferable,
  };
}

/** Refused with 7002 without the right to change what changes, or without any right to change the item. */
function refuseEditor(
  project: Project,
  actor: Address,
  before: Item,
  after: Item,
): Refused | undefined {
  const standings = standingsOf(actor, project, before);
  const isCreator = before.creator === actor;
  const mayDescribe = may(standings, isCreator ? "describe its own" : "describe another's");
  const mayChangeTerms = may(standings, "change terms");
  const describes =
    after.url !== before.url || after.imageUrl !== before.imageUrl || after.group !== before.group;
  const changesTerms =
    after.sellFee !== before.sellFee ||
    after.meltFee !== before.meltFee ||
    after.transferable !== before.transferable;
  const isAllowed =
    (mayDescribe || mayChangeTerms) &&
    (mayDescribe || !describes) &&
    (mayChangeTerms || !changesTerms);
  const reason = `${actor} may not change this of ${before.id}: it is neither the owner of the project nor has a role in it that allows it.`;
  return isAllowed ? undefined : refuse({ code: "7002", reason });
}

function refuseTransferable(before: Item, after: Item, parameter: string): Refused | undefined {
  const reason = `is ${after.transferable} but an item that is ${before.transferable} stays so`;
  return after.transferable === before.transferable || before.transferable === "Temporary"
    ? undefined
    : refuse({ code: "3005", parameter, reason });
}
