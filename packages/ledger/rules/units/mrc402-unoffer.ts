import { mrc402Unoffer } from "@moneta/protocol";
import { UNIT_OFFER } from "../../state/offer-entry.ts";
import { withdrawalOf } from "../offer-endings.ts";
import { type RuledOperation, ruleOf } from "../rule.ts";

/** Source: offers §4. */
export const mrc402UnofferRule: RuledOperation = ruleOf(
  mrc402Unoffer,
  withdrawalOf(UNIT_OFFER, "mrc402unoffer"),
);
