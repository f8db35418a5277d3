import { mrc010Auctionfinish, Refused } from "@moneta/protocol";
import { refuseRunning } from "../../market/auction.ts";
import { finish } from "../../market/finish.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";
import { tokenGoods } from "./goods.ts";
import { ifOpen, listingNamed } from "./token-listing.ts";

/** Source: tokens §12. */
export const mrc010AuctionfinishRule: RuledOperation = ruleOf(mrc010Auctionfinish, {
  actor(state, { dexid }) {
    const found = listingNamed(state, dexid);
    return found instanceof Refused ? found : acting("", found);
  },

  apply(state, _values, { found }) {
    const lot = ifOpen(found, "auction");
    if (lot instanceof Refused) {
      return lot;
    }
    return (
      refuseRunning(lot.auction_end_date, state.time, "dexid") ?? finish(tokenGoods, state, lot)
    );
  },
});
