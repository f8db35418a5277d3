import { type Address, ONE, type TokenId, ZERO } from "@moneta/protocol";
import { invariant } from "../../invariant.ts";
import type { Goods } from "../../market/goods.ts";
import { effect, record } from "../../records/record.ts";
import { askedTokenOf, holderOf, type Item } from "../../state/item-entry.ts";
import { putItem, shareOfOwner } from "./item.ts";
import { takenOff, tradedTo, withBid } from "./item-life.ts";

/** An item as goods. Source: mrc401 §12, §16, §17. */
export const itemGoods: Goods<Item> = {
  kind: "mrc401",
  termsOf: (item) => ({ id: item.id, seller: holder(item), payToken: asked(item), amount: ONE }),
  withBid,
  sharesOf: (_state, item) => shareOfOwner(item, item.listing_fee, "mrc401_recv_fee"),

  handOver: (state, item, { taker, payment: amount, way }) =>
    tradedTo(item, taker, {
      last_trade_date: state.time,
      last_trade_amount: amount,
      last_trade_token: asked(item),
      last_trade_type: way === "sale" ? "Sell" : "Auction",
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
    const token = asked(item);
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
    const token = asked(item);
    const money = { item: item.id, token, signature, tkey };
    return how === "buy"
      ? record("transfer_mrc401buy", { ...money, buyer: payer, payment: paid }, { token })
      : record("transfer_mrc401bid", { ...money, bidder: payer, bid: paid }, { token });
  },
  refunded: (item, { bidder, amount: payment }, { signature, tkey }) =>
    effect("receive_mrc401refund", {
      ...{ item: item.id, bidder, payment, token: asked(item), signature, tkey },
    }),
  won(item, { taker: winner, payments, by: { signature, tkey } }) {
    const won = { item: item.id, winner, payments, signature, tkey };
    return record("mrc401_auctionwinning", won, { token: asked(item) });
  },
  failed(state, item) {
    const values = { item: item.id, seller: holderOf(item), payments: "[]" };
    return {
      primary: record("mrc401_auctionfailure", values, { token: asked(item) }),
      listed: putItem(state, takenOff(item), "mrc401_auctionfailure", values),
    };
  },
};

function holder(item: Item): Address {
  return holderOf(item) as Address; // the lister holds the item
}

function asked(item: Item): TokenId {
  const token = askedTokenOf(item);
  invariant(token !== undefined, "the item's state has been checked");
  return token;
}
