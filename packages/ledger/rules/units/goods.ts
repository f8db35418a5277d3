import { type Address, ZERO } from "@moneta/protocol";
import { failed, lotOf, traded, withBid } from "../../market/dated-listing.ts";
import type { Goods, Moved } from "../../market/goods.ts";
import { BY_NOBODY, effectOn, effectOnEntry, type Signed } from "../../records/record.ts";
import { UNIT_ITEM, type UnitItem } from "../../state/unit-item-entry.ts";
import { UNIT_LISTING, type UnitListing } from "../../state/unit-listing-entry.ts";
import { closed, giveBack, itemOf, sharesOf } from "./listing.ts";
import { moveUnits } from "./unit-item.ts";

/**
 * Units of a holding as goods: what their listing holds, and its records.
 * Source: mrc402 §2.6, §13, §16, §17.
 */
export const unitGoods: Goods<UnitListing> = {
  kind: "mrc402",
  termsOf: ({ id, seller, payToken, amount }) => ({
    id,
    seller,
    payToken,
    recordToken: payToken,
    amount,
  }),
  auctionOf: (listing) => lotOf(listing).auction,

  withBid,

  sharesOf: (state, listing) => sharesOf(itemOf(state, listing), listing),

  handOver(state, listing, { taker, amount, payment }) {
    const { seller, side, payToken: token } = listing;
    const taken = side === "sell" ? { onSale: -amount } : { onAuction: -amount };
    const given = moveUnits(state, itemOf(state, listing), seller, taken);
    const item: UnitItem = {
      ...moveUnits(state, given, taker, { balance: amount }),
      hasChangedHands: true,
      lastTrade: {
        date: state.time,
        amount: payment,
        token,
        type: side === "sell" ? "Sell" : "Auction",
      },
    };
    const after = { ...traded(listing, amount, state.time), buyer: taker };
    state.put(UNIT_ITEM, after.remaining === ZERO ? closed(item, side) : item);
    return after;
  },

  received: ({ id, item }, taker, amount) => [
    { type: "mrc402_recv_item", from: id, to: taker, amount, units: item },
  ],

  giveBack(state, listing) {
    giveBack(state, listing);
    return failed(listing, state.time);
  },

  put(state, listing, recordType, parameters) {
    const stored = { ...listing, recordType };
    state.put(UNIT_LISTING, stored);
    return effectOnEntry(UNIT_LISTING, stored, recordType, parameters);
  },

  payees: (listing, { fees, rest }, { way, by }) => [
    ...fees.map(({ payee, amount: paid }) =>
      effectOn(payee, "receive_mrc402fee", receipt(listing, payee, { paid }, by)),
    ),
    ...(rest > 0n
      ? [
          effectOn(
            listing.seller,
            way === "sale" ? "receive_mrc402sell" : "receive_mrc402auction",
            receipt(listing, listing.seller, { paid: rest }, by),
          ),
        ]
      : []),
  ],

  expense: (listing, payer, moved, by) => [
    payer,
    listing.id,
    ...movedParameters(listing, moved, by),
  ],
  refund: (listing, { bidder, amount }, by) => receipt(listing, bidder, { paid: amount }, by),
  tradeParameters: ({ id, seller, item }, { is, taker, payments, by }) => [
    id,
    seller,
    taker,
    payments,
    ...(is === "bid" ? [by.signature, by.tkey] : [item]),
  ],
  winning: (lot, winner) => [
    "receive_mrc402item",
    receipt(lot, winner, { units: lot.amount }, BY_NOBODY),
  ],
  failure: ({ id, seller, amount, item }) => [
    "mrc402auctionfailure",
    [id, seller, String(amount), item],
  ],
};

function receipt(
  listing: UnitListing,
  payee: Address,
  moved: Moved,
  by: Signed,
): readonly string[] {
  return [listing.id, payee, ...movedParameters(listing, moved, by)];
}

/** A record of money alone says nothing of units. Source: mrc402 §13, §16, §17. */
function movedParameters(
  { payToken, item }: UnitListing,
  { paid = ZERO, units }: Moved,
  { signature, tkey }: Signed,
): readonly string[] {
  const unitsText = units === undefined ? "" : String(units);
  return [String(paid), payToken, signature, "0", unitsText, item, tkey];
}
