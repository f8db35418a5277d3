import { mrc010Unreqsell, Refused, ZERO } from "@moneta/protocol";
import { done, type Rule, record, ruleOf } from "../rule.ts";
import { cancelled, creatorOf, openListing, putListing } from "./token-listing.ts";

/** Takes back a request for tokens, and what is held for it. Source: tokens §10. */
export const mrc010UnreqsellRule: Rule<typeof mrc010Unreqsell.parameters> = ruleOf(
  mrc010Unreqsell,
  {
    actor: (state, { dexid }) => creatorOf(state, dexid),

    apply(state, { dexid, tkey, signature }) {
      const request = openListing(state, dexid, "buy");
      if (request instanceof Refused) {
        return request;
      }

      // Nothing below can fail.
      const { creator: buyer, remaining, token, payToken, escrow } = request;
      state.credit(buyer, payToken, escrow);
      const given = [dexid, buyer, String(remaining), token, String(escrow), payToken];
      const parameters = [...given, signature, tkey];
      const left = cancelled(request, { time: state.time, recordType: "mrc010_unreqsell" });
      const listing = putListing(state, { ...left, escrow: ZERO }, parameters);
      return done(state, record("mrc010unreqsell", buyer, token, parameters), [listing]);
    },
  },
);
