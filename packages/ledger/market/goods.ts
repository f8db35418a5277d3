import type { Address, Amount, RecordType, TokenId } from "@moneta/protocol";
import type { EffectDraft, Signed } from "../records/record.ts";
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
}

/** Money and units that a record of one party mentions. */
export interface Moved {
  readonly paid?: Amount;
  readonly units?: Amount;
}

/** A lot as every kind of goods shows it to the market. */
export interface LotTerms {
  readonly id: string;
  readonly seller: Address;
  /** The token that takers pay in. */
  readonly payToken: TokenId;
  /** The token that the records of this kind are filed under. */
  readonly recordToken: TokenId;
  /** How much of the goods an auction is for; 1 for an item. */
  readonly amount: Amount;
}

/**
 * What a kind of goods hands in to the market: a balance of a token (mrc010), an item (mrc401) or
 * units of a holding (mrc402). `Lot` is what the ledger stores while such goods are listed. Checks
 * and their order are in the rules of each kind.
 */
export interface Goods<Lot> {
  readonly kind: "mrc010" | "mrc401" | "mrc402";
  readonly termsOf: (lot: Lot) => LotTerms;
  /** The auction of a lot that is on auction. */
  readonly auctionOf: (lot: Lot) => Auction;
  /** The lot with a new highest bid. */
  readonly withBid: (lot: Lot, bid: Bid) => Lot;
  /** Who gets which share of a payment before the seller, in the order of payment. */
  readonly sharesOf: (state: State, lot: Lot) => readonly FeeShare[];
  /** Moves the goods of a deal to the taker. Returns the lot as it is then. */
  readonly handOver: (state: State, lot: Lot, deal: Deal) => Lot;
  /** What the taker gets, as a movement of the payments text; none for an item. */
  readonly received: (lot: Lot, taker: Address, amount: Amount) => readonly Movement[];
  /** Closes an auction without a bid. Returns the lot as it is then. */
  readonly giveBack: (state: State, lot: Lot) => Lot;
  /** Stores the lot and makes its record of type `type`. */
  readonly put: (
    state: State,
    lot: Lot,
    type: RecordType,
    parameters: readonly string[],
  ) => EffectDraft;
  /** Records of the seller and of those with a share, in the order of this kind. */
  readonly payees: (
    lot: Lot,
    paid: { readonly fees: readonly Fee[]; readonly rest: Amount },
    deal: Deal,
  ) => readonly EffectDraft[];
  /** Parameters of the record of who paid for goods. */
  readonly expense: (lot: Lot, payer: Address, moved: Moved, by: Signed) => readonly string[];
  /** Parameters of the record of a bidder who gets a bid back. */
  readonly refund: (lot: Lot, bid: Bid, by: Signed) => readonly string[];
  /** Parameters of the lot's record of a trade or a bid. */
  readonly tradeParameters: (
    lot: Lot,
    trade: {
      readonly is: "buy" | "bid" | "buynow" | "win";
      readonly taker: Address;
      readonly payments: string;
      readonly by: Signed;
    },
  ) => readonly string[];
  /** The type and parameters of the primary record of an auction that somebody has won. */
  readonly winning: (
    lot: Lot,
    winner: Address,
    tradeParameters: readonly string[],
  ) => readonly [type: RecordType, parameters: readonly string[]];
  /** The type and parameters of the primary record of an auction that nobody has bid in. */
  readonly failure: (lot: Lot) => readonly [type: RecordType, parameters: readonly string[]];
}
