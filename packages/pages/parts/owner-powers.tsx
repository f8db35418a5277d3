import { ownerPowers, type TermsOfItem } from "@moneta/sdk";
import { t } from "../texts/texts.ts";
import type { Fact } from "./facts.tsx";

/** Terms that the owner of its project may still change. */
export function ownerFact(item: TermsOfItem): Fact {
  const texts = t().explorer.item;
  const powers = ownerPowers(item);
  return [
    texts.projectOwner,
    powers !== undefined && <p class="notice warn">{texts.ownerMay(powers)}</p>,
  ];
}
