import type { Item, TokenListing, UnitListing } from "@moneta/sdk";
import { isSaleOpen } from "../ledger/sale-window.ts";

/** What a reader can do with something on the market, by the name of the wallet's form. */
export type Act = "buy" | "bid" | "accept";

/** What anybody can do with an item or a listing at a time, Unix seconds: buy, bid or sell to it. */
export function actOn(one: Item | TokenListing | UnitListing, at: number): Act | undefined {
  const [side, end] =
    "auction_end" in one
      ? [one.sell_date > 0 ? "sell" : one.auction_date > 0 ? "auction" : "", one.auction_end]
      : [one.state === "open" ? one.side : "", one.auction_end_date];
  switch (side) {
    case "sell":
      return isSaleOpen(one, at) ? "buy" : undefined;
    case "auction":
      return at < end ? "bid" : undefined;
    case "buy":
      return "accept";
    default:
      return undefined;
  }
}
