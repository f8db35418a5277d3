import type { EffectDraft } from "../records/record.ts";
import type { Auction } from "../state/auction.ts";
import type { State } from "../state/state.ts";
import type { Deal, Goods } from "./goods.ts";
import { payOut } from "./pay-out.ts";
import type { Movement } from "./payments.ts";

export interface Settlement<Lot> {
  readonly lot: Lot;
  readonly movements: readonly Movement[];
  readonly effects: readonly EffectDraft[];
}

/** Of the seller's part. Source: market §4. */
const SELLER_PART = { sale: "recv_sell", auction: "recv_auction" } as const;

/**
 * Gives goods to the taker and shares of the payment to its recipients. Source: tokens §8, mrc401
 * §2.4, mrc402 §2.6.
 */
export function settle<Lot extends Auction>(
  goods: Goods<Lot>,
  state: State,
  lot: Lot,
  deal: Deal,
): Settlement<Lot> {
  const { id, seller, payToken: token } = goods.termsOf(lot);
  const { movements, ...paid } = payOut(state, deal.payment, {
    from: deal.from ?? id,
    token,
    shares: goods.sharesOf(state, lot),
    payee: seller,
    movement: `${goods.kind}_${SELLER_PART[deal.way]}`,
  });
  return {
    lot: goods.handOver(state, lot, deal),
    movements: [...goods.received(lot, deal.taker, deal.amount), ...movements],
    effects: goods.payees(lot, paid, deal),
  };
}
