import { MARKET } from "../description/examples.ts";
import { optionalAddress, rate, text, url } from "../description/parameters.ts";

/** Through whom something is sold, and what part of the price is theirs: parameters of every listing. Source: tokens §9. */
export const platformParameters = {
  platform_name: text({ max: 255, optional: true, withoutBar: true }),
  platform_url: url({ use: "page", max: 255, optional: true, withoutBar: true }),
  platform_commission: rate({ max: "10", decimals: 2, optional: true }),
  platform_address: optionalAddress(),
} as const;

export const platformExample = {
  platform_name: "Gold market",
  platform_url: "https://market.example/",
  platform_commission: "2.5",
  platform_address: MARKET,
} as const;

/** Their order in signed strings and records. */
export const PLATFORM_FIELDS = [
  "platform_name",
  "platform_url",
  "platform_address",
  "platform_commission",
] as const;
