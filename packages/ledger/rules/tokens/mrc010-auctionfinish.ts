import { mrc010Auctionfinish, Refused } from "@moneta/protocol";
import { refuseRunning } from "../../market/auction.ts";
import { finish } from "../../market/finish.ts";
import { named } from "../../state/entries.ts";
import { TOKEN_LISTING } from "../../state/token-listing-entry.ts";
import { actingOn, type RuledOperation, ruleOf } from "../rule.ts";
import { tokenGoods } from "./goods.ts";
import { ifOpen } from "./token-listing.ts";

/** Source: tokens §12. */
export const mrc010AuctionfinishRule: RuledOperation = ruleOf(mrc010Auctionfinish, {
  actor: (state, { dexid }) => actingOn(named(state, TOKEN_LISTING, dexid, "dexid"), () => ""),

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
