import type { EngineResult } from "./engine.ts";
import { BEGIN_DURABLE } from "./engine-settings.ts";

/**
 * A commit with WAL of its own, which waits for every disk in `synchronous_standby_names`. An id
 * alone, a NOTIFY or an UPDATE without a row would not wait. Source: cluster §3.
 */
export const BARRIER = "SELECT pg_logical_emit_message(true, 'moneta', ''); COMMIT";

export function barrierText(): string {
  return `${BEGIN_DURABLE}; SELECT ${TIMELINE} AS timeline; ${BARRIER}`;
}

/** 8 hex digits. */
export const TIMELINE = "left(pg_walfile_name(pg_current_wal_lsn()), 8)";

export function timelineText(timeline: number): string {
  return timeline.toString(16).toUpperCase().padStart(8, "0");
}

export function timelineOf(text: string | null | undefined): number {
  return Number.parseInt(text ?? "0", 16);
}

/**
 * Whether the last statement was a COMMIT without any warning: a cancelled wait for the standby is
 * a warning. Source: cluster §3.
 */
export function isCertain(results: readonly EngineResult[]): boolean {
  const last = results.at(-1);
  return last?.command === "COMMIT" && results.every(({ warnings }) => warnings.length === 0);
}
