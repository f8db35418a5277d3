import { isUnitListingId, mrc402Auctionfinish, Refused, refuse, ZERO } from "@moneta/protocol";
import { refuseRunning } from "../../market/auction.ts";
import { refuseUnlessOpen } from "../../market/listing.ts";
import { paymentsText } from "../../market/payments.ts";
import type { StateReader } from "../../state/state.ts";
import { BY_NOBODY, done, type Rule, record, ruleOf } from "../rule.ts";
import {
  giveBack,
  itemOfId,
  unitListingNamed,
  unitListingRecord,
  unitReceipt,
} from "./unit-listing.ts";
import { settleUnits, type UnitLot } from "./unit-settlement.ts";

/** Closes an auction of units that is over. Source: mrc402 §17. */
export const mrc402AuctionfinishRule: Rule<typeof mrc402Auctionfinish.parameters> = ruleOf(
  mrc402Auctionfinish,
  {
    actor(state, { id }) {
      const item = itemOfId(state, id, "id");
      return item instanceof Refused ? item : "";
    },

    apply(state, { id }) {
      const lot = isUnitListingId(id) ? lotNamed(state, id) : lotOfItem(state, id);
      if (lot instanceof Refused) {
        return lot;
      }
      const running = refuseRunning(lot.auction, state.time, "id");
      if (running !== undefined) {
        return running;
      }

      // Nothing below can fail.
      const { seller, amount, item, payToken: token, auction } = lot;
      const winner = auction.bid?.bidder;
      if (winner === undefined) {
        const failed = giveBack(state, lot, {
          state: "failed",
          auction: { ...auction, settleDate: state.time },
          recordType: "mrc402_auctionfailure",
        });
        const parameters = [lot.id, seller, String(amount), item];
        return done(state, record("mrc402auctionfailure", seller, token, parameters), [
          unitListingRecord(failed, parameters),
        ]);
      }
      const won = settleUnits(state, lot, { by: BY_NOBODY, recordType: "mrc402_auctionwinning" });
      const payments = paymentsText(won.movements);
      const got = unitReceipt(lot, winner, { paid: ZERO, units: String(amount) }, BY_NOBODY);
      return done(state, record("receive_mrc402item", winner, token, got), [
        ...won.effects,
        unitListingRecord(won.listing, [lot.id, seller, winner, payments, item]),
      ]);
    },
  },
);

function lotNamed(state: StateReader, id: string): UnitLot | Refused {
  const listing = unitListingNamed(state, id, "id");
  return listing instanceof Refused
    ? listing
    : (refuseUnlessOpen(listing, "auction", "id") ?? (listing as UnitLot));
}

/** The item's open auction that ends first, and of several the one that was listed first: if it is still running, all are. Source: mrc402 §2.7. */
function lotOfItem(state: StateReader, item: string): UnitLot | Refused {
  const reason = "names an item that is not on auction";
  return (
    (state.firstEndingAuction(item) as UnitLot | undefined) ??
    refuse({ code: "7106", parameter: "id", reason })
  );
}
