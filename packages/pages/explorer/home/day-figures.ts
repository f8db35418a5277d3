import {
  type CallOptions,
  describe,
  type Moneta,
  recordKind,
  type Total,
  type TransactionRecord,
} from "@moneta/sdk";
import { typesOfKind } from "../transaction/record-kinds.ts";

export const RATE_MINUTES = 5;
const LOOKED_AT = 100;

const MINUTE = 60;

export interface DayFigures {
  readonly recent: number;
  /** In this hour and the 23 before it. */
  readonly trades: number;
  /** Approximate number of addresses that acted in these hours. */
  readonly active: number;
  readonly most: MostTraded | undefined;
}

export interface MostTraded {
  readonly what: Traded;
  readonly count: number;
  readonly of: number;
}

export type Traded = { readonly token: string } | { readonly thing: string };

/** `now`: Unix seconds. */
export async function readDayFigures(
  moneta: Pick<Moneta, "totals" | "transactions">,
  now: number,
  options: CallOptions,
): Promise<DayFigures> {
  const until = Math.floor(now);
  const [minutes, days, trades] = await Promise.all([
    moneta.totals({ step: "minute", since: until - RATE_MINUTES * MINUTE }, options),
    moneta.totals({ step: "day", until }, options),
    moneta.transactions({ type: typesOfKind("trades"), limit: LOOKED_AT }, options),
  ]);
  return {
    recent: sum(minutes, () => true),
    trades: sum(days, (type) => recordKind(type) === "trades"),
    active: days[0]?.addresses ?? 0,
    most: mostTraded(trades.items),
  };
}

function sum(totals: readonly Total[], counts: (type: string) => boolean): number {
  return totals
    .flatMap(({ types }) => Object.entries(types))
    .reduce((all, [type, count]) => all + (counts(type) ? count : 0), 0);
}

/** Of two equal ones the more recent. `trades` are the newest first. */
export function mostTraded(trades: readonly TransactionRecord[]): MostTraded | undefined {
  const counts = new Map<string, { readonly what: Traded; count: number }>();
  for (const trade of trades) {
    const what = tradedIn(trade);
    const key = JSON.stringify(what);
    const known = counts.get(key) ?? { what, count: 0 };
    known.count += 1;
    counts.set(key, known);
  }
  const [first] = [...counts.values()].sort((a, b) => b.count - a.count);
  return first && { ...first, of: trades.length };
}

function tradedIn(record: TransactionRecord): Traded {
  const { item = "" } = describe(record, record.address).parameters;
  if (item.startsWith("MRC400_")) {
    return { thing: item.split("_").slice(0, 2).join("_") };
  }
  return item.startsWith("MRC402_") ? { thing: item } : { token: String(record.token) };
}
