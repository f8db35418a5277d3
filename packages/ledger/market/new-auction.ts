import { type Amount, ONE, Refused, refuse } from "@moneta/protocol";
import { invariant } from "../invariant.ts";
import type { Auction, DatedAuction } from "../state/auction.ts";
import { PROTOCOL } from "../state/entries.ts";
import type { State } from "../state/state.ts";

export const NO_BID = { auction_current_price: "", auction_current_bidder: "" } as const;

/** Seconds from now. Source: market §3. */
const START_WITHIN = 1_814_400;
/** Seconds. Source: market §3. */
const USUAL_LENGTH = 86_400;

interface SignedTerms {
  readonly auction_start_price: Amount;
  readonly auction_bidding_unit: Amount;
  readonly auction_buynow_price: Amount;
  readonly auction_start_date: bigint;
  readonly auction_end_date: bigint;
  readonly extend: number;
}

/** A date out of bounds is refused (1102), not moved: it is signed. */
export function signedAuction(state: State, terms: SignedTerms): DatedAuction | Refused {
  const startDate = dateWithin(terms.auction_start_date, "auction_start_date", {
    zero: state.time,
    min: state.time,
    max: state.time + START_WITHIN,
  });
  if (startDate instanceof Refused) {
    return startDate;
  }
  const { auctionMin, auctionMax } = auctionLengths(state);
  const endDate = dateWithin(terms.auction_end_date, "auction_end_date", {
    zero: startDate + USUAL_LENGTH,
    min: startDate + auctionMin,
    max: startDate + auctionMax,
  });
  return endDate instanceof Refused
    ? endDate
    : {
        auction_start_price: terms.auction_start_price,
        auction_bidding_unit: terms.auction_bidding_unit,
        auction_buynow_price: terms.auction_buynow_price,
        auction_start_date: startDate,
        auction_end_date: endDate,
        auction_settle_date: 0,
        auction_bid_count: 0,
        ...NO_BID,
        ...softClose(terms.extend, { begin: startDate, end: endDate, auctionMax }),
      };
}

function dateWithin(
  date: bigint,
  parameter: string,
  { zero, min, max }: { readonly zero: number; readonly min: number; readonly max: number },
): number | Refused {
  if (date === 0n) {
    return zero;
  }
  const wanted = `a time in Unix seconds from ${min} to ${max}, or 0`;
  return date < min || date > max
    ? refuse({ code: "1102", parameter, given: String(date), wanted })
    : Number(date);
}

export interface ListedTerms {
  readonly start: Amount;
  readonly bidding: Amount | undefined;
  readonly buynow: Amount;
  readonly end: bigint;
  readonly extend: number;
}

/** Seconds after the first end. Source: market §3.2. */
const EXTENDED_WITHIN = 86_400;

interface Ends extends Pick<Auction, "auction_extend" | "auction_latest_end"> {
  readonly end: number;
}

/** An end out of bounds is moved to the nearest valid one. */
export function nearestEnds(
  state: State,
  { end, extend }: Pick<ListedTerms, "end" | "extend">,
): Ends {
  const { auctionMin, auctionMax } = auctionLengths(state);
  const earliest = state.time + auctionMin;
  const latest = state.time + auctionMax;
  const nearest = end < earliest ? earliest : end > latest ? latest : Number(end);
  return { end: nearest, ...softClose(extend, { begin: state.time, end: nearest, auctionMax }) };
}

/** An end out of bounds is moved to the nearest valid one. */
export function nearestEnd(state: State, end: bigint): number {
  return nearestEnds(state, { end, extend: 0 }).end;
}

/** How bids move the end of a new auction. Source: market §3.2. */
function softClose(
  extend: number,
  {
    begin,
    end,
    auctionMax,
  }: { readonly begin: number; readonly end: number; readonly auctionMax: number },
): Pick<Auction, "auction_extend" | "auction_latest_end"> {
  const latest = Math.min(begin + auctionMax, end + EXTENDED_WITHIN);
  return { auction_extend: extend, auction_latest_end: extend === 0 ? 0 : latest };
}

export function listedPrices({
  start,
  bidding,
  buynow,
}: Omit<ListedTerms, "end" | "extend">): Pick<
  Auction,
  "auction_start_price" | "auction_bidding_unit" | "auction_buynow_price"
> {
  return {
    auction_start_price: start,
    auction_bidding_unit: bidding ?? ONE,
    auction_buynow_price: buynow,
  };
}

/** Seconds; from block 0. Source: chain §8. */
function auctionLengths(state: State): {
  readonly auctionMin: number;
  readonly auctionMax: number;
} {
  const protocol = state.find(PROTOCOL, "");
  invariant(protocol !== undefined, "block 0 sets the lengths of auctions");
  return protocol;
}
