import { type ChangedItem, mrc402Itemupdate, rateText, refuse } from "@moneta/protocol";
import { done, record } from "../../records/record.ts";
import { UNIT_ITEM } from "../../state/units/unit-item-entry.ts";
import { namedOrKeyHolder } from "../existence.ts";
import { firstRefusal } from "../first-refusal.ts";
import { itemsToChange, refuseChanges, refuseSame, termsAfter } from "../items/terms.ts";
import { actingOn, type RuledOperation, ruleOf } from "../rule.ts";
import { refuseRates } from "./listing.ts";
import { putUnitItem, refuseEnded } from "./unit-item.ts";

/**
 * Code points in one operation: a block includes all texts of a changed item. Source: mrc402 §10.
 */
const TEXTS_LENGTH_MAX = 2 ** 20;

/** Source: mrc402 §10. */
export const mrc402ItemupdateRule: RuledOperation = ruleOf(mrc402Itemupdate, {
  actor: (state, values, keyHolder) =>
    actingOn(itemsToChange(state, UNIT_ITEM, values), () =>
      namedOrKeyHolder(state, "owner", values.owner, keyHolder),
    ),

  apply(state, { mrc400id, itemdata, tkey, signature }, { actor, found }) {
    const { project, items } = found;
    const changes = items.map((item, index) => {
      const terms = termsAfter(item, itemdata.entries[index] as ChangedItem);
      return { item, changed: { ...item, ...terms } };
    });
    const refused =
      refuseChanges(state, { project, actor, changes }, refuseEnded) ??
      firstRefusal(changes, ({ changed }, index) =>
        refuseRates(changed, changed, `itemdata[${index}].sell_fee`),
      ) ??
      refuseSame(UNIT_ITEM, changes);
    if (refused !== undefined) {
      return refused;
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
