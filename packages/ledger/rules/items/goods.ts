import { type Address, ONE, ZERO } from "@moneta/protocol";
import { invariant } from "../../invariant.ts";
import type { Goods } from "../../market/goods.ts";
import { effectOn } from "../../records/record.ts";
import { holderOf, type Item, type OnAuction, type OnSale } from "../../state/item-entry.ts";
import { moneyParameters, putItem, shareOfOwner } from "./item.ts";
import { takenOff, tradedTo, withBid } from "./item-life.ts";

/** An item as goods: a lot of one, which its own id names. Source: mrc401 §12, §16, §17. */
export const itemGoods: Goods<Item> = {
  kind: "mrc401",
  termsOf(item) {
    const { token } = listed(item);
    return {
      id: item.id,
      seller: holder(item),
      payToken: token,
      recordToken: token,
      amount: ONE,
    };
  },
  auctionOf(item) {
    const { condition } = item;
    invariant(condition.is === "on auction", "the item's state has been checked");
    return condition.auction;
  },
  withBid,
  sharesOf: (_state, item) => shareOfOwner(item, listed(item).listingFee, "mrc401_recv_fee"),

  handOver: (state, item, { taker, payment: amount, way }) =>
    tradedTo(item, taker, {
      date: state.time,
      amount,
      token: listed(item).token,
      type: way === "sale" ? "Sell" : "Auction",
    }),

  received: () => [],
  giveBack: (_state, item) => takenOff(item),
  put: putItem,

  payees(item, { fees, rest }, { taker, way, by }) {
    const { token } = listed(item);
    const seller = holder(item);
    const received = { from: taker, to: seller, amount: rest, token };
    return [
      ...fees.map(({ payee: to, amount }) =>
        effectOn(
          to,
          "receive_mrc401fee",
          moneyParameters(item.id, { from: seller, to, amount, token }, by),
        ),
      ),
      ...(rest > 0n
        ? [
            effectOn(
              seller,
              way === "sale" ? "receive_mrc401sell" : "receive_mrc401auction",
              moneyParameters(item.id, received, by),
            ),
          ]
        : []),
    ];
  },

  expense: (item, from, { paid: amount = ZERO }, by) =>
    moneyParameters(item.id, { from, to: item.id, amount, token: listed(item).token }, by),
  refund: (item, { bidder: to, amount }, by) =>
    moneyParameters(item.id, { from: item.id, to, amount, token: listed(item).token }, by),
  tradeParameters: (item, { is, taker, payments, by: { signature, tkey } }) => [
    item.id,
    ...(is === "buy" ? [holderOf(item)] : []),
    taker,
    payments,
    signature,
    tkey,
  ],
  winning: (_item, _winner, tradeParameters) => ["mrc401_auctionwinning", tradeParameters],
  failure: (item) => ["mrc401_auctionfailure", [item.id, holderOf(item), "", "[]", "", ""]],
};

function holder(item: Item): Address {
  return holderOf(item) as Address; // who lists an item holds it
}

function listed({ condition }: Item): OnSale | OnAuction {
  invariant(
    condition.is === "on sale" || condition.is === "on auction",
    "the item's state has been checked",
  );
  return condition;
}
