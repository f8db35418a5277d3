import { signedOperation } from "../../description/operation.ts";
import { listingTake } from "./token-listing.ts";

/** Source: tokens §11. */
export const mrc010Acceptreqsell = signedOperation({
  name: "mrc010acceptreqsell",
  title: "Sell to a request for tokens",
  route: "POST /token/acceptreqsell/{dexid}",
  about: "Sells to a request for tokens, all of it or a part.",
  ...listingTake,
  refusals: ["6004", "3090", "7103", "7101", "7102", "5000"],
});
