import { type OrderBook, type OrderLevel, orderCost } from "@moneta/sdk";
import { TRADES_MAX } from "./subject.ts";

/** What somebody wants to trade in a book. */
export interface Wish {
  readonly side: "SELL" | "BUY";
  /** The worst price that is accepted, of one whole target. */
  readonly price: bigint;
  readonly qtt: bigint;
}

/** What waits in a book for a wish. */
export interface AtOnce {
  /** Units of the target that are traded. */
  readonly traded: bigint;
  /**
   * Units of the base: what a buyer pays at most, or a seller gets at least. It is off by less than
   * one unit, which orders that are partly traded round.
   */
  readonly cost: bigint;
  /** Whether it may take more trades than one operation makes. */
  readonly mayStop: boolean;
}

/** What a wish would trade at once in a book as it is. Source: protocols §9.3, §9.6 */
export function tradedAtOnce({ side, price, qtt }: Wish, book: OrderBook): AtOnce {
  let traded = 0n;
  let product = 0n;
  let orders = 0;
  for (const level of oppositeLevels(side, book)) {
    const isTooDear = side === "BUY" ? level.price > price : level.price < price;
    if (isTooDear || traded === qtt) {
      break;
    }
    const left = qtt - traded;
    const taken = left < level.qtt ? left : level.qtt;
    traded += taken;
    product += level.price * taken;
    orders += level.orders;
  }
  // Whoever comes loses less than one unit over all orders: a buyer rounds up, a seller down.
  const rounds = side === "BUY" ? "SELL" : "BUY";
  const cost = orderCost({ side: rounds, price: product }, 1n, book.targetdecimal);
  return { traded, cost, mayStop: orders > TRADES_MAX };
}

/** The levels that a side trades with, the best first. */
export function oppositeLevels(
  side: Wish["side"],
  { bids, asks }: Pick<OrderBook, "bids" | "asks">,
): readonly OrderLevel[] {
  return side === "BUY" ? asks : bids;
}

/** The smallest quantity whose whole price is a whole number. Source: protocols §9.2 */
export function quantityStep(price: bigint, decimals: number): bigint {
  const whole = 10n ** BigInt(decimals);
  let [a, b] = [whole, price % whole];
  while (b !== 0n) {
    [a, b] = [b, a % b];
  }
  return whole / a;
}
