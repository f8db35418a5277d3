import { signedOperation } from "../../description/operation.ts";
import { listingCancel } from "./token-listing.ts";

/** Source: tokens §10. */
export const mrc010Unsell = signedOperation({
  name: "mrc010unsell",
  title: "Withdraw an offer of tokens",
  route: "POST /token/unsell/{dexid}",
  about: "Cancels the rest of an offer of tokens.",
  ...listingCancel,
  refusals: ["6004", "7103", "7101", "7102"],
});
