import { type RecordKind, recordKind, type Total } from "@moneta/sdk";

export const ACTIVITY_KINDS = [
  "payments",
  "market",
  "auctions",
  "items",
  "tokens",
  "other",
] as const;

export type ActivityKind = (typeof ACTIVITY_KINDS)[number];

const KIND_OF: Readonly<Record<RecordKind, ActivityKind>> = {
  payments: "payments",
  offers: "market",
  trades: "market",
  auctions: "auctions",
  bids: "auctions",
  items: "items",
  projects: "items",
  tokens: "tokens",
  accounts: "other",
  seals: "other",
  bundles: "other",
  rules: "other",
};

export interface ActivityBar {
  /** Its begin, Unix seconds. */
  readonly time: number;
  readonly count: number;
  readonly kinds: Readonly<Record<ActivityKind, number>>;
}

export const ACTIVITY_SPANS = {
  hour: { step: "minute", seconds: 60, bars: 60 },
  day: { step: "hour", seconds: 3600, bars: 24 },
} as const;

export type ActivitySpan = keyof typeof ACTIVITY_SPANS;

const BARS_MIN = 5;

export function firstBar(span: ActivitySpan, now: number): number {
  const { seconds, bars } = ACTIVITY_SPANS[span];
  return (Math.floor(now / seconds) - bars + 1) * seconds;
}

/**
 * A bar for each minute or hour, even if empty. Bars before the ledger was `begun` are left out,
 * except the last `BARS_MIN`.
 */
export function activityBars(
  totals: readonly Total[],
  span: ActivitySpan,
  { first, begun }: { readonly first: number; readonly begun: number },
): readonly ActivityBar[] {
  const { seconds, bars } = ACTIVITY_SPANS[span];
  const known = new Map(totals.map((total) => [total.time, total]));
  return Array.from({ length: bars }, (_, index) => first + index * seconds)
    .filter((time, index) => time + seconds > begun || index >= bars - BARS_MIN)
    .map((time) => ({ time, ...kindsIn(known.get(time)) }));
}

function kindsIn(total: Total | undefined): Pick<ActivityBar, "count" | "kinds"> {
  const kinds = { payments: 0, market: 0, auctions: 0, items: 0, tokens: 0, other: 0 };
  for (const [type, count] of Object.entries(total?.types ?? {})) {
    const kind = recordKind(type);
    kinds[kind === undefined ? "other" : KIND_OF[kind]] += count;
  }
  return { count: total?.count ?? 0, kinds };
}
