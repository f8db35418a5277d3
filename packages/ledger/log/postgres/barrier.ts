import type { EngineResult } from "./engine.ts";
import { BEGIN_DURABLE } from "./engine-settings.ts";

/**
 * The barrier: a commit with WAL of its own, which waits for every disk in the engine's
 * `synchronous_standby_names`. Everything read before it began is certain once it has succeeded. An
 * id alone, a NOTIFY or an UPDATE without a row would not wait. Source: cluster §3.
 */
export const BARRIER = "SELECT pg_logical_emit_message(true, 'moneta', ''); COMMIT";

/** The barrier as a transaction of its own, which returns its timeline. */
export function barrierText(): string {
  return `${BEGIN_DURABLE}; SELECT ${TIMELINE} AS timeline; ${BARRIER}`;
}

/** The engine's timeline, 8 hex digits. */
export const TIMELINE = "left(pg_walfile_name(pg_current_wal_lsn()), 8)";

/** A timeline's number as the engine writes it. */
export function timelineText(timeline: number): string {
  return timeline.toString(16).toUpperCase().padStart(8, "0");
}

/** The number of a timeline. */
export function timelineOf(text: string | null | undefined): number {
  return Number.parseInt(text ?? "0", 16);
}

/**
 * Whether the last of some statements was a COMMIT that is certain: with its tag, and without any
 * warning, since a cancelled wait for the standby is reported by one. Source: cluster §3.
 */
export function isCertain(results: readonly EngineResult[]): boolean {
  const last = results.at(-1);
  return last?.command === "COMMIT" && results.every(({ warnings }) => warnings.length === 0);
}
