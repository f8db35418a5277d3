import type { DescribedRecord, PlaceInGroup, Problem } from "@moneta/protocol/client";
import type { CallOptions } from "../call.ts";
import type { Ledger } from "../ledger.ts";
import { ProblemError } from "../nodes/errors.ts";
import { isProblem } from "../nodes/transport.ts";
import type { PreparedWrite } from "./prepared-write.ts";

/** A forecast needs no signature. */
export type ForecastWrite = Pick<PreparedWrite, "operation" | "params">;

/** It has no id, because it has no block. */
export interface ForecastRecord extends DescribedRecord {
  readonly token: number;
  readonly values: { readonly [name: string]: unknown };
  readonly at?: number;
  readonly effects: readonly Omit<ForecastRecord, "effects" | "group">[];
  readonly group?: PlaceInGroup;
}

interface DryAnswer {
  readonly results: readonly {
    readonly record?: ForecastRecord;
    readonly problem?: Problem & { readonly index?: number };
  }[];
}

/** Records; a problem is the last result of a group. Source: batches §2. */
export async function dryRun(
  ledger: Ledger,
  path: "/batch" | "/group",
  writes: readonly ForecastWrite[],
  options: CallOptions,
): Promise<readonly (ForecastRecord | ProblemError)[]> {
  const operations = writes.map(({ operation, params }) => ({ operation, ...params }));
  const asked = { ...options, isRepeatable: true, isWrite: false };
  const { body } = await ledger.post(`${path}?dry=1`, JSON.stringify({ operations }), asked);
  const { results } = (body ?? {}) as Partial<DryAnswer>;
  if (!Array.isArray(results) || !results.every(isForecast)) {
    throw ledger.senseless("no forecast", false);
  }
  return (results as DryAnswer["results"]).map(({ record, problem }) =>
    problem === undefined ? (record as ForecastRecord) : new ProblemError(problem),
  );
}

function isForecast(value: unknown): boolean {
  const { record, problem } = (value ?? {}) as Partial<DryAnswer["results"][number]>;
  return problem === undefined
    ? Array.isArray(record?.parameters) && Array.isArray(record.effects)
    : isProblem(problem);
}
