import { LISTING } from "../../description/examples.ts";
import { unsignedOperation } from "../../description/operation.ts";
import { recordId } from "../../description/parameters/ids.ts";

/** Source: tokens §12. */
export const mrc010Auctionfinish = unsignedOperation({
  name: "mrc010auctionfinish",
  title: "Close an auction of tokens",
  route: "GET /token/auctionfinish/{dexid}",
  otherRoutes: ["POST /token/auctionfinish/{dexid}"],
  about:
    "Closes an auction of tokens that is over: the highest bidder gets the lot, or the seller gets it back. Anybody may call it, with GET or POST.",
  parameters: { dexid: recordId("a listing of tokens") },
  example: { dexid: LISTING },
  refusals: ["6004", "7103", "7101", "7102", "7201"],
});
