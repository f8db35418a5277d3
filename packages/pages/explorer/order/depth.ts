import type { OrderLevel } from "@moneta/sdk";
import { share } from "../../parts/share.ts";

/** A level of a book with all that stands before it in its line. */
export interface DeepLevel extends OrderLevel {
  /** Units of the target of this level and of all better ones. */
  readonly sum: bigint;
}

/** Levels, the best first, with what can be traded down to each. */
export function deepLevels(levels: readonly OrderLevel[]): readonly DeepLevel[] {
  let sum = 0n;
  return levels.map((level) => {
    sum += level.qtt;
    return { ...level, sum };
  });
}

/** What lies between the best prices of the two sides; undefined while one side is empty. */
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
