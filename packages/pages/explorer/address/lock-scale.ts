const MINUTE = 60;
const DAY = 86_400;
/** Seconds from now. */
const MARKS = [0, 3600, DAY, 7 * DAY, 31 * DAY, 366 * DAY, 3653 * DAY] as const;
/** Closer marks would overlap; a share of the line. */
const APART = 0.17;

/** From 0 to 1, logarithmic: minutes and years are on one line. */
export function placeOf(seconds: number, length: number): number {
  const place = Math.log1p(Math.max(0, seconds) / MINUTE) / Math.log1p(length / MINUTE);
  return Math.min(1, place);
}

/** Seconds from now: both ends, and round times between them. */
export function ticksOf(length: number): readonly number[] {
  const ticks: number[] = [];
  for (const mark of MARKS) {
    const place = placeOf(mark, length);
    const before = ticks.at(-1);
    if (before === undefined || (place - placeOf(before, length) >= APART && place <= 1 - APART)) {
      ticks.push(mark);
    }
  }
  return [...ticks, length];
}
