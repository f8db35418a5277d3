import { mrc401Auctionfinish } from "@moneta/protocol";
import { refuseRunning } from "../../market/auction.ts";
import { finish } from "../../market/finish.ts";
import { named } from "../../state/entries.ts";
import { ITEM } from "../../state/item-entry.ts";
import { actingOn, type RuledOperation, ruleOf } from "../rule.ts";
import { itemGoods } from "./goods.ts";
import { refuseAct } from "./item-life.ts";

/** Source: mrc401 §17. */
export const mrc401AuctionfinishRule: RuledOperation = ruleOf(mrc401Auctionfinish, {
  actor: (state, { mrc401id }) => actingOn(named(state, ITEM, mrc401id, "mrc401id"), () => ""),

  apply: (state, _values, { found: item }) =>
    refuseAct("finish", item, "mrc401id") ??
    refuseRunning(item.auction_end, state.time, "mrc401id") ??
    finish(itemGoods, state, item),
});
