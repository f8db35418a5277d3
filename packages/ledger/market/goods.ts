import type { Address, Amount, TokenId } from "@moneta/protocol";
import type { EffectDraft, RecordDraft, Signed } from "../records/record.ts";
import type { Auction, Bid } from "../state/auction.ts";
import type { State } from "../state/state.ts";
import type { Fee, FeeShare } from "./fees.ts";
import type { Movement } from "./payments.ts";

/** How goods change hands: at a fixed price, or to the highest bidder. */
export type Way = "sale" | "auction";

/**
 * The part of a lot that a taker gets, and its price. The payment is in escrow or has just been
 * debited.
 */
export interface Deal {
  readonly taker: Address;
  readonly amount: Amount;
  readonly payment: Amount;
  readonly way: Way;
  readonly by: Signed;
  /** The holder of the payment if it is not the lot: an offer. */
  readonly from?: string;
}

/** Money and units that a record of one party mentions. */
export interface Moved {
  readonly paid?: Amount;
  readonly units?: Amount;
}

/** A trade or bid of a lot. */
export interface Trade {
  readonly is: "buy" | "bid" | "buynow" | "win";
  readonly taker: Address;
  readonly payments: string;
  readonly by: Signed;
}

/** A lot as every kind of goods shows it to the market. */
export interface LotTerms {
  readonly id: string;
  readonly seller: Address;
  readonly payToken: TokenId;
  /** The amount of the goods in an auction; 1 for an item. */
  readonly amount: Amount;
}

/**
 * The market's interface to a kind of goods: a balance of a token (mrc010), an item (mrc401) or
 * units of a holding (mrc402). `Lot` is stored while such goods are listed. Checks and their order
 * are in the rules of each kind.
 */
export interface Goods<Lot extends Auction> {
  readonly kind: "mrc010" | "mrc401" | "mrc402";
  readonly termsOf: (lot: Lot) => LotTerms;
  /** The lot with a new highest bid, which may move its end. */
  readonly withBid: (lot: Lot, bid: Bid, time: number) => Lot;
  /** The shares of a payment before the seller's, in order of payment. */
  readonly sharesOf: (state: State, lot: Lot) => readonly FeeShare[];
  /** Moves the goods of a deal to the taker. Returns the lot afterwards. */
  readonly handOver: (state: State, lot: Lot, deal: Deal) => Lot;
  /** The goods that the taker gets, as a movement of the payments text; none for an item. */
  readonly received: (lot: Lot, taker: Address, amount: Amount) => readonly Movement[];
  /** Stores the lot after a trade or a bid, and makes its record. */
  readonly putTraded: (
    state: State,
    lots: { readonly before: Lot; readonly after: Lot },
    trade: Trade,
  ) => EffectDraft;
  /** Records of the seller and of those with a share, in the order of this kind. */
  readonly payees: (
    lot: Lot,
    paid: { readonly fees: readonly Fee[]; readonly rest: Amount },
    deal: Deal,
  ) => readonly EffectDraft[];
  /** The primary record of an address that bought, or bid. */
  readonly paid: (
    lot: Lot,
    how: "buy" | "bid",
    payer: Address,
    moved: Moved,
    by: Signed,
  ) => RecordDraft;
  /** The record of an outbid bidder, who gets the bid back. */
  readonly refunded: (lot: Lot, bid: Bid, by: Signed) => EffectDraft;
  readonly won: (lot: Lot, trade: Trade) => RecordDraft;
  /**
   * Returns and stores a lot without a bid; the primary record of such an auction, and the lot's.
   */
  readonly failed: (
    state: State,
    lot: Lot,
  ) => { readonly primary: RecordDraft; readonly listed: EffectDraft };
}
