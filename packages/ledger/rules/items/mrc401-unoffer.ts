import { mrc401Unoffer } from "@moneta/protocol";
import { ITEM_OFFER } from "../../state/offer-entry.ts";
import { withdrawalOf } from "../offer-endings.ts";
import { type RuledOperation, ruleOf } from "../rule.ts";

/** Source: offers §4. */
export const mrc401UnofferRule: RuledOperation = ruleOf(
  mrc401Unoffer,
  withdrawalOf(ITEM_OFFER, "mrc401unoffer"),
);
