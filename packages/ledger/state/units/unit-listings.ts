import type { Address } from "@moneta/protocol";
import { invariant } from "../../invariant.ts";
import type { Change } from "../block-changes.ts";
import { documentKey, type EntryKind } from "../entries.ts";
import type { IndexReader } from "../index-reader.ts";
import { HOLDING, type Holding } from "./holding-entry.ts";
import { UNIT_FIRSTS, UNIT_ITEM, type UnitFirsts } from "./unit-item-entry.ts";
import { type ItemSide, openKey, UNIT_LISTING, type UnitListing } from "./unit-listing-entry.ts";

const BY_SELLER = ["open_of_item", "seller"];

export function oldestUnitListing(state: IndexReader, of: ItemSide): UnitListing | undefined {
  if (state.isPast) {
    const { sale = "", auction = "" } = state.find(UNIT_FIRSTS, of.mrc402) ?? {};
    return state.find(UNIT_LISTING, of.side === "sell" ? sale : auction);
  }
  const query = { index: ["open_of_item"], equal: [openKey(of)], limit: 1 };
  return state.list(UNIT_LISTING, query)[0];
}

/** Of those that end together the oldest. */
export function firstEndingAuction(state: IndexReader, item: string): UnitListing | undefined {
  const equal = [openKey({ mrc402: item, side: "auction" })];
  const query = { index: ["open_of_item", "auction_end"], equal, limit: 1 };
  return state.list(UNIT_LISTING, query)[0];
}

/** Oldest first. */
export function unitListingIdsBy(
  state: IndexReader,
  seller: Address,
  of: ItemSide,
  limit: number,
): readonly string[] {
  const number = state.addressNumber(seller);
  return number === undefined
    ? []
    : state.ids(UNIT_LISTING, { index: BY_SELLER, equal: [openKey(of), number], limit });
}

/** Reads none of this seller's. */
export function unitListingIdsByOthers(
  state: IndexReader,
  seller: Address,
  of: ItemSide,
  limit: number,
): readonly string[] {
  const number = state.addressNumber(seller);
  invariant(number !== undefined, "the trading address is known");
  const query = { index: BY_SELLER, equal: [openKey(of)] };
  const before = state.ids(UNIT_LISTING, { ...query, range: { below: number }, limit });
  const left = limit - before.length;
  return left === 0
    ? before
    : [...before, ...state.ids(UNIT_LISTING, { ...query, range: { above: number }, limit: left })];
}

interface UnitReader extends IndexReader {
  holderOf(item: string): Address | undefined;
}

interface ChangedUnits {
  hasOtherHoldings: boolean;
  /** One of the holdings that were changed and still exist. */
  holding: Holding | undefined;
  readonly listings: UnitListing[];
}

/**
 * Of each multi-unit item that a block has changed. The tables are read only if the first has gone.
 */
export function* changesOfUnitFirsts(
  state: UnitReader,
  changes: Iterable<readonly [string, Change]>,
): Iterable<[string, Change]> {
  for (const [item, changed] of changedUnits(changes)) {
    const before = state.find(UNIT_FIRSTS, item);
    const firsts: UnitFirsts = {
      item,
      holder: changed.hasOtherHoldings
        ? soleHolder(state, item, changed.holding)
        : (before?.holder ?? ""),
      sale: firstListing(state, "sell", before?.sale, changed),
      auction: firstListing(state, "auction", before?.auction, changed),
    };
    const after = UNIT_FIRSTS.isAbsent?.(firsts) === true ? undefined : firsts;
    const isSame = before && after ? UNIT_FIRSTS.isSame(before, after) : before === after;
    if (!isSame) {
      const kind = UNIT_FIRSTS as EntryKind<unknown>;
      yield [documentKey(UNIT_FIRSTS, item), { kind, before, after }];
    }
  }
}

function changedUnits(
  changes: Iterable<readonly [string, Change]>,
): ReadonlyMap<string, ChangedUnits> {
  const items = new Map<string, ChangedUnits>();
  const of = (item: string): ChangedUnits =>
    items.getOrInsert(item, { hasOtherHoldings: false, holding: undefined, listings: [] });
  for (const [, { kind, before, after }] of changes) {
    const value = after ?? before;
    if (value !== undefined && kind === (HOLDING as EntryKind<unknown>)) {
      const changed = of((value as Holding).item);
      changed.hasOtherHoldings = true;
      changed.holding ??= after as Holding | undefined;
    } else if (kind === (UNIT_LISTING as EntryKind<unknown>)) {
      const [was, is] = [before, after] as (UnitListing | undefined)[];
      if ((was?.state === "open") !== (is?.state === "open")) {
        of((value as UnitListing).mrc402).listings.push(value as UnitListing);
      }
    }
  }
  return items;
}

/** `""` if there are several; `holding` is a known one. */
function soleHolder(state: UnitReader, item: string, holding: Holding | undefined): Address | "" {
  const isOne = state.find(UNIT_ITEM, item)?.holders === 1;
  return (isOne && (holding?.address ?? state.holderOf(item))) || "";
}

/** `""` without one; `first` is that before the block. */
function firstListing(
  state: UnitReader,
  side: ItemSide["side"],
  first = "",
  { listings }: ChangedUnits,
): string {
  const changed = listings.filter((listing) => listing.side === side);
  if (first === "") {
    const [oldest] = changed.sort((one, other) => one.order - other.order);
    return oldest?.dexid ?? "";
  }
  const ended = changed.find(({ dexid }) => dexid === first);
  if (ended === undefined) {
    return first;
  }
  const { mrc402 } = ended;
  const open = state.find(UNIT_ITEM, mrc402)?.[side === "sell" ? "openSales" : "openAuctions"];
  return open === 0 ? "" : (oldestUnitListing(state, { mrc402, side })?.dexid ?? "");
}
