import { type Address, mrc401Bid, Refused } from "@moneta/protocol";
import {
  isBuyNow,
  refuseBidAmount,
  refuseLate,
  refuseLeader,
  refuseOtherToken,
} from "../../market/auction.ts";
import { bidMovements, holdBid } from "../../market/held-bid.ts";
import { paymentsText } from "../../market/payments.ts";
import { done, effectOn, type Rule, record, ruleOf } from "../rule.ts";
import { itemActor } from "./item-actor.ts";
import { auctionOf, refuseAct, withBid } from "./item-life.ts";
import { settleItem } from "./item-settlement.ts";
import { itemNamed, moneyParameters, putItem, refuseHolder } from "./project-item.ts";

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
    const bid = { bidder, amount };
    const refunds = holdBid(state, auction, token, bid);
    if (refunds instanceof Refused) {
      return refunds;
    }

    // Nothing below can fail.
    const by = { signature, tkey };
    const led = withBid(item, bid);
    const closing = isBuyNow(auction, amount)
      ? { ...settleItem(state, led, by), type: "mrc401_auctionbuynow" as const }
      : { item: led, movements: [], effects: [], type: "mrc401_auctionbid" as const };
    const payments = paymentsText([
      ...bidMovements("mrc401", { id: mrc401id, token }, refunds, bid),
      ...closing.movements,
    ]);
    const bidden = putItem(state, closing.item, closing.type, [
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
      bidden,
    ]);
  },
});
