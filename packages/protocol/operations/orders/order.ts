import { GOLD, SILVER } from "../../description/examples.ts";
import { type Refused, refuse } from "../../description/faults.ts";
import { amount } from "../../description/parameters/amounts.ts";
import { tokenId } from "../../description/parameters/ids.ts";
import { word } from "../../description/parameters/words.ts";
import { AMOUNT_MAX, type Amount, type TokenId } from "../../text/amount.ts";

/** Source: protocols §10. */
export const terms = {
  side: word("SELL", "BUY"),
  basetoken: tokenId(),
  targettoken: tokenId(),
  price: amount({ min: 1n, zero: "1104", of: "basetoken" }),
  qtt: amount({ min: 1n, zero: "1107", of: "targettoken" }),
};

export const termsExample = {
  side: "SELL",
  basetoken: SILVER,
  targettoken: GOLD,
  price: "300",
  qtt: "1000",
} as const;

/** Refuses with 3005. Source: protocols §10. */
export function refuseOneToken({
  basetoken,
  targettoken,
}: {
  readonly basetoken: TokenId;
  readonly targettoken: TokenId;
}): Refused | undefined {
  const reason = `is ${targettoken}, which is also basetoken: a token is not traded for itself`;
  return basetoken === targettoken
    ? refuse({ code: "3005", parameter: "targettoken", reason })
    : undefined;
}

/** 3005 unless it is a whole number, 1101 above 10^40. Source: protocols §9.2. */
export function orderTotal(
  { price, qtt }: { readonly price: Amount; readonly qtt: Amount },
  decimal: number,
): Amount | Refused {
  const whole = 10n ** BigInt(decimal);
  const product = price * qtt;
  if (product % whole !== 0n) {
    const reason = `is ${qtt}, but price ${price} is for ${whole}, and price times qtt must be a whole multiple of that`;
    return refuse({ code: "3005", parameter: "qtt", reason });
  }
  const total = product / whole;
  const wanted = "such that the whole price is at most 10^40";
  return total > AMOUNT_MAX
    ? refuse({ code: "1101", parameter: "price", given: `${total} in all`, wanted })
    : (total as Amount);
}
