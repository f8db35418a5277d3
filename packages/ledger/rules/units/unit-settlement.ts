import type { RecordType } from "@moneta/protocol";
import { invariant } from "../../invariant.ts";
import type { Movement } from "../../market/payments.ts";
import type { State } from "../../state/state.ts";
import type { UnitListing } from "../../state/unit-listing-entry.ts";
import type { EffectDraft, Signed } from "../rule.ts";
import { trade } from "./unit-listing.ts";

export type UnitLot = Extract<UnitListing, { readonly side: "auction" }>;

/** Gives the lot to the highest bidder and the bid, which is held, to everybody who gets a part of it. Source: mrc402 §17. */
export function settleUnits(
  state: State,
  lot: UnitLot,
  { by, recordType }: { readonly by: Signed; readonly recordType: RecordType },
): {
  readonly listing: UnitListing;
  readonly movements: readonly Movement[];
  readonly effects: readonly EffectDraft[];
} {
  const { id, item, amount, auction } = lot;
  const { bid } = auction;
  invariant(bid !== undefined, "an auction is won by a bid");
  const won = trade(state, lot, {
    buyer: bid.bidder,
    amount,
    payment: bid.amount,
    by,
    recordType,
    auction: { ...auction, settleDate: state.time },
  });
  const handed = { type: "mrc402_recv_item", from: id, to: bid.bidder, amount, units: item };
  return { ...won, movements: [handed, ...won.movements] };
}
