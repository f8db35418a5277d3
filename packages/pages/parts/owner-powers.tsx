import { ownerPowers, type TermsOfItem } from "@moneta/sdk";
import { t } from "../texts/texts.ts";
import type { Fact } from "./facts.tsx";

/**
 * The terms of an item that the owner of its project may still change, to be read before a trade.
 */
export function ownerFact(item: TermsOfItem): Fact {
  const texts = t().explorer.item;
  const powers = ownerPowers(item);
  return [
    texts.projectOwner,
    powers !== undefined && <p class="notice warn">{texts.ownerMay(powers)}</p>,
  ];
}
