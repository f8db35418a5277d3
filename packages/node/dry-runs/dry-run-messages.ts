import type { DryResult, DryRun } from "@moneta/ledger";

export interface DryRunThreadData {
  readonly file: string;
}

/** One dry run at a time. */
export type ToDryRuns = DryRun;

export type FromDryRuns = DryResult;
