import { SHIELD, SWORD, TOMORROW } from "../../description/examples.ts";
import { signedOperation } from "../../description/operation.ts";
import { aliased, optional } from "../../description/parameter.ts";
import { amount } from "../../description/parameters/amounts.ts";
import { movedAuctionEnd } from "../../description/parameters/dates.ts";
import { recordId, tokenId } from "../../description/parameters/ids.ts";
import { ZERO } from "../../text/amount.ts";
import { refuseBuyNow, softClose } from "../listing-times.ts";
import { itemDataList } from "./item-data.ts";
import { itemListing } from "./item-listing.ts";
import { HOLDER_CHANGE_REFUSALS } from "./policy.ts";

const members = {
  id: recordId("an item"),
  start: amount({ min: 1n, of: "token" }),
  token: tokenId(),
  bidding: optional(amount({ min: 1n, of: "token" })),
  buynow: optional(aliased(amount({ min: 0n, of: "token" }), "bnynow"), ZERO),
  end: optional(movedAuctionEnd(), 0n),
  extend: softClose,
} as const;

/** Source: mrc401 §14. */
export const mrc401Auction = signedOperation({
  name: "mrc401auction",
  title: "Auction items",
  route: "POST /mrc401/auction",
  otherRoutes: ["POST /mrc401/auction/{mrc400id}"],
  about: "Puts 1 to 100 items on auction, all or none. An end out of bounds is moved into them.",
  ...itemListing(
    itemDataList(members, {
      distinctBy: "id",
      checkEntry: ({ start, buynow: buyNow }, parameter) =>
        refuseBuyNow({ start, buyNow }, `${parameter}.buynow`, "start"),
    }),
    [
      {
        id: SWORD,
        start: "10",
        token: "0",
        bidding: "5",
        buynow: "100",
        end: `${TOMORROW}`,
      },
      { id: SHIELD, start: "10", token: "0", extend: "300" },
    ],
  ),
  refusals: ["6004", "3090", "4001", "7001", "7110", "7108", "7109", ...HOLDER_CHANGE_REFUSALS],
});
