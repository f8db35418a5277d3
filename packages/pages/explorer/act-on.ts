import type { Item, TokenListing, UnitListing } from "@moneta/sdk";
import {
  itemOnMarket,
  listingOnMarket,
  type MarketAction,
  marketAction,
} from "../wallet/operations/on-market.ts";

export type Act = Extract<MarketAction, "buy" | "bid" | "accept"> | "offer" | "order" | "take";

/** Available to anybody at a time, Unix seconds. */
export function actOn(one: Item | TokenListing | UnitListing, now: number): Act | undefined {
  const lot = "auction_end" in one ? itemOnMarket(one) : listingOnMarket(one);
  const action = marketAction(lot, false, { now });
  return action === "buy" || action === "bid" || action === "accept" ? action : undefined;
}
