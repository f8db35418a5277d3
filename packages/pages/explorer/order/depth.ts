import type { OrderLevel } from "@moneta/sdk";
import { share } from "../../parts/share.ts";

/** A level of a book with the totals of all better levels. */
export interface DeepLevel extends OrderLevel {
  /** Units of the target of this level and of all better ones. */
  readonly sum: bigint;
}

/** Levels, the best first, with the cumulative quantity of each. */
export function deepLevels(levels: readonly OrderLevel[]): readonly DeepLevel[] {
  let sum = 0n;
  return levels.map((level) => {
    sum += level.qtt;
    return { ...level, sum };
  });
}

/** The spread of the best prices; undefined while one side is empty. */
export function spreadOf(
  bids: readonly OrderLevel[],
  asks: readonly OrderLevel[],
): { readonly amount: bigint; readonly ofMiddle: number } | undefined {
  const [bid, ask] = [bids[0], asks[0]];
  if (bid === undefined || ask === undefined) {
    return undefined;
  }
  const amount = ask.price - bid.price;
  return { amount, ofMiddle: share(2n * amount, ask.price + bid.price) };
}

/** Levels further from the best price of their side than this are not in the picture. */
const FACTOR_MAX = 2n;

/**
 * Cumulative quantities of both sides by price: the amounts that can be sold or bought down to each
 * price.
 */
export interface Depth {
  /** Of all levels, in ascending order, in the smallest unit of the base. */
  readonly prices: readonly bigint[];
  /** In the smallest unit of the target; undefined above the best bid. */
  readonly bids: readonly (bigint | undefined)[];
  /** Undefined below the best ask. */
  readonly asks: readonly (bigint | undefined)[];
}

/** The depth of a book from the levels of each side, the best first. */
export function depthOf(bids: readonly OrderLevel[], asks: readonly OrderLevel[]): Depth {
  const [bid, ask] = [bids[0]?.price ?? 0n, asks[0]?.price ?? 0n];
  const bought = deepLevels(bids.filter(({ price }) => price * FACTOR_MAX >= bid));
  const sold = deepLevels(asks.filter(({ price }) => price <= ask * FACTOR_MAX));
  const prices = [...new Set([...bought, ...sold].map(({ price }) => price))].sort((a, b) =>
    a < b ? -1 : 1,
  );
  return {
    prices,
    bids: prices.map((at) => bought.findLast(({ price }) => price >= at)?.sum),
    asks: prices.map((at) => sold.findLast(({ price }) => price <= at)?.sum),
  };
}
