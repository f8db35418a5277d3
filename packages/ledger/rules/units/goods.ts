import { type Address, type Amount, type RecordValues, ZERO } from "@moneta/protocol";
import {
  failed,
  listingPutter,
  type PutListing,
  traded,
  withBid,
} from "../../market/dated-listing.ts";
import type { Goods } from "../../market/goods.ts";
import { noteHeld } from "../../market/holder-change.ts";
import { type EffectDraft, effect, record, type Signed } from "../../records/record.ts";
import type { State } from "../../state/state.ts";
import { UNIT_ITEM, type UnitItem } from "../../state/units/unit-item-entry.ts";
import { UNIT_LISTING, type UnitListing } from "../../state/units/unit-listing-entry.ts";
import { closed, giveBack, itemOf, lotValues, offerValues, sharesOf } from "./listing.ts";
import { moveUnits } from "./unit-item.ts";

/** Units of a holding as goods. Source: mrc402 §2.6, §13, §16, §17. */
export const unitGoods: Goods<UnitListing> = {
  kind: "mrc402",
  termsOf: ({ dexid, seller, sell_token, amount }) => ({
    id: dexid,
    seller,
    payToken: sell_token,
    amount,
  }),
  withBid,

  sharesOf: (state, listing) => sharesOf(itemOf(state, listing), listing),

  handOver(state, listing, { taker, amount, payment }) {
    const { seller, side, sell_token: token } = listing;
    const taken = side === "sell" ? { saleamount: -amount } : { auctionamount: -amount };
    const given = moveUnits(state, itemOf(state, listing), seller, taken);
    const item: UnitItem = {
      ...moveUnits(state, given, taker, { balance: amount }),
      hasChangedHands: true,
      last_trade_date: state.time,
      last_trade_amount: payment,
      last_trade_token: token,
      last_trade_type: side === "sell" ? "Sell" : "Auction",
    };
    const after = { ...traded(listing, amount, state.time), buyer: taker };
    state.put(UNIT_ITEM, after.remain_amount === ZERO ? closed(item, side) : item);
    return after;
  },

  received: ({ dexid: id, mrc402: item }, taker, amount) => [
    { type: "mrc402_recv_item", from: id, to: taker, amount, units: item },
  ],

  putTraded(state, { before, after }, { is, taker, payments, by: { signature, tkey } }) {
    const { dexid, seller, mrc402: item } = before;
    const values = { dexid, seller, payments };
    return is === "bid"
      ? putListing(state, after, "mrc402_auctionbid", { ...values, bidder: taker, signature, tkey })
      : putListing(state, after, TRADED[is], { ...values, buyer: taker, item });
  },

  payees: (listing, { fees, rest }, { way, by }) => [
    ...fees.map(({ payee, amount }) =>
      effect("receive_mrc402fee", receipt(listing, payee, amount, by)),
    ),
    ...(rest > 0n
      ? [
          effect(
            way === "sale" ? "receive_mrc402sell" : "receive_mrc402auction",
            receipt(listing, listing.seller, rest, by),
          ),
        ]
      : []),
  ],

  paid(listing, how, payer, { paid = ZERO, units = "" }, { signature, tkey }) {
    const { dexid, sell_token: token, mrc402: item } = listing;
    const moved = { dexid, token, signature, amount: units, item, tkey };
    return how === "buy"
      ? record("transfer_mrc402buy", { ...moved, buyer: payer, payment: paid }, { token })
      : record("transfer_mrc402bid", { ...moved, bidder: payer, bid: paid }, { token });
  },
  refunded: (listing, { bidder, amount }, by) =>
    effect("receive_mrc402refund", receipt(listing, bidder, amount, by)),
  won: ({ dexid, sell_token: token, amount, mrc402: item }, { taker: winner }) =>
    record("receive_mrc402item", { dexid, winner, token, amount, item }, { token }),
  failed(state, listing) {
    const { dexid, seller, amount, mrc402: item, sell_token: token } = listing;
    giveBack(state, listing);
    const values = { dexid, seller, amount, item };
    return {
      primary: record("mrc402auctionfailure", values, { token }),
      listed: putListing(state, failed(listing, state.time), "mrc402_auctionfailure", values),
    };
  },
};

const TRADED = {
  buy: "mrc402_buy",
  buynow: "mrc402_auctionbuynow",
  win: "mrc402_auctionwinning",
} as const;

const store: PutListing<UnitListing> = listingPutter(UNIT_LISTING);

export const putListing: PutListing<UnitListing> = (state, listing, type, values) => {
  const [from, to] = [bidderOf(state.find(UNIT_LISTING, listing.dexid)), bidderOf(listing)];
  const item = from === to ? undefined : itemOf(state, listing);
  if (item !== undefined && item.policy_number !== 0) {
    noteHeld(state, item, from, -listing.amount);
    noteHeld(state, item, to, listing.amount);
  }
  return store(state, listing, type, values);
};

/** `""` for other listings. */
function bidderOf(listing: UnitListing | undefined): Address | "" {
  return listing?.side === "auction" && listing.state === "open"
    ? listing.auction_current_bidder
    : "";
}

export function putListed(state: State, listing: UnitListing, by: Signed): EffectDraft {
  return listing.side === "sell"
    ? putListing(state, listing, "mrc402_sell", offerValues(listing, by))
    : putListing(state, listing, "mrc402_auction", lotValues(listing, by));
}

/** A record of money alone shows no units. Source: mrc402 §13, §16, §17. */
function receipt(
  { dexid, sell_token: token, mrc402: item }: UnitListing,
  payee: Address,
  payment: Amount,
  { signature, tkey }: Signed,
): RecordValues<"receive_mrc402sell"> {
  return { dexid, payee, payment, token, signature, item, tkey };
}
