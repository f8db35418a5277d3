import type { ComponentChildren, JSX } from "preact";
import { t } from "../../texts/texts.ts";

/** A line each; of more than `max` only their number. False if there are none. */
export function plainList<T>(
  entries: readonly T[],
  show: (entry: T, index: number) => ComponentChildren,
  max: number = Number.POSITIVE_INFINITY,
): JSX.Element | false {
  return (
    entries.length > 0 && (
      <ul class="plain">
        {entries.slice(0, max).map((entry, index) => (
          <li key={index}>{show(entry, index)}</li>
        ))}
        {entries.length > max && <li>{t().andMore(entries.length - max)}</li>}
      </ul>
    )
  );
}
