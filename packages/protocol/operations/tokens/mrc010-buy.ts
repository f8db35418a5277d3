import { signedOperation } from "../../description/operation.ts";
import { listingTake } from "./token-listing.ts";

/** Source: tokens §11. */
export const mrc010Buy = signedOperation({
  name: "mrc010buy",
  title: "Buy tokens",
  route: "POST /token/buy/{dexid}",
  about: "Buys from an offer of tokens, all of it or a part.",
  ...listingTake,
  refusals: ["6004", "3090", "7103", "7101", "7102", "7202", "7203", "5000"],
});
