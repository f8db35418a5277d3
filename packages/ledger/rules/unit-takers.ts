import { type Address, isUnitListingId, Refused, refuse } from "@moneta/protocol";
import { refuseUnlessOpen } from "../market/listing.ts";
import type { StateReader } from "../state/state.ts";
import type { UnitListing } from "../state/unit-listing-entry.ts";
import { mustExist } from "./existence.ts";
import { theOnly } from "./unit-cancels.ts";
import { itemOfId, unitListingNamed } from "./unit-listing.ts";

/** Far more open listings than anybody chooses from by the item's id. */
const LOOKED_AT_MAX = 1000;

/** Who buys or bids: the address that a request names, or that the temporary key was issued to. Source: mrc402 §13, check 2. */
export function unitTaker(
  state: StateReader,
  { id, buyer }: { readonly id: string; readonly buyer: Address | undefined },
  keyHolder: () => Address | Refused,
): Address | Refused {
  const item = itemOfId(state, id, "id");
  return item instanceof Refused
    ? item
    : (mustExist(state, "buyer", buyer) ?? buyer ?? keyHolder());
}

/** The open listing that a buyer's id means, made by somebody else. Source: mrc402 §2.7, §13, §16. */
export function listingFor<S extends UnitListing["side"]>(
  state: StateReader,
  { id, taker, side }: { readonly id: string; readonly taker: Address; readonly side: S },
): Extract<UnitListing, { readonly side: S }> | Refused {
  const listing = isUnitListingId(id)
    ? byId(state, id, taker)
    : byItem(state, { item: id, taker, side });
  return listing instanceof Refused
    ? listing
    : (refuseUnlessOpen(listing, side, "id") ??
        (listing as Extract<UnitListing, { readonly side: S }>));
}

function byId(state: StateReader, id: string, taker: Address): UnitListing | Refused {
  const listing = unitListingNamed(state, id, "id");
  return listing instanceof Refused || listing.seller !== taker ? listing : refuseOwn(taker);
}

function byItem(
  state: StateReader,
  {
    item,
    taker,
    side,
  }: { readonly item: string; readonly taker: Address; readonly side: UnitListing["side"] },
): UnitListing | Refused {
  const open = state.openUnitListings({ item, side }, { limit: LOOKED_AT_MAX });
  const byOthers = open.filter(({ seller }) => seller !== taker);
  const running = byOthers.filter(
    (listing) =>
      listing.side === "auction" &&
      listing.auction.startDate <= state.time &&
      state.time < listing.auction.endDate,
  );
  return byOthers.length === 0 && open.length > 0
    ? refuseOwn(taker)
    : theOnly(running.length > 0 ? running : byOthers, side, "id");
}

function refuseOwn(taker: Address): Refused {
  const reason = `is ${taker}, who made the listing: nobody trades with oneself`;
  return refuse({ code: "3004", parameter: "buyer", reason });
}
