import type { Address, Rate } from "@moneta/protocol";
import { type Fields, object, rate, text } from "./fields.ts";

/** Through whom something is sold. Source: tokens §8. */
export interface Platform {
  readonly name: string;
  readonly url: string;
  /** `""` if none was named: then there is no commission. */
  readonly address: Address | "";
  readonly commission: Rate;
}

export const PLATFORM: Fields<Platform> = object<Platform>({
  name: text("platform_name"),
  url: text("platform_url"),
  address: text("platform_address"),
  commission: rate("platform_commission"),
});
