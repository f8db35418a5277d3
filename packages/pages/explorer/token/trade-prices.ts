import type { TokenTrade } from "@moneta/sdk";
import { locale } from "../../texts/texts.ts";

interface TradeDecimals {
  readonly ofToken: number;
  readonly ofPayment: number;
}

/** The price of one whole token in whole tokens of the payment, as precise as a picture needs. */
export function tradePrice(
  { amount, payment }: Pick<TokenTrade, "amount" | "payment">,
  decimals: TradeDecimals,
): number {
  return (Number(payment) / Number(amount)) * 10 ** (decimals.ofToken - decimals.ofPayment);
}

/** A price, rounded to the width of a column. */
export function priceText(price: number): string {
  return new Intl.NumberFormat(locale(), { maximumSignificantDigits: 6 }).format(price);
}
