import { NEXT_MONTH } from "../description/examples.ts";
import { fullySigned, optional } from "../description/parameter.ts";
import { auctionExtension, saleDate } from "../description/parameters/dates.ts";

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
