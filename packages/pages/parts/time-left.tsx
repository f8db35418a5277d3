import type { JSX } from "preact";
import { now } from "../ledger/node.ts";
import { locale, t } from "../texts/texts.ts";
import { WithTime } from "./time-text.tsx";

const UNITS = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
] as const;

/** In its two largest units: `2 d 3 hr`, `4 min 55 sec`. */
export function durationText(seconds: number): string {
  const rest = Math.max(0, Math.round(seconds));
  const found = UNITS.findIndex(([, length]) => rest >= length);
  const first = found === -1 ? UNITS.length - 1 : found;
  const parts: string[] = [];
  let left = rest;
  for (const [unit, length] of UNITS.slice(first, first + 2)) {
    const count = Math.floor(left / length);
    left -= count * length;
    if (count > 0 || parts.length === 0) {
      const format = new Intl.NumberFormat(locale(), { style: "unit", unit, unitDisplay: "short" });
      parts.push(format.format(count));
    }
  }
  return parts.join(" ");
}

/** Counts down to a time, Unix seconds. */
export function TimeLeft({ until }: { readonly until: number }): JSX.Element {
  const left = until - now.value;
  return (
    <WithTime time={until}>
      <time dateTime={new Date(until * 1000).toISOString()} class="time-left">
        {left > 0 ? t().times.left(durationText(left)) : t().times.over}
      </time>
    </WithTime>
  );
}
