import type { TransactionRecord } from "@moneta/protocol";
import { BY_NOBODY, done } from "../records/record.ts";
import { type Auction, bidIn } from "../state/auction.ts";
import type { State } from "../state/state.ts";
import { settleAuction } from "./bid.ts";
import type { Goods } from "./goods.ts";
import { paymentsText } from "./payments.ts";

/** The highest bidder wins; without a bid the seller gets the lot back. Source: market §3.6. */
export function finish<Lot extends Auction>(
  goods: Goods<Lot>,
  state: State,
  lot: Lot,
): TransactionRecord {
  const winner = bidIn(lot)?.bidder;
  if (winner === undefined) {
    const { primary, listed } = goods.failed(state, lot);
    return done(state, primary, [listed]);
  }
  const won = settleAuction(goods, state, lot, BY_NOBODY);
  const payments = paymentsText(won.movements);
  const trade = { is: "win", taker: winner, payments, by: BY_NOBODY } as const;
  const listed = goods.putTraded(state, { before: lot, after: won.lot }, trade);
  return done(state, goods.won(lot, trade), [...won.effects, listed]);
}
