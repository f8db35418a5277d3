import type { Seal } from "@moneta/sdk";
import type { JSX } from "preact";
import { t } from "../../texts/texts.ts";

export function SealBadge({ seal }: { readonly seal: Pick<Seal, "is_open"> }): JSX.Element {
  const { states } = t().explorer.seals;
  return seal.is_open === 1 ? (
    <span class="badge good">{states.open}</span>
  ) : (
    <span class="badge">{states.closed}</span>
  );
}
