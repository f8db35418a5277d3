import { type Amount, type Refused, refuse, type TokenId } from "@moneta/protocol";
import { type Auction, type Bid, bidIn } from "../state/auction.ts";

export function isBuyNow({ auction_buynow_price }: Auction, amount: Amount): boolean {
  return auction_buynow_price !== 0n && amount === auction_buynow_price;
}

/** Refused with 7105 for a bidder that leads, unless it pays the buy-now price. */
export function refuseLeader(
  auction: Auction,
  { bidder, amount }: Bid,
  parameter: string,
): Refused | undefined {
  const reason = `is ${bidder}, who is the highest bidder already`;
  return auction.auction_current_bidder === bidder && !isBuyNow(auction, amount)
    ? refuse({ code: "7105", parameter, reason })
    : undefined;
}

/** Refused with 7104 if it has a bid. */
export function refuseBidden(auction: Auction, parameter: string): Refused | undefined {
  const bid = bidIn(auction);
  const reason = `names an auction in which ${bid?.bidder} has bid ${bid?.amount}`;
  return bid === undefined ? undefined : refuse({ code: "7104", parameter, reason });
}

/** Refused with 7203. */
export function refuseEarly(
  startDate: number,
  time: number,
  parameter: string,
  what: "an auction" | "a sale" = "an auction",
): Refused | undefined {
  const reason = `names ${what} that begins at ${startDate}`;
  return time < startDate ? refuse({ code: "7203", parameter, reason }) : undefined;
}

/** Refused with 7202. */
export function refuseLate(
  endDate: number,
  time: number,
  parameter: string,
  what: "an auction" | "a sale" = "an auction",
): Refused | undefined {
  const reason = `names ${what} that ended at ${endDate}`;
  return time >= endDate ? refuse({ code: "7202", parameter, reason }) : undefined;
}

/** Refused with 7201. */
export function refuseRunning(
  endDate: number,
  time: number,
  parameter: string,
): Refused | undefined {
  const reason = `names an auction that runs until ${endDate}`;
  return time < endDate ? refuse({ code: "7201", parameter, reason }) : undefined;
}

/**
 * A bid with less than `auction_extend` left moves the end, except at the buy-now price.
 * Source: market §3.2.
 */
export function endAfterBid(
  auction: Auction,
  { end, bid, time }: { readonly end: number; readonly bid: Bid; readonly time: number },
): number {
  const { auction_extend: extend, auction_latest_end: latest } = auction;
  return extend === 0 || isBuyNow(auction, bid.amount)
    ? end
    : Math.max(end, Math.min(time + extend, latest));
}

/**
 * Refused with 3004 for a bid above the buy-now price, or an invalid one below it.
 * Source: market §3.3.
 */
export function refuseBidAmount(auction: Auction, amount: Amount): Refused | undefined {
  const {
    auction_start_price: startPrice,
    auction_bidding_unit: bidUnit,
    auction_buynow_price: buyNowPrice,
  } = auction;
  const bid = bidIn(auction);
  const refused = (reason: string): Refused =>
    refuse({ code: "3004", parameter: "amount", reason: `is ${amount} but ${reason}` });
  if (isBuyNow(auction, amount)) {
    return undefined;
  }
  if (buyNowPrice !== 0n && amount > buyNowPrice) {
    return refused(`${buyNowPrice} is enough to buy it now`);
  }
  if (amount < startPrice || (amount - startPrice) % bidUnit !== 0n) {
    return refused(`must be the start price ${startPrice} and whole multiples of ${bidUnit}`);
  }
  return bid !== undefined && amount <= bid.amount
    ? refused(`must be above the highest bid ${bid.amount}`)
    : undefined;
}

/** Refused with 3004. Source: market §3.3. */
export function refuseOtherToken(token: TokenId, asked: TokenId | undefined): Refused | undefined {
  const reason = `is ${asked} but the auction is for token ${token}`;
  return asked === undefined || asked === token
    ? undefined
    : refuse({ code: "3004", parameter: "token", reason });
}
