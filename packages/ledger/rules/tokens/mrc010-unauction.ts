import { mrc010Unauction, Refused } from "@moneta/protocol";
import { refuseBidden, refuseLate } from "../../market/auction.ts";
import { type RuledOperation, ruleOf } from "../rule.ts";
import { cancel, canceller, ifOpen } from "./token-listing.ts";

/** Source: tokens §12. */
export const mrc010UnauctionRule: RuledOperation = ruleOf(mrc010Unauction, {
  actor: canceller,

  apply(state, values, { found }) {
    const lot = ifOpen(found, "auction");
    if (lot instanceof Refused) {
      return lot;
    }
    const { mrc010: token, amount, auction_start_price: price } = lot;
    const escrow = { token, amount };
    return (
      refuseBidden(lot, "dexid") ??
      refuseLate(lot.auction_end_date, state.time, "dexid") ??
      cancel("unauction", state, lot, { escrow, units: amount, price, by: values })
    );
  },
});
