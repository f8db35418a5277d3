import { localTimeText } from "@moneta/sdk";
import type { Field, Fill } from "./fields.ts";
import type { Acting } from "./operation-form.ts";

/** A running auction of whatever kind. */
export interface Lot {
  readonly token: string;
  readonly start: bigint;
  readonly unit: bigint;
  /** 0 without a buy-now price. */
  readonly buyNow: bigint;
  readonly current: bigint;
  /** Empty without a bid. */
  readonly bidder: string;
  readonly begins: number;
  readonly ends: number;
}

const DAY_SECONDS = 86_400;

/** When an auction ends if its form is sent as it is, in the reader's zone. */
export function usualEnd({ now }: Pick<Acting, "now">): string {
  return localTimeText(Math.ceil((now + DAY_SECONDS) / 60) * 60);
}

/** Whether a bid is worth a button now: the highest bidder can only buy at once. */
export function mayBid({ bidder, buyNow, begins, ends }: Lot, { address, now }: Acting): boolean {
  return now >= begins && now < ends && (bidder !== address || buyNow > 0n);
}

export function auctionFills(lot: Lot): Partial<Field> {
  const lowest: Fill = { what: "lowest", amount: lowestBid(lot) };
  return {
    of: lot.token,
    fills: lot.buyNow > 0n ? [lowest, { what: "buyNow", amount: lot.buyNow }] : [lowest],
  };
}

/** The next bid on the auction's steps. It is a suggestion: the node decides. Source: mrc401 §16 */
function lowestBid({ start, unit, current, bidder, buyNow }: Lot): bigint {
  const next = bidder === "" ? start : start + ((current - start) / unit + 1n) * unit;
  return buyNow > 0n && next > buyNow ? buyNow : next;
}
