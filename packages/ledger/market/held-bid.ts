import type { Refused, TokenId } from "@moneta/protocol";
import type { Auction, Bid } from "../state/auction.ts";
import type { State } from "../state/state.ts";
import { refuseUnaffordable } from "./balances.ts";
import type { Movement } from "./payments.ts";

/**
 * Gives the highest bid back and takes a new one into escrow; refused with 5000 if the bidder cannot pay it. The earlier one is given back first, so that it counts
 * as spendable if it was the bidder's own. Answers what was given back. Source: tokens §12, mrc401 §16, mrc402 §16.
 */
export function holdBid(
  state: State,
  { bid: earlier }: Auction,
  token: TokenId,
  { bidder, amount }: Bid,
): readonly Bid[] | Refused {
  const refunds = earlier === undefined ? [] : [earlier];
  for (const refund of refunds) {
    state.credit(refund.bidder, token, refund.amount);
  }
  const poor = refuseUnaffordable(state, { address: bidder, token, amount });
  if (poor !== undefined) {
    return poor;
  }
  state.debit(bidder, token, amount);
  return refunds;
}

/** What a bid moves, `id` being what it is made for. Source: tokens §8, mrc401 §12, mrc402 §3. */
export function bidMovements(
  kind: "mrc010" | "mrc401" | "mrc402",
  { id, token }: { readonly id: string; readonly token: TokenId },
  refunds: readonly Bid[],
  { bidder, amount }: Bid,
): readonly Movement[] {
  return [
    ...refunds.map((refund) => ({
      type: `${kind}_recv_refund`,
      from: id,
      to: refund.bidder,
      amount: refund.amount,
      token,
    })),
    { type: `${kind}_bid`, from: bidder, to: id, amount, token },
  ];
}
