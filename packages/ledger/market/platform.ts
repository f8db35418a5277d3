import { type Address, type Amount, feeOf, type Rate, ZERO } from "@moneta/protocol";
import type { Platform } from "../state/platform.ts";

/** What a platform gets of a payment. Source: tokens §8. */
export function platformFee({ address, commission }: Platform, payment: Amount): Amount {
  return address === "" ? ZERO : feeOf(payment, commission);
}

/** The platform that a request names. */
export function platformOf(values: {
  readonly platform_name: string;
  readonly platform_url: string;
  readonly platform_address: Address | undefined;
  readonly platform_commission: Rate;
}): Platform {
  return {
    name: values.platform_name,
    url: values.platform_url,
    address: values.platform_address ?? "",
    commission: values.platform_commission,
  };
}
