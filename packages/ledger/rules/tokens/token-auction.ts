import { type RecordType, ZERO } from "@moneta/protocol";
import { invariant } from "../../invariant.ts";
import type { Movement } from "../../market/payments.ts";
import type { State } from "../../state/state.ts";
import type { TokenListing } from "../../state/token-listing-entry.ts";
import type { EffectDraft, Signed } from "../rule.ts";
import { paySeller } from "./token-listing.ts";

export type Lot = Extract<TokenListing, { readonly side: "auction" }>;

/** Gives the lot to the highest bidder and the bid, which is held, to platform and seller. Source: tokens §12. */
export function settle(
  state: State,
  lot: Lot,
  { recordType, by }: { readonly recordType: RecordType; readonly by: Signed },
): {
  readonly listing: Lot;
  readonly movements: readonly Movement[];
  readonly effects: readonly EffectDraft[];
} {
  const { id, amount, token, auction } = lot;
  const bid = auction.bid;
  invariant(bid !== undefined, "an auction is won by a bid");
  state.credit(bid.bidder, token, amount);
  const sale = paySeller(state, lot, bid.amount, { kind: "auction", by });
  return {
    listing: {
      ...lot,
      state: "sold",
      taker: bid.bidder,
      remaining: ZERO,
      sellDate: state.time,
      auction: { ...auction, settleDate: state.time },
      recordType,
    },
    movements: [
      { type: "mrc010_recv_item", from: id, to: bid.bidder, amount, units: token },
      ...sale.movements,
    ],
    effects: sale.effects,
  };
}
