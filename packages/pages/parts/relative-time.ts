/** Between two steps of the pages' clock, ms. */
export const STEP_MS = 5000;

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ["year", 31_556_952],
  ["month", 2_629_746],
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
  ["second", 1],
];

/** `3 minutes ago`, `in 2 days`. Unix seconds. */
export function relativeTime(time: number, at: number, locale: string): string {
  const seconds = Math.round(time - at);
  const [unit, length] = UNITS.find(([, one]) => Math.abs(seconds) >= one) ?? ["second", 1];
  const format = new Intl.RelativeTimeFormat(locale, { numeric: "auto", style: "short" });
  return format.format(Math.trunc(seconds / length), unit);
}

/** A block that comes between two steps of the clock was made now, not "in 3 seconds". */
export function eventTime(time: number, at: number, locale: string): string {
  const ahead = time - at;
  return relativeTime(time, ahead > 0 && ahead <= STEP_MS / 1000 ? time : at, locale);
}
