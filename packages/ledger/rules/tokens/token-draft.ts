import type { DraftHead } from "../../state/token-entry.ts";

const SECONDS = 3600;

/** Whether a draft can still be created at a ledger time. Source: tokens §3. */
export function isLive({ saved }: DraftHead, time: number): boolean {
  return time - saved < SECONDS;
}
