import { NEXT_MONTH } from "../description/examples.ts";
import { type Refused, refuse } from "../description/faults.ts";
import { fullySigned, optional } from "../description/parameter.ts";
import { auctionExtension, saleDate } from "../description/parameters/dates.ts";
import type { Amount } from "../text/amount.ts";

/** 0 is no bound. Source: market §2.1. */
export const saleWindow = {
  sell_start: optional(saleDate(), 0),
  sell_end: optional(saleDate(), 0),
} as const;

/** Source: market §2.1. */
export const signedSaleWindow = {
  sell_start: fullySigned(saleWindow.sell_start),
  sell_end: fullySigned(saleWindow.sell_end),
} as const;

export const saleWindowExample = { sell_start: "0", sell_end: `${NEXT_MONTH}` } as const;

/** The minimum time from a bid to the end of the auction. Source: market §3.2. */
export const softClose = optional(auctionExtension(), 0);

export const signedSoftClose = fullySigned(softClose);

/** 3005; 0 is no price. `startName` names the start price. Source: market §3. */
export function refuseBuyNow(
  { start, buyNow }: { readonly start: Amount; readonly buyNow: Amount },
  parameter: string,
  startName: string,
): Refused | undefined {
  const reason = `is ${buyNow} but must be above ${startName} ${start}, or 0 for none`;
  return buyNow > 0n && buyNow <= start ? refuse({ code: "3005", parameter, reason }) : undefined;
}
