import { signedOperation } from "../../description/operation.ts";
import { listingCancel } from "./token-listing.ts";

/** Source: tokens §12. */
export const mrc010Unauction = signedOperation({
  name: "mrc010unauction",
  title: "Withdraw an auction of tokens",
  route: "POST /token/unauction/{dexid}",
  about: "Cancels an auction of tokens that has no bid.",
  ...listingCancel,
  refusals: ["6004", "7103", "7101", "7102", "7104", "7202"],
});
