import type { TokenCandle } from "@moneta/sdk";

/** The longest first, in seconds. */
export const STEPS = { day: 86_400, hour: 3600, minute: 60 } as const;

export type Step = keyof typeof STEPS;

/** Those by the minute are read when they are shown. */
export type Candles = Readonly<Record<"day" | "hour", readonly TokenCandle[]>>;

const SHOWN_MIN = 5;
const DAY_HOURS = 24;
/** The node's window. Source: tokens §2. */
const MINUTES = 200;

/** With candles at `now`, Unix seconds: first the longest that has enough, else the shortest. */
export function stepsOf({ day, hour }: Candles, now: number): readonly Step[] {
  const minute = hour.filter(({ time }) => time >= now - MINUTES * STEPS.minute);
  const some = Object.entries({ day, hour, minute })
    .filter(([, candles]) => candles.length > 0)
    .map(([step]) => step as Step);
  const first = [day, hour].findIndex(({ length }) => length >= SHOWN_MIN);
  const [begin] = some.splice(first, 1);
  return begin === undefined ? [] : [begin, ...some];
}

/**
 * Volume (smallest unit) of the hour of `now`, Unix seconds, and the 23 before it, and the relative
 * change since the last trade before them, else since the first; undefined without trades.
 */
export function dayOf(
  { hour, day }: Candles,
  now: number,
): { readonly volume: bigint; readonly change: number | undefined } {
  const since = (Math.floor(now / STEPS.hour) - DAY_HOURS + 1) * STEPS.hour;
  const recent = hour.filter(({ time }) => time >= since);
  // A UTC day that has ended by then.
  const ended = day.findLast(({ time }) => time + STEPS.day <= since);
  const before = hour.findLast(({ time }) => time < since) ?? ended;
  const from = Number(before?.close ?? recent[0]?.open ?? 0);
  const newest = recent.at(-1) ?? before;
  return {
    volume: recent.reduce((sum, { volume }) => sum + volume, 0n),
    change: newest === undefined || from === 0 ? undefined : Number(newest.close) / from - 1,
  };
}
