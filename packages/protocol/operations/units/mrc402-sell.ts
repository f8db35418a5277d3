import { type Refused, refuse } from "../../description/faults.ts";
import { signedOperation } from "../../description/operation.ts";
import { optional, type ValuesOf } from "../../description/parameter.ts";
import { amount, quantity } from "../../description/parameters/amounts.ts";
import { tokenId } from "../../description/parameters/ids.ts";
import { AMOUNT_MAX, type Amount } from "../../text/amount.ts";
import { HOLDER_CHANGE_REFUSALS } from "../items/policy.ts";
import { saleWindow, saleWindowExample, signedSaleWindow } from "../listing-times.ts";
import { type platformIfGiven, unitListing } from "./unit-listing.ts";

const terms = {
  price: amount({ min: 1n, of: "token" }),
  token: tokenId(),
  amount: optional(quantity({ zero: "1107" })),
  ...saleWindow,
} as const;

export type UnitOffer = ValuesOf<typeof terms & typeof platformIfGiven> & {
  readonly id: string;
};

/** Source: mrc402 §11. */
export const mrc402Sell = signedOperation({
  name: "mrc402sell",
  title: "Sell units",
  route: "POST /mrc402/sell/{id}",
  otherRoutes: ["POST /mrc402/sell"],
  about:
    "Puts units of an item on sale; with itemdata those of 1 to 100 items, all or none. Each offer is a listing of its own.",
  ...unitListing({
    terms,
    own: {
      amount: optional(quantity({ zero: "1107" })),
      price: optional(amount({ min: 1n, of: "token" })),
      token: optional(tokenId()),
      ...signedSaleWindow,
    },
    required: ["amount", "price", "token"],
    signed: ["price", "token"],
    examples: {
      own: { amount: "5", price: "30", token: "0", ...saleWindowExample },
      terms: { amount: "5", price: "30", token: "0" },
    },
    checkEntry: ({ price, amount: units }, parameter) =>
      refuseExcess(price, units, `${parameter}.price`),
  }),
  check: ({ itemdata, price, amount: units }) =>
    itemdata === undefined && price !== undefined ? refuseExcess(price, units, "price") : undefined,
  refusals: [
    "6004",
    "3090",
    "4001",
    "7001",
    "7110",
    "7109",
    "7108",
    ...HOLDER_CHANGE_REFUSALS,
    "5000",
  ],
});

function refuseExcess(
  price: Amount,
  units: bigint | undefined,
  parameter: string,
): Refused | undefined {
  const wanted = "such that all units together cost at most 10^40";
  return price * (units ?? 1n) > AMOUNT_MAX
    ? refuse({ code: "1101", parameter, given: String(price), wanted })
    : undefined;
}
