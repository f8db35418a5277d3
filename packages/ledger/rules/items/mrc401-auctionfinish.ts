import { mrc401Auctionfinish, Refused } from "@moneta/protocol";
import { refuseRunning } from "../../market/auction.ts";
import { finish } from "../../market/finish.ts";
import { acting, type RuledOperation, ruleOf } from "../rule.ts";
import { itemGoods } from "./goods.ts";
import { itemNamed } from "./item.ts";
import { refuseAct } from "./item-life.ts";

/** Source: mrc401 §17. */
export const mrc401AuctionfinishRule: RuledOperation = ruleOf(mrc401Auctionfinish, {
  actor(state, { mrc401id }) {
    const item = itemNamed(state, mrc401id);
    return item instanceof Refused ? item : acting("", item);
  },

  apply: (state, _values, { found: item }) =>
    refuseAct("finish", item, "mrc401id") ??
    refuseRunning(item.auction_end, state.time, "mrc401id") ??
    finish(itemGoods, state, item),
});
