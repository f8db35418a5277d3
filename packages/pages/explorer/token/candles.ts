import type { TokenCandle } from "@moneta/sdk";

/** Steps of candles, the longest first, with their seconds. */
export const STEPS = { day: 86_400, hour: 3600, minute: 60 } as const;

export type Step = keyof typeof STEPS;

export type Candles = Readonly<Record<Step, readonly TokenCandle[]>>;

/** Fewer candles make no chart. */
const SHOWN_MIN = 5;
const DAY_HOURS = 24;

/** Steps that have candles, first the one to begin with: the longest that has enough. */
export function stepsOf(candles: Candles): readonly Step[] {
  const some = (Object.keys(STEPS) as Step[]).filter((step) => candles[step].length > 0);
  const first = some.find((step) => candles[step].length >= SHOWN_MIN) ?? some.at(-1);
  return some.toSorted((one, two) => Number(two === first) - Number(one === first));
}

/**
 * Volume (smallest unit) of the hour of `now`, Unix seconds, and the 23 hours before it, and the
 * relative change of the price since the last trade before them, or else since the first trade. The
 * change is undefined without trades.
 */
export function dayOf(
  { hour, day }: Pick<Candles, "hour" | "day">,
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
