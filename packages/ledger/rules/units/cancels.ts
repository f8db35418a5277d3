import {
  type Address,
  isUnitListingId,
  type RecordValues,
  Refused,
  refuse,
  type TransactionRecord,
} from "@moneta/protocol";
import { refuseBidden } from "../../market/auction.ts";
import { refuseUnlessOpen } from "../../market/listing.ts";
import { done, effect, record, type Signed } from "../../records/record.ts";
import { named } from "../../state/entries.ts";
import type { State, StateReader } from "../../state/state.ts";
import type { UnitItem } from "../../state/units/unit-item-entry.ts";
import { UNIT_LISTING, type UnitListing } from "../../state/units/unit-listing-entry.ts";
import { unitListingIdsBy } from "../../state/units/unit-listings.ts";
import { mustExist } from "../existence.ts";
import { allOrFirstRefusal, firstRefusal } from "../first-refusal.ts";
import { type Acting, acting } from "../rule.ts";
import { refuseOutside } from "./asks.ts";
import { putListing } from "./goods.ts";
import { giveBack, itemOfId } from "./listing.ts";
import { isAgent, sellerFor } from "./unit-item.ts";

const NAMED_MAX = 100;

interface Values {
  readonly seller: Address | undefined;
  readonly id: string;
  readonly itemdata: { readonly text: string; readonly entries: readonly string[] } | undefined;
}

interface Entry {
  readonly id: string;
  readonly parameter: string;
}

function entriesOf({ id, itemdata }: Values): readonly Entry[] {
  return itemdata === undefined
    ? [{ id, parameter: "id" }]
    : itemdata.entries.map((entry, index) => ({ id: entry, parameter: `itemdata[${index}]` }));
}

/** Refuses missing objects or permissions. Source: mrc402 §12, check 2. */
export function unitCanceller(
  state: StateReader,
  values: Values,
  keyHolder: () => Address | Refused,
): Acting<readonly UnitItem[]> | Refused {
  const { seller, id, itemdata } = values;
  // Without a list the id in the path is that of a listing.
  if (itemdata === undefined && !isUnitListingId(id)) {
    return refuse({ code: "6004", what: "a listing", parameter: "id", given: id });
  }
  const items = allOrFirstRefusal(entriesOf(values), (entry) =>
    itemOfId(state, entry.id, entry.parameter),
  );
  if (items instanceof Refused) {
    return items;
  }
  const meant =
    itemdata !== undefined && isUnitListingId(id)
      ? named(state, UNIT_LISTING, id, "id")
      : undefined;
  if (meant instanceof Refused) {
    return meant;
  }
  const actor =
    mustExist(state, "seller", seller) ??
    (itemdata === undefined || id === ""
      ? undefined
      : meant === undefined
        ? refuseOutside(state, id, items)
        : refuseOtherListing(entriesOf(values), meant)) ??
    seller ??
    keyHolder();
  return acting(actor, items);
}

function refuseOtherListing(entries: readonly Entry[], meant: UnitListing): Refused | undefined {
  return firstRefusal(entries, ({ id, parameter }) => {
    const reason = `names neither ${meant.dexid}, which is in the path, nor its item`;
    return id === meant.dexid || id === meant.mrc402
      ? undefined
      : refuse({ code: "3005", parameter, reason });
  });
}

/** Source: mrc402 §12, §15. */
export function cancelUnits(
  act: "unsell" | "unauction",
  state: State,
  values: Values & Signed,
  { actor, found }: { readonly actor: Address; readonly found: readonly UnitItem[] },
): TransactionRecord | Refused {
  const { itemdata, signature, tkey } = values;
  const side = act === "unsell" ? "sell" : "auction";
  const targets = targetsOf(state, values, { actor, items: found, side });
  if (targets instanceof Refused) {
    return targets;
  }

  const listings = targets.map((target): UnitListing => {
    giveBack(state, target);
    return { ...target, state: "cancelled", cancel_date: state.time };
  });
  const type = `mrc402${act}` as const;
  const [only] = listings;
  const primary =
    itemdata === undefined && only !== undefined
      ? record(type, cancelled(only, values), { of: actor, token: only.sell_token })
      : record(type, { itemdata: itemdata?.text ?? "", actor, signature, tkey }, { of: actor });
  return done(state, primary, [
    ...listings.map((listing) =>
      putListing(state, listing, `mrc402_${act}`, cancelled(listing, values)),
    ),
    ...listings
      .filter(({ seller }) => seller !== actor)
      .map((listing) => effect(type, cancelled(listing, values), { of: listing.seller })),
  ]);
}

