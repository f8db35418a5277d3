import type { DryResult, DryRun } from "@moneta/ledger";

export interface DryRunThreadData {
  readonly file: string;
}

/** What the main thread sends: one dry run, the next one once it is answered. */
export type ToDryRuns = DryRun;

/** What the thread answers. */
export type FromDryRuns = DryResult;
