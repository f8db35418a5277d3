import { type Address, mrc402Bid, Refused } from "@moneta/protocol";
import {
  isBuyNow,
  refuseBidAmount,
  refuseEarly,
  refuseLate,
  refuseLeader,
  refuseOtherToken,
} from "../../market/auction.ts";
import { bidMovements, holdBid } from "../../market/held-bid.ts";
import { paymentsText } from "../../market/payments.ts";
import { UNIT_LISTING, type UnitListing } from "../../state/unit-listing-entry.ts";
import { done, effectOn, type Rule, record, ruleOf } from "../rule.ts";
import { refuseBoundUnits } from "./unit-item.ts";
import { itemOf, unitExpense, unitListingRecord, unitReceipt } from "./unit-listing.ts";
import { settleUnits, type UnitLot } from "./unit-settlement.ts";
import { listingFor, unitTaker } from "./unit-takers.ts";

/** Bids for units of an item; a bid of the buy-now price wins at once. Source: mrc402 §16. */
export const mrc402BidRule: Rule<typeof mrc402Bid.parameters> = ruleOf(mrc402Bid, {
  actor: unitTaker,

  apply(state, { id, amount, token: asked, tkey, signature }, operation) {
    const bidder = operation.actor as Address;
    const lot = listingFor(state, { id, taker: bidder, side: "auction" });
    if (lot instanceof Refused) {
      return lot;
    }
    const { auction, payToken: token } = lot;
    const refused =
      refuseBoundUnits(itemOf(state, lot), "id") ??
      refuseLeader(auction, { bidder, amount }, "buyer") ??
      refuseEarly(auction, state.time, "id") ??
      refuseLate(auction, state.time, "id") ??
      refuseOtherToken(token, asked) ??
      refuseBidAmount(auction, amount);
    if (refused !== undefined) {
      return refused;
    }
    const bid = { bidder, amount };
    const refunds = holdBid(state, auction, token, bid);
    if (refunds instanceof Refused) {
      return refunds;
    }

    // Nothing below can fail.
    const by = { signature, tkey };
    const isWon = isBuyNow(auction, amount);
    const led: UnitLot = {
      ...lot,
      auction: { ...auction, bid, bidCount: auction.bidCount + 1 },
      recordType: "mrc402_auctionbid",
    };
    const closing = isWon
      ? settleUnits(state, led, { by, recordType: "mrc402_auctionbuynow" })
      : { listing: led as UnitListing, movements: [], effects: [] };
    state.put(UNIT_LISTING, closing.listing);
    const payments = paymentsText([
      ...bidMovements("mrc402", { id: lot.id, token }, refunds, bid),
      ...closing.movements,
    ]);
    const parameters = [lot.id, lot.seller, bidder, payments];
    const units = isWon ? String(lot.amount) : "";
    const held = unitExpense(lot, bidder, { paid: amount, units }, by);
    return done(state, record("transfer_mrc402bid", bidder, token, held), [
      ...refunds.map(({ bidder: to, amount: paid }) =>
        effectOn(to, "receive_mrc402refund", unitReceipt(lot, to, { paid }, by)),
      ),
      ...closing.effects,
      unitListingRecord(
        closing.listing,
        isWon ? [...parameters, lot.item] : [...parameters, signature, tkey],
      ),
    ]);
  },
});
