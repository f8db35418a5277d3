import type { Item, TokenListing, UnitListing } from "@moneta/sdk";
import {
  itemOnMarket,
  listingOnMarket,
  type MarketAction,
  marketAction,
} from "../wallet/operations/on-market.ts";

/** What a reader can do with something on the market, by the name of the wallet's form. */
export type Act = Extract<MarketAction, "buy" | "bid" | "accept">;

/** What anybody can do with an item or a listing at a time, Unix seconds: buy, bid or sell to it. */
export function actOn(one: Item | TokenListing | UnitListing, now: number): Act | undefined {
  const lot = "auction_end" in one ? itemOnMarket(one) : listingOnMarket(one);
  const action = marketAction(lot, false, { now });
  return action === "buy" || action === "bid" || action === "accept" ? action : undefined;
}
