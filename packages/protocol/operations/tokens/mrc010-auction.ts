import { ALICE, GOLD } from "../../description/examples.ts";
import { signedOperation } from "../../description/operation.ts";
import { optional } from "../../description/parameter.ts";
import { amount } from "../../description/parameters/amounts.ts";
import { auctionDate } from "../../description/parameters/dates.ts";
import { address, tokenId } from "../../description/parameters/ids.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";
import { listedResult } from "../../description/results.ts";
import { ONE, ZERO } from "../../text/amount.ts";
import { refuseBuyNow, signedSoftClose } from "../listing-times.ts";
import { PLATFORM_FIELDS, platformExample, platformParameters } from "../platform.ts";
import { refuseSameToken } from "./token-offer.ts";

/** Source: tokens §12. */
export const mrc010Auction = signedOperation({
  name: "mrc010auction",
  title: "Auction tokens",
  route: "POST /token/auction/{mrc010id}",
  about: "Puts units of a token up for auction as one lot, which is held until the auction ends.",
  parameters: {
    mrc010id: tokenId(),
    address: address(),
    amount: amount({ min: 1n, zero: "1107", of: "mrc010id" }),
    token: tokenId(),
    auction_start_price: amount({ min: 1n, zero: "1104", of: "token" }),
    auction_bidding_unit: optional(amount({ min: 1n, zero: "1104", of: "token" }), ONE),
    auction_buynow_price: optional(amount({ min: 0n, of: "token" }), ZERO),
    auction_start_date: optional(auctionDate("is now"), 0n),
    auction_end_date: optional(auctionDate("is a day after the start"), 0n),
    extend: signedSoftClose,
    ...platformParameters,
    tkey: temporaryKey(),
  },
  example: {
    mrc010id: GOLD,
    address: ALICE,
    amount: "50",
    token: "0",
    auction_start_price: "100",
    auction_bidding_unit: "5",
    auction_buynow_price: "500",
    auction_start_date: "0",
    auction_end_date: "0",
    extend: "300",
    ...platformExample,
  },
  actor: "address",
  signed: [
    "address",
    "amount",
    "mrc010id",
    "auction_start_price",
    "token",
    "auction_bidding_unit",
    "auction_buynow_price",
    "auction_start_date",
    "auction_end_date",
    ...PLATFORM_FIELDS,
    "tkey",
  ],
  check: ({ mrc010id, token, auction_start_price: start, auction_buynow_price: buyNow }) =>
    refuseBuyNow({ start, buyNow }, "auction_buynow_price", "auction_start_price") ??
    refuseSameToken(mrc010id, token),
  refusals: ["3090", "4001", "1102", "5000"],
  result: listedResult,
});
