import type { TokenTrade } from "@moneta/sdk";
import { locale } from "../../texts/texts.ts";

interface TradeDecimals {
  readonly ofToken: number;
  readonly ofPayment: number;
}

/** Of one whole token, approximate. */
export function tradePrice(
  { amount, payment }: Pick<TokenTrade, "amount" | "payment">,
  decimals: TradeDecimals,
): number {
  return (Number(payment) / Number(amount)) * 10 ** (decimals.ofToken - decimals.ofPayment);
}

export function priceText(price: number): string {
  return new Intl.NumberFormat(locale(), { maximumSignificantDigits: 6 }).format(price);
}
