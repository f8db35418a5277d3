import { signedOperation } from "../../description/operation.ts";
import { listingCancel } from "./token-listing.ts";

/** Source: tokens §10. */
export const mrc010Unreqsell = signedOperation({
  name: "mrc010unreqsell",
  title: "Withdraw a request for tokens",
  route: "POST /token/unreqsell/{dexid}",
  about: "Cancels a request for tokens and returns the rest of its payment.",
  ...listingCancel,
  refusals: ["6004", "7103", "7101", "7102"],
});
