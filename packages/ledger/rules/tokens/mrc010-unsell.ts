import { mrc010Unsell, Refused } from "@moneta/protocol";
import { done, type Rule, record, ruleOf } from "../rule.ts";
import { cancelled, creatorOf, openListing, putListing } from "./token-listing.ts";

/** Takes back what is left of an offer of tokens. Source: tokens §10. */
export const mrc010UnsellRule: Rule<typeof mrc010Unsell.parameters> = ruleOf(mrc010Unsell, {
  actor: (state, { dexid }) => creatorOf(state, dexid),

  apply(state, { dexid, tkey, signature }) {
    const offer = openListing(state, dexid, "sell");
    if (offer instanceof Refused) {
      return offer;
    }

    // Nothing below can fail.
    const { creator: seller, remaining, token, payToken, price } = offer;
    state.credit(seller, token, remaining);
    const given = [dexid, seller, String(remaining), token, String(price), payToken];
    const parameters = [...given, signature, tkey];
    const after = cancelled(offer, { time: state.time, recordType: "mrc010_unsell" });
    const listing = putListing(state, after, parameters);
    return done(state, record("mrc010unsell", seller, token, parameters), [listing]);
  },
});
