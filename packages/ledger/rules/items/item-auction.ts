import { type Amount, ONE, type TokenId } from "@moneta/protocol";
import { auctionLengths } from "../../market/auction-lengths.ts";
import type { Auction } from "../../state/auction.ts";
import type { State } from "../../state/state.ts";

/** An auction that begins now, its end moved to the nearest bound. Source: mrc401 §14. */
export function auctionFor(
  state: State,
  {
    start,
    bidding,
    buynow,
    end,
  }: {
    readonly start: Amount;
    readonly bidding: Amount | undefined;
    readonly buynow: Amount;
    readonly end: bigint;
  },
): Auction {
  const { shortest, longest } = auctionLengths(state);
  const earliest = state.time + shortest;
  const latest = state.time + longest;
  return {
    startPrice: start,
    bidUnit: bidding ?? ONE,
    buyNowPrice: buynow,
    endDate: end < earliest ? earliest : end > latest ? latest : Number(end),
    bid: undefined,
  };
}

/** What the record of an auction says of its terms, defaults filled in. Source: mrc401 §14. */
export function auctionTerms(
  { startPrice, buyNowPrice, bidUnit }: Auction,
  token: TokenId,
): readonly string[] {
  return [String(startPrice), token, String(buyNowPrice), String(bidUnit)];
}
