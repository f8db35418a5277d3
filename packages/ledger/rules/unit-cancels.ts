import {
  type Address,
  isUnitListingId,
  type LedgerOperation,
  NATIVE_COIN,
  Refused,
  refuse,
  type TransactionRecord,
} from "@moneta/protocol";
import { refuseBidden } from "../market/auction.ts";
import { refuseUnlessOpen } from "../market/listing.ts";
import type { State, StateReader } from "../state/state.ts";
import type { UnitListing } from "../state/unit-listing-entry.ts";
import { mustExist } from "./existence.ts";
import { allOrFirstRefusal, firstRefusal } from "./first-refusal.ts";
import { isAgent, sellerFor } from "./multi-unit-item.ts";
import { done, effectOn, record, type Signed } from "./rule.ts";
import { giveBack, itemOf, itemOfId, unitListingNamed, unitListingRecord } from "./unit-listing.ts";
import { refuseOutside } from "./unit-offers.ts";

/** So many ids of listings are named where several match. */
const NAMED_MAX = 100;

interface Values {
  readonly seller: Address | undefined;
  readonly id: string;
  readonly itemdata: { readonly text: string; readonly entries: readonly string[] } | undefined;
}

/** What a request takes back: the id, and what it is called in messages. */
interface Entry {
  readonly id: string;
  readonly parameter: string;
}

function entriesOf({ id, itemdata }: Values): readonly Entry[] {
  return itemdata === undefined
    ? [{ id, parameter: "id" }]
    : itemdata.entries.map((entry, index) => ({ id: entry, parameter: `itemdata[${index}]` }));
}

/** Who takes listings back, or what does not exist or is not allowed. Source: mrc402 §12, check 2. */
export function unitCanceller(
  state: StateReader,
  values: Values,
  keyHolder: () => Address | Refused,
): Address | Refused {
  const { seller, id, itemdata } = values;
  // Without a list the id in the path is that of a listing.
  if (itemdata === undefined && !isUnitListingId(id)) {
    return refuse({ code: "6004", parameter: "id", given: id });
  }
  const items = allOrFirstRefusal(entriesOf(values), (entry) =>
    itemOfId(state, entry.id, entry.parameter),
  );
  if (items instanceof Refused) {
    return items;
  }
  const meant =
    itemdata !== undefined && isUnitListingId(id) ? unitListingNamed(state, id, "id") : undefined;
  if (meant instanceof Refused) {
    return meant;
  }
  return (
    mustExist(state, "seller", seller) ??
    (itemdata === undefined || id === ""
      ? undefined
      : meant === undefined
        ? refuseOutside(state, id, items)
        : refuseOtherListing(entriesOf(values), meant)) ??
    seller ??
    keyHolder()
  );
}

function refuseOtherListing(entries: readonly Entry[], meant: UnitListing): Refused | undefined {
  return firstRefusal(entries, ({ id, parameter }) => {
    const reason = `names neither ${meant.id}, which is in the path, nor its item`;
    return id === meant.id || id === meant.item
      ? undefined
      : refuse({ code: "3005", parameter, reason });
  });
}

