import { mrc010Bid, Refused } from "@moneta/protocol";
import {
  isBuyNow,
  refuseBidAmount,
  refuseEarly,
  refuseLate,
  refuseLeader,
} from "../market/auction.ts";
import { paymentsText } from "../market/payments.ts";
import { refuseUnaffordable } from "./balances.ts";
import { done, effectOn, type Rule, record, ruleOf } from "./rule.ts";
import { settle } from "./token-auction.ts";
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
    // The earlier bid is given back first, so that it counts as spendable if it was the bidder's own.
    const refunds = auction.bid === undefined ? [] : [auction.bid];
    for (const earlier of refunds) {
      state.credit(earlier.bidder, payToken, earlier.amount);
    }
    const poor = refuseUnaffordable(state, { address: bidder, token: payToken, amount });
    if (poor !== undefined) {
      return poor;
    }

    // Nothing below can fail.
    state.debit(bidder, payToken, amount);
    const by = { signature, tkey };
    const isWon = isBuyNow(auction, amount);
    const led = {
      ...lot,
      auction: { ...auction, bid: { bidder, amount }, bidCount: auction.bidCount + 1 },
      recordType: "mrc010_auctionbid",
    };
    const closing = isWon
      ? settle(state, led, { recordType: "mrc010_auctionbuynow", by })
      : { listing: led, movements: [], effects: [] };
    const payments = paymentsText([
      ...refunds.map(({ bidder: to, amount: paid }) => ({
        type: "mrc010_recv_refund",
        from: dexid,
        to,
        amount: paid,
        token: payToken,
      })),
      { type: "mrc010_bid", from: bidder, to: dexid, amount, token: payToken },
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
