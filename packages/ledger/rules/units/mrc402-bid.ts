import { mrc402Bid, Refused } from "@moneta/protocol";
import {
  isBuyNow,
  refuseBidAmount,
  refuseEarly,
  refuseLate,
  refuseLeader,
  refuseOtherToken,
} from "../../market/auction.ts";
import { placeBid } from "../../market/bid.ts";
import { refuseHolderChange } from "../../market/holder-change.ts";
import { refuseOtherTerms } from "../items/terms.ts";
import { type RuledOperation, ruleOf } from "../rule.ts";
import { unitGoods } from "./goods.ts";
import { listingFor, unitTaker } from "./takers.ts";
import { refuseBoundUnits } from "./unit-item.ts";

/** A bid of the buy-now price wins at once. Source: mrc402 §16. */
export const mrc402BidRule: RuledOperation = ruleOf(mrc402Bid, {
  actor: unitTaker,

  apply(state, values, { actor: bidder, found: item }) {
    const { id, amount } = values;
    const lot = listingFor(state, { id, taker: bidder, side: "auction" });
    if (lot instanceof Refused) {
      return lot;
    }
    return (
      refuseOtherTerms(item, values) ??
      refuseBoundUnits(item, "id") ??
      refuseLeader(lot, { bidder, amount }, "buyer") ??
      refuseHolderChange(state, item, {
        ...{ way: "bid", from: lot.seller, to: bidder },
        units: lot.auction_current_bidder === bidder ? 0n : lot.amount,
        at: isBuyNow(lot, amount) ? state.time : lot.auction_end_date,
        ...{ prices: [{ amount, parameter: "amount" }], token: lot.sell_token },
        ...{ pricedUnits: lot.amount, parameter: "id" },
      }) ??
      refuseEarly(lot.auction_start_date, state.time, "id") ??
      refuseLate(lot.auction_end_date, state.time, "id") ??
      refuseOtherToken(lot.sell_token, values.token) ??
      refuseBidAmount(lot, amount) ??
      placeBid(unitGoods, state, lot, { bidder, amount, by: values })
    );
  },
});
