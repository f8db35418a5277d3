import { mrc010Bid, Refused } from "@moneta/protocol";
import { refuseBidAmount, refuseEarly, refuseLate, refuseLeader } from "../../market/auction.ts";
import { placeBid } from "../../market/bid.ts";
import { type RuledOperation, ruleOf } from "../rule.ts";
import { tokenGoods } from "./goods.ts";
import { ifOpenTo, taker } from "./token-listing.ts";

/** A bid of the buy-now price wins at once. Source: tokens §12. */
export const mrc010BidRule: RuledOperation = ruleOf(mrc010Bid, {
  actor: taker,

  apply(state, values, { actor: bidder, found }) {
    const lot = ifOpenTo(bidder, found, "auction");
    if (lot instanceof Refused) {
      return lot;
    }
    const { amount } = values;
    return (
      refuseEarly(lot.auction_start_date, state.time, "dexid") ??
      refuseLate(lot.auction_end_date, state.time, "dexid") ??
      refuseLeader(lot, { bidder, amount }, "address") ??
      refuseBidAmount(lot, amount) ??
      placeBid(tokenGoods, state, lot, { bidder, amount, by: values })
    );
  },
});
