import { type Amount, ONE, Refused, refuse } from "@moneta/protocol";
import { invariant } from "../invariant.ts";
import type { Auction, DatedAuction } from "../state/auction.ts";
import { PROTOCOL } from "../state/entries.ts";
import type { State } from "../state/state.ts";

/** How far in the future an auction may begin, seconds. Source: tokens §12, mrc402 §14. */
const START_WITHIN = 1_814_400;
/** How long an auction lasts that names no end, seconds. Source: tokens §12, mrc402 §14. */
const USUAL_LENGTH = 86_400;

/** An auction as its own request asks for it. Source: tokens §12, mrc402 §14. */
interface SignedTerms {
  readonly auction_start_price: Amount;
  readonly auction_bidding_unit: Amount;
  readonly auction_buynow_price: Amount;
  readonly auction_start_date: bigint;
  readonly auction_end_date: bigint;
}

/**
 * A new auction. A date out of bounds is refused with 1102 rather than moved, because it is signed.
 */
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
        startPrice: terms.auction_start_price,
        bidUnit: terms.auction_bidding_unit,
        buyNowPrice: terms.auction_buynow_price,
        startDate,
        endDate,
        settleDate: 0,
        bidCount: 0,
        bid: undefined,
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

/** An auction as an element of a list asks for it. Source: mrc401 §14, mrc402 §14. */
interface ListedTerms {
  readonly start: Amount;
  readonly bidding: Amount | undefined;
  readonly buynow: Amount;
  readonly end: bigint;
}

/** A new auction that begins now; an end out of bounds is moved to the nearest one. */
export function listedAuction(state: State, { start, bidding, buynow, end }: ListedTerms): Auction {
  const { auctionMin, auctionMax } = auctionLengths(state);
  const earliest = state.time + auctionMin;
  const latest = state.time + auctionMax;
  return {
    startPrice: start,
    bidUnit: bidding ?? ONE,
    buyNowPrice: buynow,
    endDate: end < earliest ? earliest : end > latest ? latest : Number(end),
    bid: undefined,
  };
}

/** How long auctions last on this ledger, seconds: settings of block 0. Source: chain §8. */
function auctionLengths(state: State): {
  readonly auctionMin: number;
  readonly auctionMax: number;
} {
  const protocol = state.find(PROTOCOL, "");
  invariant(protocol !== undefined, "block 0 sets the lengths of auctions");
  return protocol;
}
