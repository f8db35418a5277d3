import { refuse } from "../description/faults.ts";
import { amount } from "../description/parameters/amounts.ts";
import { offerEnd } from "../description/parameters/dates.ts";
import { address, recordId, tokenId } from "../description/parameters/ids.ts";
import { temporaryKey } from "../description/parameters/keys.ts";
import { AMOUNT_MAX, type Amount } from "../text/amount.ts";
import { acceptedTerms } from "./items/item-data.ts";

/** An hour to 90 days. Source: offers §2. */
export const OFFER_SECONDS = { min: 3600, max: 7_776_000 } as const;

/** Open offers of an address, both kinds together. Source: offers §2. */
export const OPEN_OFFERS_MAX = 1000;

/** Source: offers §2. */
export const offerTerms = {
  price: amount({ min: 1n, of: "token" }),
  token: tokenId(),
  end: offerEnd(),
  ...acceptedTerms,
  tkey: temporaryKey(),
} as const;

export const offerId = recordId("an offer");

/** Source: offers §4. */
export const withdrawal = {
  parameters: { offerid: offerId, buyer: address(), tkey: temporaryKey() },
  actor: "buyer",
  signed: [],
  fullOnly: true,
  refusals: ["6004", "3090", "7001", "7106"],
} as const;

/** Source: offers §5. */
export const closing = {
  parameters: { offerid: offerId },
  refusals: ["6004", "7106", "7201"],
} as const;

/** 1101 above the largest amount. Source: offers §2. */
export function refuseOfferTotal({
  amount: units,
  price,
}: {
  readonly amount: Amount;
  readonly price: Amount;
}): ReturnType<typeof refuse> | undefined {
  const wanted = "such that the price of all units is at most 10^40";
  return units * price > AMOUNT_MAX
    ? refuse({ code: "1101", parameter: "price", given: `${units * price} in all`, wanted })
    : undefined;
}
