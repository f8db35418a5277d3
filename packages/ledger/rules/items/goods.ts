import { type Address, ONE, ZERO } from "@moneta/protocol";
import { invariant } from "../../invariant.ts";
import type { Goods } from "../../market/goods.ts";
import { effect, record } from "../../records/record.ts";
import { holderOf, type Item, type OnAuction, type OnSale } from "../../state/item-entry.ts";
import { putItem, shareOfOwner } from "./item.ts";
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
  putTraded(state, { before, after }, { is, taker, payments, by: { signature, tkey } }) {
    const values = { item: before.id, payments, signature, tkey };
    switch (is) {
      case "buy": {
        const sale = { ...values, seller: holderOf(before), buyer: taker };
        return putItem(state, after, "mrc401_buy", sale);
      }
      case "bid":
        return putItem(state, after, "mrc401_auctionbid", { ...values, bidder: taker });
      case "buynow":
        return putItem(state, after, "mrc401_auctionbuynow", { ...values, winner: taker });
      case "win":
        return putItem(state, after, "mrc401_auctionwinning", { ...values, winner: taker });
    }
  },

  payees(item, { fees, rest }, { taker: buyer, way, by }) {
    const { token } = listed(item);
    const seller = holder(item);
    const paid = { item: item.id, token, signature: by.signature, tkey: by.tkey };
    const received = { ...paid, buyer, seller, payment: rest };
    return [
      ...fees.map(({ payee: owner, amount: payment }) =>
        effect("receive_mrc401fee", { ...paid, payer: seller, owner, payment }),
      ),
      ...(rest > 0n
        ? [effect(way === "sale" ? "receive_mrc401sell" : "receive_mrc401auction", received)]
        : []),
    ];
  },

  paid(item, how, payer, { paid = ZERO }, { signature, tkey }) {
    const { token } = listed(item);
    const money = { item: item.id, token, signature, tkey };
    return how === "buy"
      ? record("transfer_mrc401buy", { ...money, buyer: payer, payment: paid }, { token })
      : record("transfer_mrc401bid", { ...money, bidder: payer, bid: paid }, { token });
  },
  refunded: (item, { bidder, amount: payment }, { signature, tkey }) =>
    effect("receive_mrc401refund", {
      ...{ item: item.id, bidder, payment, token: listed(item).token, signature, tkey },
    }),
  won(item, { taker: winner, payments, by: { signature, tkey } }) {
    const won = { item: item.id, winner, payments, signature, tkey };
    return record("mrc401_auctionwinning", won, { token: listed(item).token });
  },
  failed(state, item) {
    const values = { item: item.id, seller: holderOf(item), payments: "[]" };
    return {
      primary: record("mrc401_auctionfailure", values, { token: listed(item).token }),
      listed: putItem(state, takenOff(item), "mrc401_auctionfailure", values),
    };
  },
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
