import { SWORD } from "../../description/examples.ts";
import { unsignedOperation } from "../../description/operation.ts";
import { recordId } from "../../description/parameters/ids.ts";

/** Source: mrc401 §17. */
export const mrc401Auctionfinish = unsignedOperation({
  name: "mrc401auctionfinish",
  title: "Close the auction of an item",
  route: "GET /mrc401/auctionfinish/{mrc401id}",
  otherRoutes: ["POST /mrc401/auctionfinish/{mrc401id}"],
  about:
    "Closes the auction of an item that is over: the highest bidder gets it, or its holder keeps it. Anybody may call it, with GET or POST.",
  parameters: { mrc401id: recordId("an item") },
  example: { mrc401id: SWORD },
  refusals: ["6004", "7106", "7201"],
});
