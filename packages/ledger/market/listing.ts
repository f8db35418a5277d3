import { type Refused, refuse } from "@moneta/protocol";

type Listing = {
  readonly id: string;
  readonly side: "sell" | "buy" | "auction";
  readonly state: "open" | "sold" | "cancelled" | "failed";
};

const SIDES = { sell: "an offer", buy: "a request", auction: "an auction" } as const;

/** Refused with 7103 if a listing is of another side, with 7101 or 7102 if it is not open any more. Source: tokens §10, mrc402 §12. */
export function refuseUnlessOpen(listing: Listing, side: Listing["side"]): Refused | undefined {
  const parameter = "dexid";
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
