import { PRINT, UNIT_LISTING } from "../../description/examples.ts";
import { unsignedOperation } from "../../description/operation.ts";
import { recordId } from "../../description/parameters/ids.ts";

/** Source: mrc402 §17. */
export const mrc402Auctionfinish = unsignedOperation({
  name: "mrc402auctionfinish",
  title: "Close an auction of units",
  route: "GET /mrc402/auctionfinish/{id}",
  otherRoutes: ["POST /mrc402/auctionfinish/{id}"],
  about:
    "Closes an auction of units that is over: the highest bidder gets the lot, or the seller gets it back. Anybody may call it, with GET or POST.",
  parameters: { id: recordId("a listing, or a multi-unit item") },
  example: { id: UNIT_LISTING },
  otherExamples: { item: { id: PRINT } },
  refusals: ["6004", "7106", "7103", "7101", "7102", "7201"],
});
