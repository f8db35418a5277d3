import { signedOperation } from "../../description/operation.ts";
import { itemListing, listedItems, listedItemsExample } from "./item-listing.ts";

/** Source: mrc401 §15. */
export const mrc401Unauction = signedOperation({
  name: "mrc401unauction",
  title: "Take items off auction",
  route: "POST /mrc401/unauction",
  otherRoutes: ["POST /mrc401/unauction/{mrc400id}"],
  about: "Takes 1 to 100 items without a bid off auction, all or none.",
  ...itemListing(listedItems, listedItemsExample),
  refusals: ["6004", "3090", "7001", "7106", "7104"],
});
