import { signedOperation } from "../../description/operation.ts";
import { listingTake } from "./token-listing.ts";

/** Source: tokens §12. */
export const mrc010Bid = signedOperation({
  name: "mrc010bid",
  title: "Bid for tokens",
  route: "POST /token/bid/{dexid}",
  about: "Bids in an auction of tokens; a bid of the buy-now price wins at once.",
  ...listingTake,
  refusals: ["6004", "3090", "7103", "7101", "7102", "7203", "7202", "7105", "5000"],
});
