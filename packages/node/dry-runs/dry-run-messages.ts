import type { DryResult, DryRun } from "@moneta/ledger";

export interface DryRunThreadData {
  readonly file: string;
}

/** To the thread: one dry run at a time. */
export type ToDryRuns = DryRun;

/** From the thread. */
export type FromDryRuns = DryResult;
