import { type Address, type Amount, feeOf, type Rate, ZERO } from "@moneta/protocol";

/** The platform of a sale; without an address there is no commission. Source: market §1.4. */
export interface Platform {
  readonly platform_name: string;
  readonly platform_url: string;
  readonly platform_address: Address | "";
  readonly platform_commission: Rate;
}

/** A platform's share of a payment. Source: market §1.4. */
export function platformFee(
  { platform_address, platform_commission }: Platform,
  payment: Amount,
): Amount {
  return platform_address === "" ? ZERO : feeOf(payment, platform_commission);
}

/** The platform that a request, a listing or an item names. */
export function platformOf(values: {
  readonly platform_name: string;
  readonly platform_url: string;
  readonly platform_address: Address | "" | undefined;
  readonly platform_commission: Rate;
}): Platform {
  const { platform_name, platform_url, platform_address = "", platform_commission } = values;
  return { platform_name, platform_url, platform_address, platform_commission };
}
