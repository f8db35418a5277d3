import type { Address, Amount, TokenId } from "@moneta/protocol";
import type { EffectDraft, RecordDraft, Signed } from "../records/record.ts";
import type { Auction, Bid } from "../state/auction.ts";
import type { State } from "../state/state.ts";
import type { Fee, FeeShare } from "./fees.ts";
import type { Movement } from "./payments.ts";

/** How goods change hands: at a fixed price, or to the highest bidder. */
export type Way = "sale" | "auction";

/** What a taker gets of a lot, and pays. The payment is in escrow or has just been debited. */
export interface Deal {
  readonly taker: Address;
  readonly amount: Amount;
  readonly payment: Amount;
  readonly way: Way;
  readonly by: Signed;
  /** What holds the payment, if it is not the lot: an offer. */
  readonly from?: string;
}

/** Money and units that a record of one party mentions. */
export interface Moved {
  readonly paid?: Amount;
  readonly units?: Amount;
}

/** What happened to a lot. */
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
  /** How much of the goods an auction is for; 1 for an item. */
  readonly amount: Amount;
}

/**
 * What a kind of goods hands in to the market: a balance of a token (mrc010), an item (mrc401) or
 * units of a holding (mrc402). `Lot` is what the ledger stores while such goods are listed. Checks
 * and their order are in the rules of each kind.
 */
export interface Goods<Lot extends Auction> {
  readonly kind: "mrc010" | "mrc401" | "mrc402";
  readonly termsOf: (lot: Lot) => LotTerms;
  /** The lot with a new highest bid, which may move its end. */
  readonly withBid: (lot: Lot, bid: Bid, time: number) => Lot;
  /** Who gets which share of a payment before the seller, in the order of payment. */
  readonly sharesOf: (state: State, lot: Lot) => readonly FeeShare[];
  /** Moves the goods of a deal to the taker. Returns the lot as it is then. */
  readonly handOver: (state: State, lot: Lot, deal: Deal) => Lot;
  /** What the taker gets, as a movement of the payments text; none for an item. */
  readonly received: (lot: Lot, taker: Address, amount: Amount) => readonly Movement[];
  /** Stores the lot as it is after a trade or a bid, and makes its record of that. */
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
  /** The record of a bidder who gets a bid back. */
  readonly refunded: (lot: Lot, bid: Bid, by: Signed) => EffectDraft;
  readonly won: (lot: Lot, trade: Trade) => RecordDraft;
  /**
   * Gives back and stores a lot that nobody has bid for; the primary record of such an auction, and
   * the lot's.
   */
  readonly failed: (
    state: State,
    lot: Lot,
  ) => { readonly primary: RecordDraft; readonly listed: EffectDraft };
}
