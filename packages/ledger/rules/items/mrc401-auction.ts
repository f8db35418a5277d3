import { mrc401Auction } from "@moneta/protocol";
import { type Rule, ruleOf } from "../rule.ts";
import { auctionFor, auctionTerms } from "./item-auction.ts";
import { putOnAuction } from "./item-life.ts";
import { entriesOf, itemLister, listItems } from "./item-listing.ts";

/** Puts items on auction. Source: mrc401 §14. */
export const mrc401AuctionRule: Rule<typeof mrc401Auction.parameters> = ruleOf(mrc401Auction, {
  actor: (state, values, keyHolder) =>
    itemLister(state, values, entriesOf(values.itemdata.entries), keyHolder),

  apply: (state, values, operation) =>
    listItems("auction", state, values, {
      operation,
      list(item, lot) {
        const { token } = lot;
        const auction = auctionFor(state, lot);
        return [
          putOnAuction(item, { auction, token, time: state.time }),
          auctionTerms(auction, token),
        ];
      },
    }),
});