/** Takes listings back. Source: mrc402 §12, §15. */
export function cancelUnits(
  act: "unsell" | "unauction",
  state: State,
  values: Values & Signed,
  operation: LedgerOperation,
): TransactionRecord | Refused {
  const { itemdata, signature, tkey } = values;
  const actor = operation.actor as Address;
  const side = act === "unsell" ? "sell" : "auction";
  const targets = entriesOf(values).map((entry) => ({
    entry,
    target: targetOf(state, values, entry, { actor, side }),
  }));
  const refused =
    firstRefusal(targets, ({ target }) =>
      target instanceof Refused && target.fault.code === "7001" ? target : undefined,
    ) ??
    firstRefusal(targets, ({ entry, target }) =>
      target instanceof Refused
        ? target
        : (refuseUnlessOpen(target, side, entry.parameter) ??
          (target.side === "auction" ? refuseBidden(target.auction, entry.parameter) : undefined)),
    ) ??
    firstRefusal(targets, ({ entry, target }, index) => {
      const reason = "means a listing that is in the list twice";
      const first = targets.findIndex(
        (other) => (other.target as UnitListing).id === (target as UnitListing).id,
      );
      return first < index
        ? refuse({ code: "3004", parameter: entry.parameter, reason })
        : undefined;
    });
  if (refused !== undefined) {
    return refused;
  }

  // Nothing below can fail.
  const closed = {
    state: "cancelled",
    cancelDate: state.time,
    recordType: `mrc402_${act}`,
  } as const;
  const listings = targets.map(({ target }) => giveBack(state, target as UnitListing, closed));
  const type = `mrc402${act}` as const;
  const [only] = listings;
  const primary =
    itemdata === undefined && only !== undefined
      ? record(type, actor, only.payToken, cancelParameters(only, { signature, tkey }))
      : record(type, actor, NATIVE_COIN, [itemdata?.text ?? "", actor, signature, tkey]);
  return done(state, primary, [
    ...listings.map((listing) =>
      unitListingRecord(listing, cancelParameters(listing, { signature, tkey })),
    ),
    // For whom an agent has acted.
    ...listings
      .filter(({ seller }) => seller !== actor)
      .map((listing) =>
        effectOn(listing.seller, type, cancelParameters(listing, { signature, tkey })),
      ),
  ]);
}

/** The listing that an entry means; refused with 7001 without the right to take it back, with 7106 or 7107 unless it means just one. Source: mrc402 §2.7, §12. */
function targetOf(
  state: StateReader,
  { id: path, itemdata }: Values,
  { id, parameter }: Entry,
  { actor, side }: { readonly actor: Address; readonly side: "sell" | "auction" },
): UnitListing | Refused {
  const named = isUnitListingId(id)
    ? id
    : itemdata !== undefined && isUnitListingId(path)
      ? path
      : undefined;
  if (named !== undefined) {
    const listing = unitListingNamed(state, named, parameter);
    if (listing instanceof Refused) {
      return listing;
    }
    const item = itemOf(state, listing);
    const reason = `${parameter} means ${named}, which ${actor} has not made, and it may not act for who has.`;
    return listing.seller === actor ||
      (listing.seller === item.creator && isAgent(state, item, actor))
      ? listing
      : refuse({ code: "7001", parameter, reason });
  }
  const item = itemOfId(state, id, parameter);
  const seller = item instanceof Refused ? item : sellerFor(state, item, actor, parameter);
  if (seller instanceof Refused) {
    return seller;
  }
  return theOnly(
    state.openUnitListings({ item: id, side }, { seller, limit: NAMED_MAX }),
    side,
    parameter,
  );
}

/** The listing, if there is just one; else 7106 or 7107. Source: mrc402 §2.7. */
export function theOnly(
  listings: readonly UnitListing[],
  side: UnitListing["side"],
  parameter: string,
): UnitListing | Refused {
  const [first, ...others] = listings;
  const reason = `names an item that is not on ${side === "sell" ? "sale" : "auction"}`;
  if (first === undefined) {
    return refuse({ code: "7106", parameter, reason });
  }
  return others.length === 0
    ? first
    : refuse({
        code: "7107",
        parameter,
        listings: listings.slice(0, NAMED_MAX).map(({ id }) => id),
      });
}

function cancelParameters(listing: UnitListing, { signature, tkey }: Signed): readonly string[] {
  const [units, price] =
    listing.side === "sell"
      ? [listing.remaining, listing.price]
      : [listing.amount, listing.auction.startPrice];
  return [
    listing.id,
    listing.seller,
    String(units),
    listing.item,
    String(price),
    listing.payToken,
    signature,
    tkey,
  ];
}
