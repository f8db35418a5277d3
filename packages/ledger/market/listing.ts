import { type Amount, type Refused, refuse, type TokenId } from "@moneta/protocol";
import type { SaleWindow } from "../state/auction.ts";
import { refuseEarly, refuseLate } from "./auction.ts";

type Listing = {
  readonly side: "sell" | "buy" | "auction";
  readonly state: "open" | "sold" | "cancelled" | "failed";
};

const SIDES = { sell: "an offer", buy: "a request", auction: "an auction" } as const;

/** Refused with 7103 for another side, 7101 or 7102 if not open. Source: market §1.5. */
export function refuseUnlessOpen(
  listing: Listing,
  side: Listing["side"],
  parameter = "dexid",
): Refused | undefined {
  if (listing.side !== side) {
    const reason = `names ${SIDES[listing.side]} but must name ${SIDES[side]}`;
    return refuse({ code: "7103", parameter, reason });
  }
  switch (listing.state) {
    case "open":
      return undefined;
    case "cancelled":
      return refuse({ code: "7101", parameter, reason: "names a listing that was cancelled" });
    case "sold":
    case "failed":
      return refuse({ code: "7102", parameter, reason: "names a listing that is sold or settled" });
  }
}

/** Refused with 3004. Source: market §2.5. */
export function refuseMoreThanRemains(
  { remain_amount: remaining }: { readonly remain_amount: Amount },
  amount: Amount,
): Refused | undefined {
  const reason = `is ${amount} but only ${remaining} remain`;
  return amount > remaining ? refuse({ code: "3004", parameter: "amount", reason }) : undefined;
}

/** Seconds from now. Source: market §2.1. */
const SALE_START_WITHIN = 31_536_000;

/** Refused with 3005. `prefix` precedes its parameters' names. Source: market §2.1. */
export function newSaleWindow(
  { sell_start, sell_end }: SaleWindow,
  time: number,
  prefix = "",
): SaleWindow | Refused {
  const latestStart = time + SALE_START_WITHIN;
  if (sell_start > latestStart) {
    const reason = `is ${sell_start} but a sale must begin by ${latestStart}, within a year`;
    return refuse({ code: "3005", parameter: `${prefix}sell_start`, reason });
  }
  const earliestEnd = Math.max(time, sell_start) + 1;
  const reason = `is ${sell_end} but must be at least ${earliestEnd}, or 0 for none`;
  return sell_end !== 0 && sell_end < earliestEnd
    ? refuse({ code: "3005", parameter: `${prefix}sell_end`, reason })
    : { sell_start, sell_end };
}

/** Refused with 7203 before, 7202 after. Source: market §2.2. */
export function refuseOutsideWindow(
  { sell_start, sell_end }: SaleWindow,
  time: number,
  parameter: string,
): Refused | undefined {
  return (
    refuseEarly(sell_start, time, parameter, "a sale") ??
    (sell_end === 0 ? undefined : refuseLate(sell_end, time, parameter, "a sale"))
  );
}

/** Refused with 7112: the sale may have been replaced. Source: market §2.4. */
export function refuseUnexpected(
  sale: { readonly price: Amount; readonly token: TokenId },
  expected: { readonly price: Amount | undefined; readonly token: TokenId | undefined },
): Refused | undefined {
  if (expected.price !== undefined && expected.price !== sale.price) {
    const reason = `is ${expected.price} but the price is ${sale.price}`;
    return refuse({ code: "7112", parameter: "price", reason });
  }
  const reason = `is ${expected.token} but the price is in token ${sale.token}`;
  return expected.token !== undefined && expected.token !== sale.token
    ? refuse({ code: "7112", parameter: "token", reason })
    : undefined;
}
