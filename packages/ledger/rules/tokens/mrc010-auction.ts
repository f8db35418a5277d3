import { mrc010Auction, ONE, Refused } from "@moneta/protocol";
import { refuseUnaffordable } from "../../market/balances.ts";
import { signedAuction } from "../../market/new-auction.ts";
import { type RuledOperation, ruleOf } from "../rule.ts";
import { list, lister } from "./token-listing.ts";

/** Source: tokens §12. */
export const mrc010AuctionRule: RuledOperation = ruleOf(mrc010Auction, {
  actor: lister,

  apply(state, values, { operation }) {
    const { address, mrc010id: token, amount } = values;
    const auction = signedAuction(state, values);
    if (auction instanceof Refused) {
      return auction;
    }
    const poor = refuseUnaffordable(state, { address, token, amount });
    if (poor !== undefined) {
      return poor;
    }

    state.balances.debit(address, token, amount);
    const terms = {
      ...auction,
      side: "auction",
      seller: address,
      sell_token: values.token,
    } as const;
    return list("auction", state, values, { unit: ONE, terms, operation });
  },
});
