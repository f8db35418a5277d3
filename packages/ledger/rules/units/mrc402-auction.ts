import {
  type Amount,
  mrc402Auction,
  PLATFORM_FIELDS,
  Refused,
  type ValuesOf,
} from "@moneta/protocol";
import { listedPrices, NO_BID, nearestEnds, signedAuction } from "../../market/new-auction.ts";
import { record, sent } from "../../records/record.ts";
import type { DatedAuction } from "../../state/auction.ts";
import type { State } from "../../state/state.ts";
import { type RuledOperation, ruleOf } from "../rule.ts";
import { asksOf, listAsks, unitLister } from "./asks.ts";

/** Units of each item are one lot. Source: mrc402 §14. */
export const mrc402AuctionRule: RuledOperation = ruleOf(mrc402Auction, {
  actor: (state, values, keyHolder) => unitLister(state, values, asksOf(values), keyHolder),

  apply: (state, values, { operation, ...given }) =>
    listAsks("auction", state, values, {
      ...given,
      asks: asksOf(values),
      terms(index) {
        const auction = auctionFor(state, values, index);
        return auction instanceof Refused ? auction : { side: "auction", ...auction };
      },
      own(listed, filing) {
        const asked = {
          ...sent(operation, "amount", "auction_start_price", "token", "auction_bidding_unit"),
          ...sent(operation, "auction_buynow_price", "auction_start_date", "auction_end_date"),
          ...sent(operation, ...PLATFORM_FIELDS),
        };
        const { id: item } = sent(operation, "id");
        return record("mrc402auction", { ...listed, ...asked, item }, filing);
      },
    }),
});

/**
 * A date out of bounds is moved in a list, and refused where it is signed by itself.
 * Source: mrc402 §14.
 */
function auctionFor(
  state: State,
  values: ValuesOf<typeof mrc402Auction.parameters>,
  index: number,
): DatedAuction | Refused {
  const lot = values.itemdata?.entries[index];
  if (lot === undefined) {
    const auction_start_price = values.auction_start_price as Amount;
    return signedAuction(state, { ...values, auction_start_price });
  }
  const { end, ...softClose } = nearestEnds(state, lot);
  return {
    ...listedPrices(lot),
    auction_start_date: state.time,
    auction_end_date: end,
    auction_settle_date: 0,
    auction_bid_count: 0,
    ...NO_BID,
    ...softClose,
  };
}
