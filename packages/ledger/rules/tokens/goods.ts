import { type Address, type Amount, type RecordValues, ZERO } from "@moneta/protocol";
import {
  failed,
  listingPutter,
  type PutListing,
  traded,
  withBid,
} from "../../market/dated-listing.ts";
import type { Goods, Moved } from "../../market/goods.ts";
import { type EffectDraft, effect, record, type Signed } from "../../records/record.ts";
import {
  creatorOf,
  payTokenOf,
  TOKEN_LISTING,
  type TokenListing,
  withTaker,
} from "../../state/token-listing-entry.ts";

/** A balance of a token as goods. Source: tokens §8, §11, §12. */
export const tokenGoods: Goods<TokenListing> = {
  kind: "mrc010",
  termsOf: (listing) => ({
    id: listing.dexid,
    seller: creatorOf(listing),
    payToken: payTokenOf(listing),
    amount: listing.amount,
  }),
  withBid,

  sharesOf: (_state, { platform_address: payee, platform_commission: rate }) =>
    payee === "" ? [] : [{ payee, rate, movement: PLATFORM_MOVEMENT }],

  handOver(state, listing, { taker, amount }) {
    state.balances.credit(taker, listing.mrc010, amount);
    return withTaker(traded(listing, amount, state.time), taker);
  },

  received: ({ dexid, mrc010 }, taker, amount) => [
    { type: "mrc010_recv_item", from: dexid, to: taker, amount, units: mrc010 },
  ],

  putTraded: (state, { before, after }, { is, taker: other, payments }) =>
    putListing(state, after, TRADED[is], {
      ...{ dexid: before.dexid, creator: creatorOf(before), other, payments },
      mrc010id: before.mrc010,
    }),

  payees: (listing, { fees, rest }, { way, by }) => [
    effect(
      way === "sale" ? "receive_mrc010sell" : "receive_mrc010auction",
      receipt(listing, creatorOf(listing), { paid: rest }, by),
    ),
    ...fees.map(({ payee, amount }) => feeReceived(listing, payee, amount, by)),
  ],

  paid(listing, how, payer, { paid = ZERO, units = ZERO }, { signature, tkey }) {
    const { dexid, mrc010: mrc010id } = listing;
    const token = payTokenOf(listing);
    const moved = { dexid, token, signature, amount: units, mrc010id, tkey };
    return how === "buy"
      ? record("transfer_mrc010buy", { ...moved, taker: payer, payment: paid }, { token: mrc010id })
      : record("transfer_mrc010bid", { ...moved, bidder: payer, bid: paid }, { token: mrc010id });
  },
  refunded: (listing, { bidder, amount }, by) =>
    effect("receive_mrc010refund", receipt(listing, bidder, { paid: amount }, by)),
  won(listing, { taker: winner }) {
    const { dexid, amount, mrc010: mrc010id } = listing;
    const won = { dexid, winner, token: payTokenOf(listing), amount, mrc010id };
    return record("receive_mrc010item", won, { token: mrc010id });
  },
  failed(state, listing) {
    const { dexid, amount, mrc010: mrc010id } = listing;
    const seller = creatorOf(listing);
    state.balances.credit(seller, mrc010id, amount);
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

export const PLATFORM_MOVEMENT = "mrc010_recv_fee_platform";

export function feeReceived(
  listing: TokenListing,
  platform: Address,
  fee: Amount,
  by: Signed,
): EffectDraft {
  return effect("receive_mrc010fee", receipt(listing, platform, { paid: fee }, by));
}

/**
 * Parameters of the record of an address that received something from a listing.
 * Source: tokens §11, §12.
 */
export function receipt(
  listing: TokenListing,
  payee: Address,
  { paid: payment = ZERO, units: amount = ZERO }: Moved,
  { signature, tkey }: Signed,
): RecordValues<"receive_mrc010sell"> {
  const { dexid, mrc010: mrc010id } = listing;
  const token = payTokenOf(listing);
  return { dexid, payee, payment, token, signature, amount, mrc010id, tkey };
}
