import type { TransactionRecord } from "@moneta/protocol";
import { BY_NOBODY, done, record } from "../records/record.ts";
import type { State } from "../state/state.ts";
import { settleAuction } from "./bid.ts";
import type { Goods } from "./goods.ts";
import { paymentsText } from "./payments.ts";

/**
 * Closes an auction that is over: the highest bidder wins the lot; without a bid the seller gets it
 * back. Source: tokens §12, mrc401 §17, mrc402 §17.
 */
export function finish<Lot>(goods: Goods<Lot>, state: State, lot: Lot): TransactionRecord {
  const { kind } = goods;
  const { seller, recordToken } = goods.termsOf(lot);
  const winner = goods.auctionOf(lot).bid?.bidder;
  if (winner === undefined) {
    const [type, parameters] = goods.failure(lot);
    const failed = goods.giveBack(state, lot);
    const listed = goods.put(state, failed, `${kind}_auctionfailure`, parameters);
    return done(state, record(type, seller, recordToken, parameters), [listed]);
  }
  const won = settleAuction(goods, state, lot, BY_NOBODY);
  const payments = paymentsText(won.movements);
  const trade = { is: "win", taker: winner, payments, by: BY_NOBODY } as const;
  const tradeParameters = goods.tradeParameters(lot, trade);
  const listed = goods.put(state, won.lot, `${kind}_auctionwinning`, tradeParameters);
  const [type, parameters] = goods.winning(lot, winner, tradeParameters);
  return done(state, record(type, winner, recordToken, parameters), [...won.effects, listed]);
}
