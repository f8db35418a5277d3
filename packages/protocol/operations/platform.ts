import { MARKET } from "../description/examples.ts";
import { optional } from "../description/parameter.ts";
import { rate } from "../description/parameters/amounts.ts";
import { address } from "../description/parameters/ids.ts";
import { text } from "../description/parameters/texts.ts";
import { url } from "../description/parameters/urls.ts";
import { NO_RATE } from "../text/rate.ts";

/** Source: market §1.4. */
export const platformParameters = {
  platform_name: optional(text({ max: 255, withoutBar: true }), ""),
  platform_url: optional(url({ use: "page", max: 255, withoutBar: true }), ""),
  platform_commission: optional(rate("10", 2), NO_RATE),
  platform_address: optional(address()),
} as const;

export const platformExample = {
  platform_name: "Gold market",
  platform_url: "https://market.example/",
  platform_commission: "2.5",
  platform_address: MARKET,
} as const;

export const PLATFORM_FIELDS = [
  "platform_name",
  "platform_url",
  "platform_address",
  "platform_commission",
] as const;
