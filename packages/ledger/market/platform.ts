import { type Address, type Amount, feeOf, type Rate, ZERO } from "@moneta/protocol";

/** No address, no commission. Source: market §1.4. */
export interface Platform {
  readonly platform_name: string;
  readonly platform_url: string;
  readonly platform_address: Address | "";
  readonly platform_commission: Rate;
}

export function platformFee(
  { platform_address, platform_commission }: Platform,
  payment: Amount,
): Amount {
  return platform_address === "" ? ZERO : feeOf(payment, platform_commission);
}

export function platformOf(values: {
  readonly platform_name: string;
  readonly platform_url: string;
  readonly platform_address: Address | "" | undefined;
  readonly platform_commission: Rate;
}): Platform {
  const { platform_name, platform_url, platform_address = "", platform_commission } = values;
  return { platform_name, platform_url, platform_address, platform_commission };
}
