import { type Address, type Amount, ZERO } from "@moneta/protocol";
import { failed, lotOf, traded, withBid } from "../../market/dated-listing.ts";
import type { Goods, Moved } from "../../market/goods.ts";
import {
  BY_NOBODY,
  type EffectDraft,
  effectOn,
  effectOnEntry,
  type Signed,
} from "../../records/record.ts";
import { TOKEN_LISTING, type TokenListing } from "../../state/token-listing-entry.ts";

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

  withBid,

  sharesOf: (_state, { platform: { address, commission } }) =>
    address === "" ? [] : [{ payee: address, rate: commission, movement: PLATFORM_MOVEMENT }],

  handOver(state, listing, { taker, amount }) {
    state.credit(taker, listing.token, amount);
    return { ...traded(listing, amount, state.time), taker };
  },

  received: ({ id, token }, taker, amount) => [
    { type: "mrc010_recv_item", from: id, to: taker, amount, units: token },
  ],

  giveBack(state, listing) {
    state.credit(listing.creator, listing.token, listing.amount);
    return failed(listing, state.time);
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
