import { NEXT_MONTH, SHIELD, SWORD } from "../../description/examples.ts";
import { signedOperation } from "../../description/operation.ts";
import { aliased, type ValuesOf } from "../../description/parameter.ts";
import { amount } from "../../description/parameters/amounts.ts";
import { recordId, tokenId } from "../../description/parameters/ids.ts";
import { saleWindow } from "../listing-times.ts";
import { itemDataList } from "./item-data.ts";
import { itemListing } from "./item-listing.ts";
import { HOLDER_CHANGE_REFUSALS } from "./policy.ts";

const members = {
  id: recordId("an item"),
  price: aliased(amount({ min: 1n, of: "token" }), "amount"),
  token: tokenId(),
  ...saleWindow,
} as const;

export type ItemOffer = ValuesOf<typeof members>;

/** Source: mrc401 §10. */
export const mrc401Sell = signedOperation({
  name: "mrc401sell",
  title: "Sell items",
  route: "POST /mrc401/sell",
  otherRoutes: ["POST /mrc401/sell/{mrc400id}"],
  about: "Puts 1 to 100 items on sale, all or none.",
  ...itemListing(
    itemDataList(members, {
      distinctBy: "id",
    }),
    [
      { id: SWORD, price: "30", token: "0" },
      { id: SHIELD, price: "20", token: "0", sell_end: `${NEXT_MONTH}` },
    ],
  ),
  refusals: ["6004", "3090", "4001", "7001", "7110", "7108", "7109", ...HOLDER_CHANGE_REFUSALS],
});
