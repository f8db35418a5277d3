import { type Amount, mrc402Auction, PLATFORM_FIELDS, Refused } from "@moneta/protocol";
import { auctionDates } from "../../market/auction-dates.ts";
import type { State } from "../../state/state.ts";
import type { UnitAuction } from "../../state/unit-listing-entry.ts";
import { auctionFor } from "../items/item-auction.ts";
import { type Rule, ruleOf, sent } from "../rule.ts";
import { asksOf, offerUnits, unitLister } from "./unit-offers.ts";

/** Puts units of items on auction, those of each item as one lot. Source: mrc402 §14. */
export const mrc402AuctionRule: Rule<typeof mrc402Auction.parameters> = ruleOf(mrc402Auction, {
  actor: (state, values, keyHolder) => unitLister(state, values, asksOf(values), keyHolder),

  apply: (state, values, operation) =>
    offerUnits("auction", state, values, {
      operation,
      asks: asksOf(values),
      terms: (index) => auctionOf(state, values, index),
      own: [
        ...sent(operation, "amount", "id", "auction_start_price", "token"),
        ...sent(operation, "auction_bidding_unit", "auction_buynow_price"),
        ...sent(operation, "auction_start_date", "auction_end_date", ...PLATFORM_FIELDS),
      ],
    }),
});

type Values = Parameters<Rule<typeof mrc402Auction.parameters>["actor"]>[1];

/** A date out of bounds is moved into them where it stands in a list, and refused where it is signed by itself. Source: mrc402 §14. */
function auctionOf(state: State, values: Values, index: number): UnitAuction | Refused {
  const NEW = { bidCount: 0, settleDate: 0 };
  const lot = values.itemdata?.entries[index];
  if (lot !== undefined) {
    const auction = { ...auctionFor(state, lot), ...NEW, startDate: state.time };
    return { side: "auction", auction };
  }
  const dates = auctionDates(state, values);
  if (dates instanceof Refused) {
    return dates;
  }
  const auction = {
    startPrice: values.auction_start_price as Amount,
    bidUnit: values.auction_bidding_unit,
    buyNowPrice: values.auction_buynow_price,
    ...dates,
    ...NEW,
    bid: undefined,
  };
  return { side: "auction", auction };
}
