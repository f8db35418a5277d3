import { type Address, mrc401Buy, ONE } from "@moneta/protocol";
import { buy } from "../../market/buy.ts";
import { refuseHolderChange } from "../../market/holder-change.ts";
import { refuseOutsideWindow, refuseUnexpected } from "../../market/listing.ts";
import { holderOf } from "../../state/item-entry.ts";
import { type RuledOperation, ruleOf } from "../rule.ts";
import { itemGoods } from "./goods.ts";
import { itemActor, refuseHolder } from "./item.ts";
import { refuseBound, refusePhase } from "./item-life.ts";
import { refuseOtherTerms } from "./terms.ts";

/** Source: mrc401 §12. */
export const mrc401BuyRule: RuledOperation = ruleOf(mrc401Buy, {
  actor: (state, { mrc401id, buyer }, keyHolder) =>
    itemActor(state, mrc401id, { buyer }, keyHolder),

  apply(state, values, { actor: buyer, found: item }) {
    const refused =
      refuseHolder(item, buyer, "buyer") ??
      refusePhase("buy", item, "mrc401id") ??
      refuseOtherTerms(item, values) ??
      refuseBound("buy", item, "mrc401id");
    if (refused !== undefined) {
      return refused;
    }
    const { sell_price: price, sell_token: token } = item;
    return (
      refuseUnexpected({ price, token }, values) ??
      refuseHolderChange(state, item, {
        ...{ way: "purchase", from: holderOf(item) as Address, to: buyer, units: 1n },
        ...{ at: state.time, prices: [{ amount: price, parameter: "mrc401id" }], token },
        parameter: "mrc401id",
      }) ??
      refuseOutsideWindow(item, state.time, "mrc401id") ??
      buy(itemGoods, state, item, { buyer, amount: ONE, payment: price, by: values })
    );
  },
});
