import { ALICE, GOLD } from "../../description/examples.ts";
import { type Refused, refuse } from "../../description/faults.ts";
import type { Example } from "../../description/operation.ts";
import { amount } from "../../description/parameters/amounts.ts";
import { address, tokenId } from "../../description/parameters/ids.ts";
import { temporaryKey } from "../../description/parameters/keys.ts";
import { wordOrFirst } from "../../description/parameters/words.ts";
import { AMOUNT_MAX, type Amount, type TokenId } from "../../text/amount.ts";
import { PLATFORM_FIELDS, platformExample, platformParameters } from "../platform.ts";

const parameters = {
  mrc010id: tokenId(),
  address: address(),
  amount: amount({ min: 1n, zero: "1107", of: "mrc010id" }),
  min_trade_unit: wordOrFirst(
    "1",
    "10",
    "100",
    "1000",
    "10000",
    "100000",
    "1000000",
    "10000000",
    "100000000",
  ),
  token: tokenId(),
  price: amount({ min: 1n, zero: "1104", of: "token" }),
  ...platformParameters,
  tkey: temporaryKey(),
};

/** Source: tokens §9. */
export const tokenOffer = {
  parameters,
  example: {
    mrc010id: GOLD,
    address: ALICE,
    amount: "1000",
    min_trade_unit: "10",
    token: "0",
    price: "3",
    ...platformExample,
  } satisfies Example<typeof parameters>,
  actor: "address",
  signed: ["address", "amount", "mrc010id", "price", "token", ...PLATFORM_FIELDS, "tkey"],
} as const;

/** Refuses with 3005. Source: tokens §9. */
export function refuseSameToken(mrc010id: TokenId, token: TokenId): Refused | undefined {
  const reason = `is ${token}, which is also the token offered: ask for another one`;
  return mrc010id === token ? refuse({ code: "3005", parameter: "token", reason }) : undefined;
}

/** 3005 unless it is a multiple of the listing's unit. Source: tokens §8. */
export function refuseRest(amount: Amount, unit: bigint): Refused | undefined {
  const reason = `is ${amount} but must be a whole multiple of min_trade_unit ${unit}`;
  return amount % unit === 0n ? undefined : refuse({ code: "3005", parameter: "amount", reason });
}

/** `amount` must be a multiple of `unit`. Source: tokens §8. */
export function paymentFor(amount: Amount, price: Amount, unit: bigint): Amount {
  return ((price * amount) / unit) as Amount;
}

/** Refuses with 1101. Source: tokens §9, conventions §6.1. */
export function refuseExcess(payment: bigint): Refused | undefined {
  const wanted = "such that the whole payment is at most 10^40";
  return payment > AMOUNT_MAX
    ? refuse({ code: "1101", parameter: "price", given: `${payment} in all`, wanted })
    : undefined;
}
