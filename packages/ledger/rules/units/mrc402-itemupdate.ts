import {
  type ChangedItem,
  itemNumberOf,
  mrc402Itemupdate,
  Refused,
  rateText,
  refuse,
} from "@moneta/protocol";
import { done, record } from "../../records/record.ts";
import type { StateReader } from "../../state/state.ts";
import { UNIT_ITEM, type UnitItem } from "../../state/unit-item-entry.ts";
import { mustExist } from "../existence.ts";
import { allOrFirstRefusal, firstRefusal } from "../first-refusal.ts";
import { projectNamed } from "../items/item.ts";
import {
  refuseEditor,
  refuseFixedTerms,
  refuseFrozen,
  refuseTransferable,
  termsAfter,
} from "../items/terms.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";
import { refuseRates } from "./listing.ts";
import { putUnitItem, refuseEnded, unitItemNamed } from "./unit-item.ts";

/**
 * Code points in one operation: a block includes all texts of a changed item. Source: mrc402 §10.
 */
const TEXTS_LENGTH_MAX = 2 ** 20;

/** Source: mrc402 §10. */
export const mrc402ItemupdateRule: RuledOperation = ruleOf(mrc402Itemupdate, {
  actor(state, { mrc400id, owner, itemdata }, keyHolder) {
    const project = projectNamed(state, mrc400id);
    if (project instanceof Refused) {
      return project;
    }
    const items = itemsNamed(state, mrc400id, itemdata.entries);
    return items instanceof Refused
      ? items
      : acting(mustExist(state, "owner", owner) ?? owner ?? keyHolder(), { project, items });
  },

  apply(state, { mrc400id, itemdata, tkey, signature }, { actor, found }) {
    const { project, items } = found;
    const changes = items.map((item, index) => {
      const terms = termsAfter(item, itemdata.entries[index] as ChangedItem);
      return { item, changed: { ...item, ...terms } };
    });
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
      firstRefusal(items, (item, index) => refuseEnded(item, `itemdata[${index}]`)) ??
      firstRefusal(changes, ({ item, changed }, index) =>
        refuseFrozen(item, changed, { time: state.time, prefix: `itemdata[${index}].` }),
      ) ??
      firstRefusal(changes, ({ item, changed }, index) =>
        refuseTransferable(item, changed, `itemdata[${index}].transferable`),
      ) ??
      firstRefusal(changes, ({ item, changed }, index) =>
        refuseFixedTerms(state, item, changed, `itemdata[${index}]`),
      ) ??
      firstRefusal(changes, ({ changed }, index) =>
        refuseRates(changed, changed, `itemdata[${index}].sell_fee`),
      );
    if (refused !== undefined) {
      return refused;
    }
    if (changes.every(({ item, changed }) => UNIT_ITEM.isSame(item, changed))) {
      return refuse({ code: "4900", what: "Each of the items" });
    }
    const textsLength = items.reduce((sum, item) => sum + item.textsLength, 0);
    if (textsLength > TEXTS_LENGTH_MAX) {
      const reason = `names items whose description, data, information and socialmedia have ${textsLength} characters together, but at most ${TEXTS_LENGTH_MAX} may change at once: send it in parts`;
      return refuse({ code: "3002", parameter: "itemdata", reason });
    }

    const by = { actor, signature, tkey };
    const effects = changes.map(({ changed }) => {
      const { item_url, item_image_url, groupid, transferable } = changed;
      return putUnitItem(state, changed, "mrc402_update", {
        ...{ ...by, item: changed.id, item_url, item_image_url, groupid, transferable },
        ...{ sell_fee: rateText(changed.sell_fee), melt_fee: rateText(changed.meltint_fee) },
      });
    });
    const all = { ...by, mrc400id, itemdata: itemdata.text };
    return done(state, record("mrc402update", all, { of: actor }), effects);
  },
});

function itemsNamed(
  state: StateReader,
  mrc400id: string,
  entries: readonly ChangedItem[],
): readonly UnitItem[] | Refused {
  return allOrFirstRefusal(entries, (entry, index) =>
    unitItemNamed(state, `${mrc400id}_${itemNumberOf(entry)}`, `itemdata[${index}].item_id`),
  );
}
