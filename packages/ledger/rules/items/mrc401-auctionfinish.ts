import { mrc401Auctionfinish, Refused } from "@moneta/protocol";
import { refuseRunning } from "../../market/auction.ts";
import { paymentsText } from "../../market/payments.ts";
import { holderOf } from "../../state/item-entry.ts";
import { BY_NOBODY, done, type Rule, record, ruleOf } from "../rule.ts";
import { auctionOf, refuseAct, takenOff } from "./item-life.ts";
import { settleItem } from "./item-settlement.ts";
import { itemNamed, putItem } from "./project-item.ts";

/** Closes the auction of an item that is over. Source: mrc401 §17. */
export const mrc401AuctionfinishRule: Rule<typeof mrc401Auctionfinish.parameters> = ruleOf(
  mrc401Auctionfinish,
  {
    actor(state, { mrc401id }) {
      const item = itemNamed(state, mrc401id);
      return item instanceof Refused ? item : "";
    },

    apply(state, { mrc401id }) {
      const item = itemNamed(state, mrc401id);
      if (item instanceof Refused) {
        return item;
      }
      const forbidden = refuseAct("finish", item, "mrc401id");
      if (forbidden !== undefined) {
        return forbidden;
      }
      const { auction, token } = auctionOf(item);
      const running = refuseRunning(auction, state.time, "mrc401id");
      if (running !== undefined) {
        return running;
      }

      // Nothing below can fail.
      const winner = auction.bid?.bidder;
      if (winner === undefined) {
        const holder = holderOf(item);
        const parameters = [mrc401id, holder, "", "[]", "", ""];
        const kept = putItem(state, takenOff(item), "mrc401_auctionfailure", parameters);
        return done(state, record("mrc401_auctionfailure", holder, token, parameters), [kept]);
      }
      const won = settleItem(state, item, BY_NOBODY);
      const parameters = [mrc401id, winner, paymentsText(won.movements), "", ""];
      const passed = putItem(state, won.item, "mrc401_auctionwinning", parameters);
      return done(state, record("mrc401_auctionwinning", winner, token, parameters), [
        ...won.effects,
        passed,
      ]);
    },
  },
);
