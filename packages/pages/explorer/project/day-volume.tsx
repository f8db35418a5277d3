import type { ListedProject } from "@moneta/sdk";
import type { ComponentChildren } from "preact";
import { AmountText } from "../../parts/amount-text.tsx";
import { plainList } from "../../parts/lists/plain-list.tsx";

/** What was paid in 24 hours, by token, the one with most trades first. False if nothing was. */
export function dayVolume(
  { day_volume: volumes }: Pick<ListedProject, "day_volume">,
  max?: number,
): ComponentChildren {
  return plainList(
    volumes,
    ({ volume, token }) => <AmountText amount={volume} token={token} />,
    max,
  );
}
