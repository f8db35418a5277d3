import { type Address, isUnitListingId, Refused, refuse } from "@moneta/protocol";
import { refuseUnlessOpen } from "../../market/listing.ts";
import { named } from "../../state/entries.ts";
import type { StateReader } from "../../state/state.ts";
import type { UnitItem } from "../../state/units/unit-item-entry.ts";
import { UNIT_LISTING, type UnitListing } from "../../state/units/unit-listing-entry.ts";
import { unitListingIdsBy, unitListingIdsByOthers } from "../../state/units/unit-listings.ts";
import { namedOrKeyHolder } from "../existence.ts";
import { type Acting, actingOnNamed } from "../rule.ts";
import { theOnly } from "./cancels.ts";
import { itemFinder } from "./listing.ts";

/** The request's address, or the temporary key's. Source: mrc402 §13. */
export function unitTaker(
  state: StateReader,
  { id, buyer }: { readonly id: string; readonly buyer: Address | undefined },
  keyHolder: () => Address | Refused,
): Acting<UnitItem> | Refused {
  return actingOnNamed(itemFinder(state, id, "id"), () =>
    namedOrKeyHolder(state, "buyer", buyer, keyHolder),
  );
}

/** Source: mrc402 §2.7, §13, §16. */
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
  const listing = named(state, UNIT_LISTING, id, "id");
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
  const found = theOnly(
    state,
    (limit) => unitListingIdsByOthers(state, taker, { mrc402: item, side }, limit),
    {
      side,
      parameter: "id",
    },
  );
  const isOwnOnly =
    found instanceof Refused &&
    found.fault.code === "7106" &&
    unitListingIdsBy(state, taker, { mrc402: item, side }, 1).length > 0;
  return isOwnOnly ? refuseOwn(taker) : found;
}

function refuseOwn(taker: Address): Refused {
  const reason = `is ${taker}, who made the listing: an address cannot trade with itself`;
  return refuse({ code: "3004", parameter: "buyer", reason });
}
