import { mrc010Unauction, Refused } from "@moneta/protocol";
import { refuseBidden, refuseLate } from "../../market/auction.ts";
import { done, type Rule, record, ruleOf } from "../rule.ts";
import { cancelled, creatorOf, openListing, putListing } from "./token-listing.ts";

/** Takes back an auction of tokens that nobody has bid in. Source: tokens §12. */
export const mrc010UnauctionRule: Rule<typeof mrc010Unauction.parameters> = ruleOf(
  mrc010Unauction,
  {
    actor: (state, { dexid }) => creatorOf(state, dexid),

    apply(state, { dexid, tkey, signature }) {
      const lot = openListing(state, dexid, "auction");
      if (lot instanceof Refused) {
        return lot;
      }
      const refused =
        refuseBidden(lot.auction, "dexid") ?? refuseLate(lot.auction, state.time, "dexid");
      if (refused !== undefined) {
        return refused;
      }

      // Nothing below can fail.
      const { creator: seller, amount, token, payToken, auction } = lot;
      state.credit(seller, token, amount);
      const given = [dexid, seller, String(amount), token, String(auction.startPrice), payToken];
      const parameters = [...given, signature, tkey];
      const after = cancelled(lot, { time: state.time, recordType: "mrc010_unauction" });
      const listing = putListing(state, after, parameters);
      return done(state, record("mrc010unauction", seller, token, parameters), [listing]);
    },
  },
);
