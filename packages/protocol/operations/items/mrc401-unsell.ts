import { signedOperation } from "../../description/operation.ts";
import { itemListing, listedItems, listedItemsExample } from "./item-listing.ts";

/** Source: mrc401 §11. */
export const mrc401Unsell = signedOperation({
  name: "mrc401unsell",
  title: "Take items off sale",
  route: "POST /mrc401/unsell",
  otherRoutes: ["POST /mrc401/unsell/{mrc400id}"],
  about: "Takes 1 to 100 items off sale, all or none.",
  ...itemListing(listedItems, listedItemsExample),
  refusals: ["6004", "3090", "7001", "7106"],
});
