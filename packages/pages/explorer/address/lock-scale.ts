const MINUTE = 60;
const DAY = 86_400;
/** Where the line may have a mark, in seconds from now. */
const MARKS = [0, 3600, DAY, 7 * DAY, 31 * DAY, 366 * DAY, 3653 * DAY] as const;
/** Marks closer to each other than this share of the line would overlap. */
const APART = 0.17;

/**
 * The place of a moment on the line, from 0 to 1. The scale is logarithmic: minutes and years are
 * on one line.
 */
export function placeOf(seconds: number, length: number): number {
  const place = Math.log1p(Math.max(0, seconds) / MINUTE) / Math.log1p(length / MINUTE);
  return Math.min(1, place);
}

/** The marks of a line, in seconds from now: its ends, and round times that fit between them. */
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
