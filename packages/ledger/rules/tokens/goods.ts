import { type Address, type Amount, type RecordValues, ZERO } from "@moneta/protocol";
import {
  failed,
  listingPutter,
  lotOf,
  type PutListing,
  traded,
  withBid,
} from "../../market/dated-listing.ts";
import type { Goods, Moved } from "../../market/goods.ts";
import { type EffectDraft, effect, record, type Signed } from "../../records/record.ts";
import { TOKEN_LISTING, type TokenListing } from "../../state/token-listing-entry.ts";

/**
 * A balance of a token as goods: what its listing holds, and its records.
 * Source: tokens §8, §11, §12.
 */
export const tokenGoods: Goods<TokenListing> = {
  kind: "mrc010",
  termsOf: ({ id, creator, payToken, amount }) => ({
    id,
    seller: creator,
    payToken,
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

  putTraded: (state, { before: { id, creator, token }, after }, { is, taker, payments }) =>
    putListing(state, after, TRADED[is], {
      ...{ dexid: id, creator, other: taker, payments, mrc010id: token },
    }),

  payees: (listing, { fees, rest }, { way, by }) => [
    effect(
      way === "sale" ? "receive_mrc010sell" : "receive_mrc010auction",
      receipt(listing, listing.creator, { paid: rest }, by),
    ),
    ...fees.map(({ payee, amount }) => feeReceived(listing, payee, amount, by)),
  ],

  paid(listing, how, payer, { paid = ZERO, units = ZERO }, { signature, tkey }) {
    const { id: dexid, payToken: token, token: mrc010id } = listing;
    const moved = { dexid, token, signature, amount: units, mrc010id, tkey };
    return how === "buy"
      ? record("transfer_mrc010buy", { ...moved, taker: payer, payment: paid }, { token: mrc010id })
      : record("transfer_mrc010bid", { ...moved, bidder: payer, bid: paid }, { token: mrc010id });
  },
  refunded: (listing, { bidder, amount }, by) =>
    effect("receive_mrc010refund", receipt(listing, bidder, { paid: amount }, by)),
  won: ({ id: dexid, payToken: token, amount, token: mrc010id }, { taker: winner }) =>
    record("receive_mrc010item", { dexid, winner, token, amount, mrc010id }, { token: mrc010id }),
  failed(state, listing) {
    const { id: dexid, creator: seller, amount, token: mrc010id } = listing;
    state.credit(seller, mrc010id, amount);
    const values = { dexid, seller, amount, mrc010id };
    return {
      primary: record("mrc010auctionfailure", values, { token: mrc010id }),
      listed: putListing(state, failed(listing, state.time), "mrc010_auctionfailure", values),
    };
  },
};

const TRADED = {
  buy: "mrc010_buy",
  bid: "mrc010_auctionbid",
  buynow: "mrc010_auctionbuynow",
  win: "mrc010_auctionwinning",
} as const;

export const putListing: PutListing<TokenListing> = listingPutter(TOKEN_LISTING);

/** The movement of a platform's commission. */
export const PLATFORM_MOVEMENT = "mrc010_recv_fee_platform";

/** The record A of a platform's commission. */
export function feeReceived(
  listing: TokenListing,
  platform: Address,
  fee: Amount,
  by: Signed,
): EffectDraft {
  return effect("receive_mrc010fee", receipt(listing, platform, { paid: fee }, by));
}

/** Parameters of the record of an address that received something from a listing. Source: tokens §11, §12. */
export function receipt(
  { id: dexid, payToken: token, token: mrc010id }: TokenListing,
  payee: Address,
  { paid: payment = ZERO, units: amount = ZERO }: Moved,
  { signature, tkey }: Signed,
): RecordValues<"receive_mrc010sell"> {
  return { dexid, payee, payment, token, signature, amount, mrc010id, tkey };
}
