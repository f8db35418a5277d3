import type { TokenTrade } from "@moneta/sdk";
import { locale } from "../../texts/texts.ts";

/** Prices of trades, the oldest first: times in Unix seconds. */
export interface Prices {
  readonly times: readonly number[];
  /** As precise as a picture needs. */
  readonly prices: readonly number[];
  /** The prices as exact decimal texts, if a table has these instead of the chart's rounded ones. */
  readonly exact?: readonly string[];
}

export interface TradeDecimals {
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
