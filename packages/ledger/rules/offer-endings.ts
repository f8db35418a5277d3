import type { mrc401Offerfinish, mrc401Unoffer } from "@moneta/protocol";
import { refuseClosing, refuseWithdrawal, returnOffer } from "../market/offers.ts";
import { BY_NOBODY } from "../records/record.ts";
import { type DocumentKind, named } from "../state/entries.ts";
import type { Offer } from "../state/offer-entry.ts";
import { mustExist } from "./existence.ts";
import { actingOn, type Rule } from "./rule.ts";

/** The rule that withdraws offers of a kind. Source: offers §4. */
export function withdrawalOf<O extends Offer>(
  kind: DocumentKind<O>,
  type: "mrc401unoffer" | "mrc402unoffer",
): Rule<(typeof mrc401Unoffer)["parameters"], O> {
  return {
    actor: (state, { offerid, buyer }) =>
      actingOn(
        named(state, kind, offerid, "offerid"),
        () => mustExist(state, "buyer", buyer) ?? buyer,
      ),

    apply: (state, values, { found: offer }) =>
      refuseWithdrawal(offer, values.buyer) ??
      returnOffer(state, kind, offer, { as: "withdrawn", type, by: values }),
  };
}

/** The rule that closes offers of a kind that have ended. Source: offers §5. */
export function closingOf<O extends Offer>(
  kind: DocumentKind<O>,
  type: "mrc401offerfinish" | "mrc402offerfinish",
): Rule<(typeof mrc401Offerfinish)["parameters"], O> {
  return {
    actor: (state, { offerid }) => actingOn(named(state, kind, offerid, "offerid"), () => ""),

    apply: (state, _values, { found: offer }) =>
      refuseClosing(offer, state.time) ??
      returnOffer(state, kind, offer, { as: "ended", type, by: BY_NOBODY }),
  };
}
