import { mrc010Auction, ONE, PLATFORM_FIELDS, Refused } from "@moneta/protocol";
import { auctionDates } from "../../market/auction-dates.ts";
import { refuseUnaffordable } from "../../market/balances.ts";
import { done, type Rule, record, ruleOf, sent, signatureOf } from "../rule.ts";
import { lister, newListing, putListing } from "./token-listing.ts";

/** Puts units of a token up for auction, as one lot. Source: tokens §12. */
export const mrc010AuctionRule: Rule<typeof mrc010Auction.parameters> = ruleOf(mrc010Auction, {
  actor: lister,

  apply(state, values, operation) {
    const { address, mrc010id: token, amount } = values;
    const dates = auctionDates(state, values);
    if (dates instanceof Refused) {
      return dates;
    }
    const poor = refuseUnaffordable(state, { address, token, amount });
    if (poor !== undefined) {
      return poor;
    }

    // Nothing below can fail.
    state.debit(address, token, amount);
    const listing = {
      ...newListing(state, values, ONE, "mrc010_auction"),
      side: "auction" as const,
      auction: {
        startPrice: values.auction_start_price,
        bidUnit: values.auction_bidding_unit,
        buyNowPrice: values.auction_buynow_price,
        ...dates,
        settleDate: 0,
        bidCount: 0,
        bid: undefined,
      },
    };
    const parameters = [
      listing.id,
      ...sent(operation, "address", "amount", "mrc010id", "auction_start_price", "token"),
      ...sent(operation, "auction_bidding_unit", "auction_buynow_price"),
      ...sent(operation, "auction_start_date", "auction_end_date", ...PLATFORM_FIELDS),
      signatureOf(operation),
      ...sent(operation, "tkey"),
    ];
    const listed = putListing(state, listing, parameters);
    return done(state, record("mrc010auction", address, token, parameters), [listed]);
  },
});
