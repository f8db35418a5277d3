import type { ListedToken } from "@moneta/sdk";
import type { JSX } from "preact";
import { tokenForm } from "../../ledger/tokens.ts";
import { TokenName } from "../../parts/amount-text.tsx";
import { priceText, tradePrice } from "./trade-prices.ts";

export function LastPrice({ token }: { readonly token: ListedToken }): JSX.Element | null {
  const { price: payment, price_of: amount, price_token: paid } = token;
  const ofPayment = tokenForm(paid || "0").value?.decimals;
  if (payment === undefined || amount === undefined || ofPayment === undefined) {
    return null;
  }
  return (
    <span class="amount">
      {priceText(tradePrice({ amount, payment }, { ofToken: token.decimal, ofPayment }))}{" "}
      <TokenName token={paid} />
    </span>
  );
}
