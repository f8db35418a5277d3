import { type Amount, type Refused, refuse, type TokenId } from "@moneta/protocol";

type Listing = {
  readonly side: "sell" | "buy" | "auction";
  readonly state: "open" | "sold" | "cancelled" | "failed";
};

const SIDES = { sell: "an offer", buy: "a request", auction: "an auction" } as const;

/**
 * Refused with 7103 if a listing is of another side, with 7101 or 7102 if it is not open any more.
 * Source: tokens §10, mrc402 §12.
 */
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

/** Refused with 3004 if a trade is for more than remains. Source: tokens §11, mrc402 §13. */
export function refuseMoreThanRemains(
  { remain_amount: remaining }: { readonly remain_amount: Amount },
  amount: Amount,
): Refused | undefined {
  const reason = `is ${amount} but only ${remaining} remain`;
  return amount > remaining ? refuse({ code: "3004", parameter: "amount", reason }) : undefined;
}

/**
 * Refused with 7112 if a sale is not what the buyer expects: it may have been replaced meanwhile.
 * Source: mrc401 §12, mrc402 §13.
 */
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
