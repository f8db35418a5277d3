import { type Address, type ItemOffer, mrc401Sell, NATIVE_COIN, Refused } from "@moneta/protocol";
import { putOnSale } from "../items/item-life.ts";
import { entriesOf, forOwners, itemLister, itemsFor } from "./item-listing.ts";
import { putItem } from "./project-item.ts";
import { done, type Rule, record, ruleOf } from "./rule.ts";

/** Puts items on sale. Source: mrc401 §10. */
export const mrc401SellRule: Rule<typeof mrc401Sell.parameters> = ruleOf(mrc401Sell, {
  actor: (state, values, keyHolder) =>
    itemLister(state, values, entriesOf(values.itemdata.entries), keyHolder),

  apply(state, { itemdata, tkey, signature }, operation) {
    const actor = operation.actor as Address;
    const items = itemsFor("sell", state, actor, entriesOf(itemdata.entries));
    if (items instanceof Refused) {
      return items;
    }

    // Nothing below can fail.
    const parameters = [itemdata.text, actor, signature, tkey];
    const effects = items.map((item, index) => {
      const { price, token } = itemdata.entries[index] as ItemOffer;
      const listed = putOnSale(item, { price, token, time: state.time });
      const offered = [item.id, actor, String(price), token, signature, tkey];
      return putItem(state, listed, "mrc401_sell", offered);
    });
    return done(state, record("mrc401sell", actor, NATIVE_COIN, parameters), [
      ...effects,
      ...forOwners(items, actor, "mrc401sell", parameters),
    ]);
  },
});
