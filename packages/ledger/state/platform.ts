import type { Address, Rate } from "@moneta/protocol";

/** Through whom something is sold. Source: tokens §8. */
export interface Platform {
  readonly name: string;
  readonly url: string;
  /** `""` if none was named: then there is no commission. */
  readonly address: Address | "";
  readonly commission: Rate;
}
