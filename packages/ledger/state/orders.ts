import type { Address, Amount, TokenId } from "@moneta/protocol";
import {
  type BookSide,
  heldToken,
  LEVEL,
  lineOf,
  ORDER,
  type Order,
  PENDING,
  rankOf,
} from "./order-entry.ts";
import type { State } from "./state.ts";

/** The best price, then the oldest first. Source: protocols §9.5. */
export function ordersInLine(state: State, side: BookSide, limit: number): readonly Order[] {
  return state.list(ORDER, { index: ["line", "rank"], equal: [lineOf(side)], limit });
}

/** Number of open orders of an address that hold a token. Source: protocols §9.8. */
export function ordersHolding(state: State, address: Address, token: TokenId): number {
  return state.find(PENDING, `${address}/${token}`)?.orders ?? 0;
}

/** Updates its level's and its owner's sums. Source: protocols §9.4, §10. */
export function putOrder(state: State, order: Order): void {
  const before = state.find(ORDER, order.mrc040id);
  state.put(ORDER, order);
  const waited = before === undefined || before.held === 0n ? 0 : 1;
  const count = (order.held === 0n ? 0 : 1) - waited;
  const left = (of: Order | undefined): bigint =>
    of === undefined || of.held === 0n ? 0n : of.remainqtt;
  const line = lineOf(order);
  const level = state.find(LEVEL, `${line}/${order.price}`);
  const levelCount = (level?.orders ?? 0) + count;
  if (level !== undefined || levelCount > 0) {
    state.put(LEVEL, {
      line,
      rank: rankOf(order.side, order.price),
      price: order.price,
      qtt: ((level?.qtt ?? 0n) + left(order) - left(before)) as Amount,
      orders: levelCount,
    });
  }
  addPending(state, order, { count, amount: order.held - (before?.held ?? 0n) });
}

function addPending(
  state: State,
  { owner, ...side }: Order,
  { count, amount }: { readonly count: number; readonly amount: bigint },
): void {
  if (count === 0 && amount === 0n) {
    return;
  }
  const token = heldToken(side);
  const before = state.find(PENDING, `${owner}/${token}`);
  state.put(PENDING, {
    address: owner,
    token,
    amount: ((before?.amount ?? 0n) + amount) as Amount,
    orders: (before?.orders ?? 0) + count,
  });
  state.moves.notePending(owner, token);
}
