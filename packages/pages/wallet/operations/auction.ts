import { localTimeText } from "@moneta/sdk";
import {
  amount,
  type Field,
  type FieldFault,
  type Fill,
  more,
  optional,
  type Reading,
  startingWith,
  time,
  type Values,
} from "./fields.ts";
import type { Acting, Effect } from "./operation-form.ts";
import { type Rate, type Share, sharesOf } from "./shares.ts";

/** A running auction of whatever kind. */
export interface Auction {
  /** The token of the bids. */
  readonly token: string;
  readonly start: bigint;
  readonly unit: bigint;
  /** 0: there is none. */
  readonly buyNow: bigint;
  /** 0: nobody has bid. */
  readonly current: bigint;
  /** Empty: nobody has bid. */
  readonly bidder: string;
  readonly begins: number;
  readonly ends: number;
}

const AMOUNT_MAX = 10n ** 40n;
const DAY_SECONDS = 86_400;

/** When an auction ends if its form is sent as it is, Unix seconds. */
export function usualEnd({ now }: Pick<Acting, "now">): number {
  return Math.ceil((now + DAY_SECONDS) / 60) * 60;
}

/** Prices and times of a new auction of tokens or units. Source: tokens §12, mrc402 §14 */
export const auctionFields = (by: Acting) => ({
  auction_start_price: amount({ field: "token" }),
  auction_bidding_unit: optional(amount({ field: "token" })),
  auction_buynow_price: optional(amount({ field: "token" })),
  auction_end_date: startingWith(time(), localTimeText(usualEnd(by))),
  auction_start_date: more(optional(time())),
});

/** What is wrong with them. How long an auction may take is a setting of the ledger. */
export function checkAuctionTerms({
  auction_start_price: start,
  auction_buynow_price: buyNow,
  auction_start_date: begins,
  auction_end_date: ends,
}: Values<ReturnType<typeof auctionFields>>): Readonly<Record<string, FieldFault>> {
  return buyNow !== undefined && buyNow <= start
    ? { auction_buynow_price: { what: "notAbove" } }
    : begins !== undefined && ends <= begins
      ? { auction_end_date: { what: "endBeforeStart" } }
      : {};
}

/** Start, buy-now price and times of a new auction; without a time it begins at once. */
export function auctionTerms(
  {
    auction_start_price: start,
    auction_buynow_price: buyNow,
    auction_start_date: begins,
    auction_end_date: ends,
  }: Pick<Values<ReturnType<typeof auctionFields>>, "auction_start_price" | "auction_end_date"> &
    Partial<Values<ReturnType<typeof auctionFields>>>,
  token: string,
): readonly Effect[] {
  return [
    { kind: "own", what: "startPrice", sign: "", amount: start, token },
    ...(buyNow === undefined
      ? []
      : [{ kind: "own", what: "buyNow", sign: "", amount: buyNow, token } as const]),
    ...(begins === undefined ? [] : [{ kind: "time", what: "start", time: begins } as const]),
    { kind: "time", what: "end", time: ends },
  ];
}

/** The lowest bid that the auction takes: on its steps, above the current one. Source: mrc401 §16 */
function lowestBid({ start, unit, current, bidder, buyNow }: Auction): bigint {
  if (bidder === "") {
    return start;
  }
  const next = start + ((current - start) / unit + 1n) * unit;
  return buyNow > 0n && next > buyNow ? buyNow : next;
}

/** Whether somebody may bid now. */
export function mayBid(auction: Auction, { address, now }: Acting): boolean {
  const { bidder, buyNow, begins, ends } = auction;
  return now >= begins && now < ends && (bidder !== address || buyNow > 0n);
}

/** The amount of a bid. */
export function bidField(auction: Auction): Field<bigint> {
  const { buyNow, token } = auction;
  const fills: Fill[] = [{ what: "lowest", amount: lowestBid(auction) }];
  return amount(
    { token },
    {
      max: buyNow > 0n ? buyNow : AMOUNT_MAX,
      fills: buyNow > 0n ? [...fills, { what: "buyNow", amount: buyNow }] : fills,
    },
  );
}

/** Whether the auction takes a bid. Source: mrc401 §16, mrc402 §16, tokens §12 */
export function checkBid(
  auction: Auction,
  bid: bigint,
  { decimals }: Reading,
): Readonly<Record<string, FieldFault>> {
  const { start, unit, buyNow, current, token } = auction;
  const isOnStep = bid >= start && (bid - start) % unit === 0n && bid > current;
  return isOnStep || (buyNow > 0n && bid === buyNow)
    ? {}
    : {
        amount: { what: "bid", lowest: lowestBid(auction), unit, decimals: decimals(token) ?? 0 },
      };
}

/** What becomes of a bid: it is held, and the earlier one goes back; or it wins at once. */
export function bidEffects(
  auction: Auction,
  bid: bigint,
  { address }: Acting,
  won: readonly Effect[],
): readonly Effect[] {
  const { token, bidder, current, buyNow, ends } = auction;
  const refund: readonly Effect[] =
    bidder === ""
      ? []
      : bidder === address
        ? [{ kind: "own", what: "bidBack", sign: "+", amount: current, token }]
        : [{ kind: "share", role: "earlierBidder", address: bidder, amount: current, token }];
  return buyNow > 0n && bid === buyNow
    ? [
        { kind: "own", what: "pay", sign: "−", amount: bid, token },
        ...refund,
        ...won,
        { kind: "note", what: "winsAtOnce" },
      ]
    : [
        { kind: "own", what: "bid", sign: "−", amount: bid, token },
        ...refund,
        { kind: "time", what: "end", time: ends },
        { kind: "note", what: "outbid" },
      ];
}

/** What closing an auction does; `lot` is what whoever gets the lot has of it. */
export function finishEffects(
  { bidder, current, token }: Auction,
  rates: readonly Rate[],
  seller: Pick<Share, "role" | "address">,
  lot: (address: string) => Effect,
): readonly Effect[] {
  return bidder === ""
    ? [{ kind: "note", what: "noBid" }, lot(seller.address), { kind: "note", what: "anybody" }]
    : [
        lot(bidder),
        ...shareEffects(sharesOf(current, rates, seller), token),
        { kind: "note", what: "anybody" },
      ];
}

/** Shares of a payment as effects. */
export function shareEffects(shares: readonly Share[], token: string): readonly Effect[] {
  return shares.map((share) => ({ kind: "share", ...share, token }));
}

/** Shares of a price that somebody may pay later. */
export function laterEffects(shares: readonly Share[], token: string): readonly Effect[] {
  return shares.map((share) => ({ kind: "share", ...share, token, isLater: true }));
}

/** Percentages as effects, where the amount is not known yet. */
export function rateEffects(rates: readonly Rate[]): readonly Effect[] {
  return rates.map((rate) => ({ kind: "rate", ...rate }));
}
