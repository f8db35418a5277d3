import { type Amount, type RecordType, type RecordValues, ZERO } from "@moneta/protocol";
import { invariant } from "../invariant.ts";
import { type EffectDraft, effectOnEntry } from "../records/record.ts";
import { type Bid, type DatedAuction, withHighest } from "../state/auction.ts";
import type { DocumentKind } from "../state/entries.ts";
import type { State } from "../state/state.ts";
import { endAfterBid } from "./auction.ts";

interface DatedListing extends DatedAuction {
  readonly side: "sell" | "buy" | "auction";
  readonly state: "open" | "sold" | "cancelled" | "failed";
  readonly remain_amount: Amount;
  readonly sell_date: number;
}

type Lot<L extends DatedListing> = Extract<L, { readonly side: "auction" }>;

export function lotOf<L extends DatedListing>(listing: L): Lot<L> {
  invariant(listing.side === "auction", "the side has been checked");
  return listing as Lot<L>;
}

export function withBid<L extends DatedListing>(listing: L, bid: Bid, time: number): Lot<L> {
  const lot = lotOf(listing);
  return {
    ...lot,
    ...withHighest(bid),
    auction_bid_count: lot.auction_bid_count + 1,
    auction_end_date: endAfterBid(lot, { end: lot.auction_end_date, bid, time }),
  };
}

export function failed<L extends DatedListing>(listing: L, time: number): Lot<L> {
  return { ...settled(lotOf(listing), time), state: "failed" };
}

/** A listing of which `amount` has been traded. Source: market §2.5. */
export function traded<L extends DatedListing>(listing: L, amount: Amount, time: number): L {
  const remaining = (listing.remain_amount - amount) as Amount;
  return {
    ...settled(listing, time),
    remain_amount: remaining,
    ...(remaining === ZERO ? { state: "sold", sell_date: time } : {}),
  };
}

/** An auction is settled by its only trade. */
function settled<L extends DatedListing>(listing: L, time: number): L {
  return listing.side === "auction" ? { ...listing, auction_settle_date: time } : listing;
}

export type PutListing<L> = <T extends RecordType>(
  state: State,
  listing: L,
  recordType: T,
  values: RecordValues<T>,
) => EffectDraft;

export function listingPutter<L extends { readonly job_type: RecordType }>(
  kind: DocumentKind<L>,
): PutListing<L> {
  return (state, listing, recordType, values) => {
    const stored = { ...listing, job_type: recordType };
    state.put(kind, stored);
    return effectOnEntry(recordType, values, kind, stored);
  };
}
