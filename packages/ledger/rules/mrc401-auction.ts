import { type Address, type ItemLot, mrc401Auction, NATIVE_COIN, Refused } from "@moneta/protocol";
import { putOnAuction } from "../items/item-life.ts";
import { auctionFor } from "./item-auction.ts";
import { entriesOf, forOwners, itemLister, itemsFor } from "./item-listing.ts";
import { putItem } from "./project-item.ts";
import { done, type Rule, record, ruleOf } from "./rule.ts";

/** Puts items on auction. Source: mrc401 §14. */
export const mrc401AuctionRule: Rule<typeof mrc401Auction.parameters> = ruleOf(mrc401Auction, {
  actor: (state, values, keyHolder) =>
    itemLister(state, values, entriesOf(values.itemdata.entries), keyHolder),

  apply(state, { itemdata, tkey, signature }, operation) {
    const actor = operation.actor as Address;
    const items = itemsFor("auction", state, actor, entriesOf(itemdata.entries));
    if (items instanceof Refused) {
      return items;
    }

    // Nothing below can fail.
    const parameters = [itemdata.text, actor, signature, tkey];
    const effects = items.map((item, index) => {
      const lot = itemdata.entries[index] as ItemLot;
      const auction = auctionFor(state, lot);
      const listed = putOnAuction(item, { auction, token: lot.token, time: state.time });
      const { startPrice, buyNowPrice, bidUnit } = auction;
      const prices = [String(startPrice), lot.token, String(buyNowPrice), String(bidUnit)];
      return putItem(state, listed, "mrc401_auction", [item.id, actor, ...prices, signature, tkey]);
    });
    return done(state, record("mrc401auction", actor, NATIVE_COIN, parameters), [
      ...effects,
      ...forOwners(items, actor, "mrc401auction", parameters),
    ]);
  },
});
