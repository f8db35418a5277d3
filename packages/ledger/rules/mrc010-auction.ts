import { type Amount, mrc010Auction, PLATFORM_FIELDS, Refused, refuse } from "@moneta/protocol";
import type { State } from "../state/state.ts";
import { auctionLengths } from "./auction-lengths.ts";
import { refuseUnaffordable } from "./balances.ts";
import { done, type Rule, record, ruleOf, sent, signatureOf } from "./rule.ts";
import { lister, newListing, putListing } from "./token-listing.ts";

const ONE = 1n as Amount;

/** How far in the future an auction may begin, seconds. Source: tokens §12. */
const START_WITHIN = 1_814_400;
/** How long an auction lasts that names no end, seconds. Source: tokens §12. */
const USUAL_LENGTH = 86_400;

/** Puts units of a token up for auction, as one lot. Source: tokens §12. */
export const mrc010AuctionRule: Rule<typeof mrc010Auction.parameters> = ruleOf(mrc010Auction, {
  actor: lister,

  apply(state, values, operation) {
    const { address, mrc010id: token, amount } = values;
    const dates = datesOf(state, values);
    if (dates instanceof Refused) {
      return dates;
    }
    const poor = refuseUnaffordable(state, { address, token, amount });
    if (poor !== undefined) {
      return poor;
    }

    // Nothing below can fail.
    state.debit(address, token, amount);
    const listing = {
      ...newListing(state, values, ONE, "mrc010_auction"),
      side: "auction" as const,
      auction: {
        startPrice: values.auction_start_price,
        bidUnit: values.auction_bidding_unit ?? ONE,
        buyNowPrice: values.auction_buynow_price,
        ...dates,
        settleDate: 0,
        bidCount: 0,
        bid: undefined,
      },
    };
    const parameters = [
      listing.id,
      ...sent(operation, "address", "amount", "mrc010id", "auction_start_price", "token"),
      ...sent(operation, "auction_bidding_unit", "auction_buynow_price"),
      ...sent(operation, "auction_start_date", "auction_end_date", ...PLATFORM_FIELDS),
      signatureOf(operation),
      ...sent(operation, "tkey"),
    ];
    const listed = putListing(state, listing, parameters);
    return done(state, record("mrc010auction", address, token, parameters), [listed]);
  },
});

/** When the auction begins and ends; refused with 1102 rather than moved into bounds, because both dates are signed. */
function datesOf(
  state: State,
  values: { readonly auction_start_date: bigint; readonly auction_end_date: bigint },
): { readonly startDate: number; readonly endDate: number } | Refused {
  const startDate = dateWithin(values.auction_start_date, "auction_start_date", {
    zero: state.time,
    min: state.time,
    max: state.time + START_WITHIN,
  });
  if (startDate instanceof Refused) {
    return startDate;
  }
  const { shortest, longest } = auctionLengths(state);
  const endDate = dateWithin(values.auction_end_date, "auction_end_date", {
    zero: startDate + USUAL_LENGTH,
    min: startDate + shortest,
    max: startDate + longest,
  });
  return endDate instanceof Refused ? endDate : { startDate, endDate };
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
