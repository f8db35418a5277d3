import { TOMORROW } from "../../description/examples.ts";
import { signedOperation } from "../../description/operation.ts";
import { aliased, optional } from "../../description/parameter.ts";
import { amount, quantity } from "../../description/parameters/amounts.ts";
import { auctionDate } from "../../description/parameters/dates.ts";
import { tokenId } from "../../description/parameters/ids.ts";
import { ONE, ZERO } from "../../text/amount.ts";
import { HOLDER_CHANGE_REFUSALS } from "../items/policy.ts";
import { refuseBuyNow, signedSoftClose, softClose } from "../listing-times.ts";
import { unitListing } from "./unit-listing.ts";

const terms = {
  start: amount({ min: 1n, of: "token" }),
  token: tokenId(),
  amount: optional(quantity({ zero: "1108" })),
  bidding: optional(amount({ min: 1n, of: "token" })),
  buynow: optional(aliased(amount({ min: 0n, of: "token" }), "bnynow"), ZERO),
  end: optional(
    auctionDate("is the shortest auction; what is out of bounds is moved into them"),
    0n,
  ),
  extend: softClose,
} as const;

/** Source: mrc402 §14. */
export const mrc402Auction = signedOperation({
  name: "mrc402auction",
  title: "Auction units",
  route: "POST /mrc402/auction/{id}",
  otherRoutes: ["POST /mrc402/auction"],
  about:
    "Puts units of an item on auction as one lot; with itemdata lots of 1 to 100 items, all or none, whose ends are moved into their bounds.",
  ...unitListing({
    terms,
    own: {
      amount: optional(quantity({ zero: "1108" })),
      auction_start_price: optional(amount({ min: 1n, of: "token" })),
      token: optional(tokenId()),
      auction_bidding_unit: optional(amount({ min: 1n, of: "token" }), ONE),
      auction_buynow_price: optional(amount({ min: 0n, of: "token" }), ZERO),
      auction_start_date: optional(auctionDate("is now"), 0n),
      auction_end_date: optional(auctionDate("is a day after the start"), 0n),
      extend: signedSoftClose,
    },
    required: ["amount", "auction_start_price", "token"],
    signed: [
      "auction_start_price",
      "token",
      "auction_bidding_unit",
      "auction_buynow_price",
      "auction_start_date",
      "auction_end_date",
    ],
    examples: {
      own: {
        amount: "5",
        auction_start_price: "50",
        token: "0",
        auction_bidding_unit: "5",
        auction_buynow_price: "500",
        auction_start_date: "0",
        auction_end_date: "0",
        extend: "300",
      },
      terms: {
        amount: "5",
        start: "50",
        token: "0",
        bidding: "5",
        buynow: "500",
        end: `${TOMORROW}`,
      },
    },
    checkEntry: ({ start, buynow }, parameter) =>
      refuseBuyNow({ start, buyNow: buynow }, `${parameter}.buynow`, "the start price"),
  }),
  check: ({ itemdata, auction_start_price: start, auction_buynow_price: buyNow }) =>
    itemdata === undefined && start !== undefined
      ? refuseBuyNow({ start, buyNow }, "auction_buynow_price", "the start price")
      : undefined,
  refusals: [
    "6004",
    "3090",
    "4001",
    "7001",
    "7110",
    "7109",
    "7108",
    ...HOLDER_CHANGE_REFUSALS,
    "1102",
    "5000",
  ],
});
