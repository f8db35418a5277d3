import type { DryResult, DryRun } from "@moneta/ledger";

export interface DryRunThreadData {
  readonly file: string;
}

export type ToDryRuns = DryRun;

export type FromDryRuns = DryResult;
