import type { Address, Amount, TokenId } from "@moneta/protocol";
import type { EffectDraft, RecordDraft, Signed } from "../records/record.ts";
import type { Auction, Bid } from "../state/auction.ts";
import type { State } from "../state/state.ts";
import type { Fee, FeeShare } from "./fees.ts";
import type { Movement } from "./payments.ts";

export type Way = "sale" | "auction";

/** The payment is in escrow or has just been debited. */
export interface Deal {
  readonly taker: Address;
  readonly amount: Amount;
  readonly payment: Amount;
  readonly way: Way;
  readonly by: Signed;
  /** The offer that holds the payment, if the lot does not. */
  readonly from?: string;
}

export interface Moved {
  readonly paid?: Amount;
  readonly units?: Amount;
}

export interface Trade {
  readonly is: "buy" | "bid" | "buynow" | "win";
  readonly taker: Address;
  readonly payments: string;
  readonly by: Signed;
}

export interface LotTerms {
  readonly id: string;
  readonly seller: Address;
  readonly payToken: TokenId;
  /** 1 for an item. */
  readonly amount: Amount;
}

/** The market's interface to a kind of goods. `Lot` is stored while they are listed. */
export interface Goods<Lot extends Auction> {
  readonly kind: "mrc010" | "mrc401" | "mrc402";
  readonly termsOf: (lot: Lot) => LotTerms;
  readonly withBid: (lot: Lot, bid: Bid, time: number) => Lot;
  /** Before the seller's, in order of payment. */
  readonly sharesOf: (state: State, lot: Lot) => readonly FeeShare[];
  readonly handOver: (state: State, lot: Lot, deal: Deal) => Lot;
  /** A movement of the payments text; none for an item. */
  readonly received: (lot: Lot, taker: Address, amount: Amount) => readonly Movement[];
  readonly putTraded: (
    state: State,
    lots: { readonly before: Lot; readonly after: Lot },
    trade: Trade,
  ) => EffectDraft;
  readonly payees: (
    lot: Lot,
    paid: { readonly fees: readonly Fee[]; readonly rest: Amount },
    deal: Deal,
  ) => readonly EffectDraft[];
  readonly paid: (
    lot: Lot,
    how: "buy" | "bid",
    payer: Address,
    moved: Moved,
    by: Signed,
  ) => RecordDraft;
  readonly refunded: (lot: Lot, bid: Bid, by: Signed) => EffectDraft;
  readonly won: (lot: Lot, trade: Trade) => RecordDraft;
  /** Returns and stores a lot without a bid, with the primary record and the lot's. */
  readonly failed: (
    state: State,
    lot: Lot,
  ) => { readonly primary: RecordDraft; readonly listed: EffectDraft };
}
