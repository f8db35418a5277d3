import type { OrderLevel } from "@moneta/sdk";
import { share } from "../../parts/number-text.ts";

export interface DeepLevel extends OrderLevel {
  /** Of this level and all better ones, in units of the target. */
  readonly sum: bigint;
}

/** The best level first. */
export function deepLevels(levels: readonly OrderLevel[]): readonly DeepLevel[] {
  let sum = 0n;
  return levels.map((level) => {
    sum += level.qtt;
    return { ...level, sum };
  });
}

/** Undefined while one side is empty. */
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

/** Levels further from the best price are not in the picture. */
const FACTOR_MAX = 2n;

/** Amounts that can be traded down to each price. */
export interface Depth {
  /** Ascending, in the smallest unit of the base. */
  readonly prices: readonly bigint[];
  /** In the smallest unit of the target; undefined above the best bid. */
  readonly bids: readonly (bigint | undefined)[];
  readonly asks: readonly (bigint | undefined)[];
}

/** Both sides begin with the best level. */
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
