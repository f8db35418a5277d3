import { type Address, mrc401Bid } from "@moneta/protocol";
import {
  isBuyNow,
  refuseBidAmount,
  refuseLate,
  refuseLeader,
  refuseOtherToken,
} from "../../market/auction.ts";
import { placeBid } from "../../market/bid.ts";
import { refuseHolderChange } from "../../market/holder-change.ts";
import { holderOf } from "../../state/item-entry.ts";
import { type RuledOperation, ruleOf } from "../rule.ts";
import { itemGoods } from "./goods.ts";
import { itemActor, refuseHolder } from "./item.ts";
import { refuseBound, refusePhase } from "./item-life.ts";
import { refuseOtherTerms } from "./terms.ts";

/** Bids for an item; a bid of the buy-now price wins at once. Source: mrc401 §16. */
export const mrc401BidRule: RuledOperation = ruleOf(mrc401Bid, {
  actor: (state, { mrc401id, buyer }, keyHolder) =>
    itemActor(state, mrc401id, { buyer }, keyHolder),

  apply(state, values, { actor: bidder, found: item }) {
    const refused =
      refuseHolder(item, bidder, "buyer") ??
      refusePhase("bid", item, "mrc401id") ??
      refuseOtherTerms(item, values) ??
      refuseBound("bid", item, "mrc401id");
    if (refused !== undefined) {
      return refused;
    }
    const { amount } = values;
    return (
      refuseLeader(item, { bidder, amount }, "buyer") ??
      refuseHolderChange(state, item, {
        ...{ way: "bid", from: holderOf(item) as Address, to: bidder },
        units: item.auction_current_bidder === bidder ? 0n : 1n,
        at: isBuyNow(item, amount) ? state.time : item.auction_end,
        ...{ prices: [{ amount, parameter: "amount" }], token: item.auction_token },
        parameter: "mrc401id",
      }) ??
      refuseLate(item.auction_end, state.time, "mrc401id") ??
      refuseOtherToken(item.auction_token, values.token) ??
      refuseBidAmount(item, amount) ??
      placeBid(itemGoods, state, item, { bidder, amount, by: values })
    );
  },
});
