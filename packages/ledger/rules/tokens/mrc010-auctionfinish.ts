import { mrc010Auctionfinish, Refused } from "@moneta/protocol";
import { refuseRunning } from "../../market/auction.ts";
import { paymentsText } from "../../market/payments.ts";
import { BY_NOBODY, done, type Rule, record, ruleOf } from "../rule.ts";
import { type Lot, settle } from "./token-auction.ts";
import { creatorOf, openListing, putListing, receipt } from "./token-listing.ts";

/** Closes an auction of tokens that is over. Source: tokens §12. */
export const mrc010AuctionfinishRule: Rule<typeof mrc010Auctionfinish.parameters> = ruleOf(
  mrc010Auctionfinish,
  {
    actor(state, { dexid }) {
      const creator = creatorOf(state, dexid);
      return creator instanceof Refused ? creator : "";
    },

    apply(state, { dexid }) {
      const lot = openListing(state, dexid, "auction");
      if (lot instanceof Refused) {
        return lot;
      }
      const { auction, creator: seller, amount, token } = lot;
      const running = refuseRunning(auction, state.time, "dexid");
      if (running !== undefined) {
        return running;
      }

      // Nothing below can fail.
      const winner = auction.bid?.bidder;
      if (winner === undefined) {
        state.credit(seller, token, amount);
        const failed: Lot = {
          ...lot,
          state: "failed",
          auction: { ...auction, settleDate: state.time },
          recordType: "mrc010_auctionfailure",
        };
        const parameters = [dexid, seller, String(amount), token];
        const listing = putListing(state, failed, parameters);
        return done(state, record("mrc010auctionfailure", seller, token, parameters), [listing]);
      }
      const won = settle(state, lot, { recordType: "mrc010_auctionwinning", by: BY_NOBODY });
      const payments = paymentsText(won.movements);
      const listing = putListing(state, won.listing, [dexid, seller, winner, payments, token]);
      const got = receipt(lot, winner, { units: amount }, BY_NOBODY);
      return done(state, record("receive_mrc010item", winner, token, got), [
        ...won.effects,
        listing,
      ]);
    },
  },
);
