import { isUnitListingId, mrc402Auctionfinish, Refused, refuse } from "@moneta/protocol";
import { refuseRunning } from "../../market/auction.ts";
import { finish } from "../../market/finish.ts";
import { refuseUnlessOpen } from "../../market/listing.ts";
import { named } from "../../state/entries.ts";
import type { StateReader } from "../../state/state.ts";
import {
  UNIT_LISTING,
  type UnitAuction,
  type UnitListing,
} from "../../state/units/unit-listing-entry.ts";
import { firstEndingAuction } from "../../state/units/unit-listings.ts";
import { actingOnNamed, type RuledOperation, ruleOf } from "../rule.ts";
import { unitGoods } from "./goods.ts";
import { itemFinder } from "./listing.ts";

type Lot = UnitListing & UnitAuction;

/** Source: mrc402 §17. */
export const mrc402AuctionfinishRule: RuledOperation = ruleOf(mrc402Auctionfinish, {
  actor: (state, { id }) => actingOnNamed(itemFinder(state, id, "id"), () => ""),

  apply(state, { id }) {
    const lot = isUnitListingId(id) ? lotNamed(state, id) : lotOfItem(state, id);
    if (lot instanceof Refused) {
      return lot;
    }
    return refuseRunning(lot.auction_end_date, state.time, "id") ?? finish(unitGoods, state, lot);
  },
});

function lotNamed(state: StateReader, id: string): Lot | Refused {
  const listing = named(state, UNIT_LISTING, id, "id");
  return listing instanceof Refused
    ? listing
    : (refuseUnlessOpen(listing, "auction", "id") ?? (listing as Lot));
}

/** The one that ends first: if it is still running, all are. Source: mrc402 §2.7. */
function lotOfItem(state: StateReader, item: string): Lot | Refused {
  const reason = "names an item that is not on auction";
  return (
    (firstEndingAuction(state, item) as Lot | undefined) ??
    refuse({ code: "7106", parameter: "id", reason })
  );
}
