import { type Address, mrc401Auction } from "@moneta/protocol";
import { withinPolicy } from "../../market/holder-change.ts";
import { nearestEnd } from "../../market/new-auction.ts";
import { holderOf } from "../../state/item-entry.ts";
import { type RuledOperation, ruleOf } from "../rule.ts";
import { auctionTerms, newAuction, putOnAuction } from "./item-life.ts";
import { entriesOf, itemLister, listItems } from "./listings.ts";

/** Source: mrc401 §14. */
export const mrc401AuctionRule: RuledOperation = ruleOf(mrc401Auction, {
  actor: (state, values, keyHolder) =>
    itemLister(state, values, entriesOf(values.itemdata.entries), keyHolder),

  apply: (state, values, given) =>
    listItems(
      "auction",
      state,
      values,
      given,
      (item, lot) => {
        const holder = holderOf(item) as Address;
        const auction = withinPolicy(state, item, holder, newAuction(state, lot));
        return [putOnAuction(item, auction, state.time), auctionTerms(auction)];
      },
      ({ start, buynow, end, token }, parameter) => ({
        at: nearestEnd(state, end),
        prices: [
          { amount: start, parameter: `${parameter}.start` },
          { amount: buynow, parameter: `${parameter}.buynow` },
        ],
        token,
      }),
    ),
});