/**
 * Refused with 7001 without the right to one of them, then if an entry does not mean just one, then
 * if two mean the same. Source: mrc402 §2.7, §12.
 */
function targetsOf(
  state: StateReader,
  values: Values,
  {
    actor,
    items,
    side,
  }: {
    readonly actor: Address;
    readonly items: readonly UnitItem[];
    readonly side: "sell" | "auction";
  },
): readonly UnitListing[] | Refused {
  const entries = entriesOf(values);
  const sought = allOrFirstRefusal(entries, (entry, index) =>
    soughtBy(state, values, { ...entry, item: items[index] as UnitItem }, actor),
  );
  if (sought instanceof Refused) {
    return sought;
  }
  const targets = allOrFirstRefusal(sought, (one, index) => {
    const { id, parameter } = entries[index] as Entry;
    const target =
      "listing" in one
        ? one.listing
        : theOnly(
            state,
            (limit) => unitListingIdsBy(state, one.seller, { mrc402: id, side }, limit),
            {
              side,
              parameter,
            },
          );
    return target instanceof Refused
      ? target
      : (refuseUnlessOpen(target, side, parameter) ??
          (target.side === "auction" ? refuseBidden(target, parameter) : undefined) ??
          target);
  });
  return targets instanceof Refused ? targets : (refuseTwice(targets, entries) ?? targets);
}

function refuseTwice(
  targets: readonly UnitListing[],
  entries: readonly Entry[],
): Refused | undefined {
  const seen = new Set<string>();
  return firstRefusal(targets, ({ dexid: id }, index) => {
    const reason = "means a listing that is in the list twice";
    const { parameter } = entries[index] as Entry;
    const refused = seen.has(id) ? refuse({ code: "3004", parameter, reason }) : undefined;
    seen.add(id);
    return refused;
  });
}

/** By its own id or its item's; refused with 7001 without the right. */
function soughtBy(
  state: StateReader,
  { id: path, itemdata }: Values,
  { id, parameter, item }: Entry & { readonly item: UnitItem },
  actor: Address,
): { readonly listing: UnitListing } | { readonly seller: Address } | Refused {
  const dexid = isUnitListingId(id)
    ? id
    : itemdata !== undefined && isUnitListingId(path)
      ? path
      : undefined;
  if (dexid === undefined) {
    const seller = sellerFor(state, item, actor, parameter);
    return seller instanceof Refused ? seller : { seller };
  }
  const listing = named(state, UNIT_LISTING, dexid, parameter);
  if (listing instanceof Refused) {
    return listing;
  }
  const reason = `${parameter} means ${dexid}, which ${actor} has not made, and it may not act for who has.`;
  return listing.seller === actor ||
    (listing.seller === item.creator && isAgent(state, item, actor))
    ? { listing }
    : refuse({ code: "7001", parameter, reason });
}

/**
 * Else refused with 7106, or 7107 with ids, of which `find` reads at most so many.
 * Source: mrc402 §2.7.
 */
export function theOnly(
  state: StateReader,
  find: (limit: number) => readonly string[],
  { side, parameter }: { readonly side: UnitListing["side"]; readonly parameter: string },
): UnitListing | Refused {
  const [first, ...others] = find(2);
  const reason = `names an item that is not on ${side === "sell" ? "sale" : "auction"}`;
  if (first === undefined) {
    return refuse({ code: "7106", parameter, reason });
  }
  return others.length === 0
    ? named(state, UNIT_LISTING, first, parameter)
    : refuse({ code: "7107", parameter, listings: find(NAMED_MAX) });
}

/** Parameters of the records of a listing that is taken back. Source: mrc402 §12. */
function cancelled(
  listing: UnitListing,
  { signature, tkey }: Signed,
): RecordValues<"mrc402_unsell"> {
  const { dexid, seller, mrc402: item, sell_token: token } = listing;
  const [amount, price] =
    listing.side === "sell"
      ? [listing.remain_amount, listing.sell_price]
      : [listing.amount, listing.auction_start_price];
  return { dexid, seller, amount, item, price, token, signature, tkey };
}
