import { type Address, type Amount, ZERO } from "@moneta/protocol";
import { invariant } from "../../invariant.ts";
import type { Goods, Moved } from "../../market/goods.ts";
import {
  BY_NOBODY,
  type EffectDraft,
  effectOn,
  effectOnEntry,
  type Signed,
} from "../../records/record.ts";
import {
  TOKEN_LISTING,
  type TokenAuction,
  type TokenListing,
} from "../../state/token-listing-entry.ts";

export type Lot = TokenListing & TokenAuction;

/**
 * A balance of a token as goods: what its listing holds, and its records.
 * Source: tokens §8, §11, §12.
 */
export const tokenGoods: Goods<TokenListing> = {
  kind: "mrc010",
  termsOf: ({ id, creator, payToken, token, amount }) => ({
    id,
    seller: creator,
    payToken,
    recordToken: token,
    amount,
  }),
  auctionOf: (listing) => lotOf(listing).auction,

  withBid(listing, bid) {
    const lot = lotOf(listing);
    return { ...lot, auction: { ...lot.auction, bid, bidCount: lot.auction.bidCount + 1 } };
  },

  sharesOf: (_state, { platform: { address, commission } }) =>
    address === "" ? [] : [{ payee: address, rate: commission, movement: PLATFORM_MOVEMENT }],

  handOver(state, listing, { taker, amount }) {
    state.credit(taker, listing.token, amount);
    return traded(listing, { taker, amount, time: state.time });
  },

  received: ({ id, token }, taker, amount) => [
    { type: "mrc010_recv_item", from: id, to: taker, amount, units: token },
  ],

  giveBack(state, listing) {
    const lot = lotOf(listing);
    state.credit(lot.creator, lot.token, lot.amount);
    return { ...lot, state: "failed", auction: { ...lot.auction, settleDate: state.time } };
  },

  put(state, listing, recordType, parameters) {
    const stored = { ...listing, recordType };
    state.put(TOKEN_LISTING, stored);
    return effectOnEntry(TOKEN_LISTING, stored, recordType, parameters);
  },

  payees: (listing, { fees, rest }, { way, by }) => [
    effectOn(
      listing.creator,
      way === "sale" ? "receive_mrc010sell" : "receive_mrc010auction",
      receipt(listing, listing.creator, { paid: rest }, by),
    ),
    ...fees.map(({ payee, amount }) => feeReceived(listing, payee, amount, by)),
  ],

  expense: (listing, payer, moved, by) => [
    payer,
    listing.id,
    ...movedParameters(listing, moved, by),
  ],
  refund: (listing, { bidder, amount }, by) => receipt(listing, bidder, { paid: amount }, by),
  tradeParameters: ({ id, creator, token }, { taker, payments }) => [
    id,
    creator,
    taker,
    payments,
    token,
  ],
  winning: (lot, winner) => [
    "receive_mrc010item",
    receipt(lot, winner, { units: lot.amount }, BY_NOBODY),
  ],
  failure: ({ id, creator, amount, token }) => [
    "mrc010auctionfailure",
    [id, creator, String(amount), token],
  ],
};

function lotOf(listing: TokenListing): Lot {
  invariant(listing.side === "auction", "the side has been checked");
  return listing;
}

/** A listing of which a part, or the last of it, has been traded. Source: tokens §11, §12. */
export function traded<L extends TokenListing>(
  listing: L,
  {
    taker,
    amount,
    time,
  }: { readonly taker: Address; readonly amount: Amount; readonly time: number },
): L {
  const remaining = (listing.remaining - amount) as Amount;
  return {
    ...listing,
    taker,
    remaining,
    ...(remaining === ZERO ? { state: "sold", sellDate: time } : {}),
    ...(listing.side === "auction" ? { auction: { ...listing.auction, settleDate: time } } : {}),
  };
}

/** The movement of a platform's commission. */
export const PLATFORM_MOVEMENT = "mrc010_recv_fee_platform";

/** The record A of a platform's commission. */
export function feeReceived(
  listing: TokenListing,
  platform: Address,
  fee: Amount,
  by: Signed,
): EffectDraft {
  return effectOn(platform, "receive_mrc010fee", receipt(listing, platform, { paid: fee }, by));
}

/** Parameters of the record of who received something from a listing. Source: tokens §11, §12. */
export function receipt(
  listing: TokenListing,
  payee: Address,
  moved: Moved,
  by: Signed,
): readonly string[] {
  return [listing.id, payee, ...movedParameters(listing, moved, by)];
}

function movedParameters(
  { payToken, token }: TokenListing,
  { paid = ZERO, units = ZERO }: Moved,
  { signature, tkey }: Signed,
): readonly string[] {
  return [String(paid), payToken, signature, "0", String(units), token, tkey];
}
