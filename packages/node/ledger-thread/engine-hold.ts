import { type EngineTrouble, ROW_DROPPED } from "@moneta/ledger";
import type { WriteHold } from "../write-state.ts";
import { UNTIL_MENDED_SECONDS } from "../write-state.ts";

/** `Retry-After` of a state that may end at any moment. */
const SOON_SECONDS = 2;

export const SLOW_LOG: WriteHold = {
  reason: "the log has not confirmed a block",
  retryAfter: SOON_SECONDS,
};

/** For writes, by SQLSTATE, the first that matches; and whether it passes by itself. */
const MEANINGS: readonly (readonly [code: RegExp, meaning: string, passes?: "passes"])[] = [
  [/^53100$/, "its disk is full"],
  [/^53/, "it lacks memory or connections", "passes"],
  [/^25006$/, "it is read-only"],
  [/^42501$/, "its role may not write the table of blocks"],
  [/^42/, "its tables are not as they should be"],
  [/^55P03$/, "another session holds a lock on the table of blocks", "passes"],
  [/^(57|25P)/, "it has cancelled the statement", "passes"],
  [new RegExp(`^${ROW_DROPPED}$`), "it does not keep the rows"],
  [/^/, "it refuses them"],
];

/** Source: cluster §3. */
export function engineHold({ code, reason: detail }: EngineTrouble): WriteHold {
  const [, meaning, passes] = MEANINGS.find(([pattern]) => pattern.test(code)) ?? [];
  const state = code === ROW_DROPPED ? "" : ` (SQLSTATE ${code})`;
  return {
    reason: `PostgreSQL stores no blocks: ${meaning}${state}`,
    detail,
    code,
    retryAfter: passes === undefined ? UNTIL_MENDED_SECONDS : SOON_SECONDS,
  };
}
