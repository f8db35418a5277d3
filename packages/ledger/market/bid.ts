import type { Refused, TokenId, TransactionRecord } from "@moneta/protocol";
import { invariant } from "../invariant.ts";
import { done, type Signed } from "../records/record.ts";
import { type Auction, type Bid, bidIn } from "../state/auction.ts";
import type { State } from "../state/state.ts";
import { isBuyNow } from "./auction.ts";
import { refuseUnaffordable } from "./balances.ts";
import type { Goods } from "./goods.ts";
import { type Movement, paymentsText } from "./payments.ts";
import { type Settlement, settle } from "./settlement.ts";

/**
 * Takes a checked bid; at the buy-now price it wins at once. Refused with 5000 if the bidder cannot
 * pay. Source: market §3.3.
 */
export function placeBid<Lot extends Auction>(
  goods: Goods<Lot>,
  state: State,
  lot: Lot,
  { by, ...bid }: Bid & { readonly by: Signed },
): TransactionRecord | Refused {
  const { kind } = goods;
  const { bidder, amount: paid } = bid;
  const { id, payToken: token, amount } = goods.termsOf(lot);
  const earlier = bidIn(lot);
  const poor = holdBid(state, earlier, token, bid);
  if (poor !== undefined) {
    return poor;
  }

  const isWon = isBuyNow(lot, paid);
  const led = goods.withBid(lot, bid, state.time);
  const closing = isWon
    ? settleAuction(goods, state, led, by)
    : { lot: led, movements: [], effects: [] };
  const trade = {
    is: isWon ? "buynow" : "bid",
    taker: bidder,
    payments: paymentsText([
      ...refundMovements(goods, lot, earlier),
      { type: `${kind}_bid`, from: bidder, to: id, amount: paid, token },
      ...closing.movements,
    ]),
    by,
  } as const;
  const listed = goods.putTraded(state, { before: lot, after: closing.lot }, trade);
  const given = isWon ? { paid, units: amount } : { paid };
  return done(state, goods.paid(lot, "bid", bidder, given, by), [
    ...(earlier === undefined ? [] : [goods.refunded(lot, earlier, by)]),
    ...closing.effects,
    listed,
  ]);
}

/** The bid is in escrow. */
export function settleAuction<Lot extends Auction>(
  goods: Goods<Lot>,
  state: State,
  lot: Lot,
  by: Signed,
): Settlement<Lot> {
  const bid = bidIn(lot);
  invariant(bid !== undefined, "an auction is won by a bid");
  const { amount } = goods.termsOf(lot);
  const deal = { taker: bid.bidder, amount, payment: bid.amount, way: "auction", by } as const;
  return settle(goods, state, lot, deal);
}

/** Gives the highest bid back first, so that its bidder can spend it on a raise. */
function holdBid(
  state: State,
  earlier: Bid | undefined,
  token: TokenId,
  { bidder, amount }: Bid,
): Refused | undefined {
  if (earlier !== undefined) {
    state.balances.credit(earlier.bidder, token, earlier.amount);
  }
  const poor = refuseUnaffordable(state, { address: bidder, token, amount });
  if (poor === undefined) {
    state.balances.debit(bidder, token, amount);
  }
  return poor;
}

function refundMovements<Lot extends Auction>(
  { kind, termsOf }: Goods<Lot>,
  lot: Lot,
  refund: Bid | undefined,
): readonly Movement[] {
  const { id, payToken: token } = termsOf(lot);
  return refund === undefined
    ? []
    : [{ type: `${kind}_recv_refund`, from: id, to: refund.bidder, amount: refund.amount, token }];
}
