import { NEXT_MONTH } from "../description/examples.ts";
import { fullySigned, optional } from "../description/parameter.ts";
import { auctionExtension, saleDate } from "../description/parameters/dates.ts";

/** From when until when a sale is open; 0 is no bound. Source: mrc401 §10. */
export const saleWindow = {
  sell_start: optional(saleDate(), 0),
  sell_end: optional(saleDate(), 0),
} as const;

/** The same outside of `itemdata`. Source: mrc402 §11, tokens §9. */
export const signedSaleWindow = {
  sell_start: fullySigned(saleWindow.sell_start),
  sell_end: fullySigned(saleWindow.sell_end),
} as const;

export const saleWindowExample = { sell_start: "0", sell_end: `${NEXT_MONTH}` } as const;

/** How long before its end a bid moves the end of an auction. Source: mrc401 §14. */
export const softClose = optional(auctionExtension(), 0);

/** The same outside of `itemdata`. Source: mrc402 §14, tokens §12. */
export const signedSoftClose = fullySigned(softClose);
