import { type Address, mrc401Bid, Refused } from "@moneta/protocol";
import { auctionOf, refuseAct, withBid } from "../items/item-life.ts";
import {
  isBuyNow,
  refuseBidAmount,
  refuseLate,
  refuseLeader,
  refuseOtherToken,
} from "../market/auction.ts";
import { paymentsText } from "../market/payments.ts";
import { refuseUnaffordable } from "./balances.ts";
import { itemActor } from "./item-actor.ts";
import { settleItem } from "./item-settlement.ts";
import { itemNamed, moneyParameters, putItem, refuseHolder } from "./project-item.ts";
import { done, effectOn, type Rule, record, ruleOf } from "./rule.ts";

/** Bids for an item; a bid of the buy-now price wins at once. Source: mrc401 §16. */
export const mrc401BidRule: Rule<typeof mrc401Bid.parameters> = ruleOf(mrc401Bid, {
  actor: (state, { mrc401id, buyer }, keyHolder) =>
    itemActor(state, mrc401id, { buyer }, keyHolder),

  apply(state, { mrc401id, amount, token: asked, tkey, signature }, operation) {
    const bidder = operation.actor as Address;
    const item = itemNamed(state, mrc401id);
    if (item instanceof Refused) {
      return item;
    }
    const forbidden = refuseHolder(item, bidder, "buyer") ?? refuseAct("bid", item, "mrc401id");
    if (forbidden !== undefined) {
      return forbidden;
    }
    const { auction, token } = auctionOf(item);
    const refused =
      refuseLeader(auction, { bidder, amount }, "buyer") ??
      refuseLate(auction, state.time, "mrc401id") ??
      refuseOtherToken(token, asked) ??
      refuseBidAmount(auction, amount);
    if (refused !== undefined) {
      return refused;
    }
    // The earlier bid is given back first, so that it counts as spendable if it was the bidder's own.
    const refunds = auction.bid === undefined ? [] : [auction.bid];
    for (const earlier of refunds) {
      state.credit(earlier.bidder, token, earlier.amount);
    }
    const poor = refuseUnaffordable(state, { address: bidder, token, amount });
    if (poor !== undefined) {
      return poor;
    }

    // Nothing below can fail.
    state.debit(bidder, token, amount);
    const by = { signature, tkey };
    const led = withBid(item, { bidder, amount });
    const closing = isBuyNow(auction, amount)
      ? { ...settleItem(state, led, by), type: "mrc401_auctionbuynow" }
      : { item: led, movements: [], effects: [], type: "mrc401_auctionbid" };
    const payments = paymentsText([
      ...refunds.map((earlier) => ({
        type: "mrc401_recv_refund",
        from: mrc401id,
        to: earlier.bidder,
        amount: earlier.amount,
        token,
      })),
      { type: "mrc401_bid", from: bidder, to: mrc401id, amount, token },
      ...closing.movements,
    ]);
    const bid = putItem(state, closing.item, closing.type, [
      mrc401id,
      bidder,
      payments,
      signature,
      tkey,
    ]);
    const held = moneyParameters(mrc401id, { from: bidder, to: mrc401id, amount, token }, by);
    return done(state, record("transfer_mrc401bid", bidder, token, held), [
      ...refunds.map(({ bidder: to, amount: back }) =>
        effectOn(
          to,
          "receive_mrc401refund",
          moneyParameters(mrc401id, { from: mrc401id, to, amount: back, token }, by),
        ),
      ),
      ...closing.effects,
      bid,
    ]);
  },
});
