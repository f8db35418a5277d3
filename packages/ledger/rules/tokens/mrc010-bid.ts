import { mrc010Bid, Refused } from "@moneta/protocol";
import {
  isBuyNow,
  refuseBidAmount,
  refuseEarly,
  refuseLate,
  refuseLeader,
} from "../../market/auction.ts";
import { bidMovements, holdBid } from "../../market/held-bid.ts";
import { paymentsText } from "../../market/payments.ts";
import { done, effectOn, type Rule, record, ruleOf } from "../rule.ts";
import { type Lot, settle } from "./token-auction.ts";
import { expense, openListingForTaker, putListing, receipt, taker } from "./token-listing.ts";

/** Bids in an auction of tokens; a bid of the buy-now price wins at once. Source: tokens §12. */
export const mrc010BidRule: Rule<typeof mrc010Bid.parameters> = ruleOf(mrc010Bid, {
  actor: taker,

  apply(state, { dexid, address: bidder, amount, tkey, signature }) {
    const lot = openListingForTaker(state, { dexid, address: bidder }, "auction");
    if (lot instanceof Refused) {
      return lot;
    }
    const { auction, creator: seller, token, payToken } = lot;
    const refused =
      refuseEarly(auction, state.time, "dexid") ??
      refuseLate(auction, state.time, "dexid") ??
      refuseLeader(auction, { bidder, amount }, "address") ??
      refuseBidAmount(auction, amount);
    if (refused !== undefined) {
      return refused;
    }
    const bid = { bidder, amount };
    const refunds = holdBid(state, auction, payToken, bid);
    if (refunds instanceof Refused) {
      return refunds;
    }

    // Nothing below can fail.
    const by = { signature, tkey };
    const isWon = isBuyNow(auction, amount);
    const led: Lot = {
      ...lot,
      auction: { ...auction, bid, bidCount: auction.bidCount + 1 },
      recordType: "mrc010_auctionbid",
    };
    const closing = isWon
      ? settle(state, led, { recordType: "mrc010_auctionbuynow", by })
      : { listing: led, movements: [], effects: [] };
    const payments = paymentsText([
      ...bidMovements("mrc010", { id: dexid, token: payToken }, refunds, bid),
      ...closing.movements,
    ]);
    const listing = putListing(state, closing.listing, [dexid, seller, bidder, payments, token]);
    const held = expense(
      lot,
      bidder,
      { paid: amount, ...(isWon ? { units: lot.amount } : {}) },
      by,
    );
    return done(state, record("transfer_mrc010bid", bidder, token, held), [
      ...refunds.map(({ bidder: to, amount: paid }) =>
        effectOn(to, "receive_mrc010refund", receipt(lot, to, { paid }, by)),
      ),
      ...closing.effects,
      listing,
    ]);
  },
});
