import { Refused, refuse } from "@moneta/protocol";
import type { State } from "../state/state.ts";
import { auctionLengths } from "./auction-lengths.ts";

/** How far in the future an auction may begin, seconds. Source: tokens §12, mrc402 §14. */
const START_WITHIN = 1_814_400;
/** How long an auction lasts that names no end, seconds. Source: tokens §12, mrc402 §14. */
const USUAL_LENGTH = 86_400;

/** When the auction begins and ends; refused with 1102 rather than moved into bounds, because both dates are signed. */
export function auctionDates(
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
