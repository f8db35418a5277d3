import {
  type DescribedRecord,
  type MovedRecord,
  type Movement,
  movementOf,
  operationRecords,
  saysTheSame,
  sumOfMovements,
} from "@moneta/protocol/client";
import { ProblemError } from "../nodes/errors.ts";
import type { ForecastRecord } from "./dry-run.ts";

export type Thing =
  /** In the smallest unit. */
  | { readonly is: "token"; readonly token: string; readonly amount: bigint }
  | { readonly is: "item"; readonly item: string }
  | { readonly is: "units"; readonly item: string; readonly amount: bigint };

export interface ProposalStep {
  readonly index: number;
  readonly record: DescribedRecord;
  readonly movement: Movement;
}

/** The amounts that an address would give and get in total, and by which operations. */
export interface ProposalEffects {
  readonly address: string;
  readonly gives: readonly Thing[];
  readonly gets: readonly Thing[];
  readonly steps: readonly ProposalStep[];
}

export class ProposalForecast {
  /** Why it would be refused, with the `index` of the operation; undefined if it would be done. */
  readonly problem: ProblemError | undefined;
  /** The record of each operation in order, up to a refused one. */
  readonly records: readonly ForecastRecord[];
  readonly #steps: readonly ProposalStep[];

  private constructor(
    problem: ProblemError | undefined,
    records: readonly ForecastRecord[],
    steps: readonly ProposalStep[],
  ) {
    this.problem = problem;
    this.records = records;
    this.#steps = steps;
  }

  static of(results: readonly (ForecastRecord | ProblemError)[]): ProposalForecast {
    const records = results.flatMap((one) =>
      one instanceof ProblemError ? [] : operationRecords(one).map(({ record }) => record),
    );
    const steps = records.flatMap((whole, index) =>
      inHistories(whole).map((record) => ({ index, record, movement: movementOf(record) })),
    );
    const problem = results.find((one) => one instanceof ProblemError);
    return new ProposalForecast(problem, records, steps);
  }

  get addresses(): readonly string[] {
    const all = this.#steps.map(({ record }) => record.address);
    return [...new Set(all.filter((address) => address.startsWith("MT")))];
  }

  of(address: string): ProposalEffects {
    const steps = this.#steps.filter(({ record }) => record.address === address);
    const sum = sumOfMovements(steps.map(({ movement }) => movement));
    return { address, gives: things(sum, -1n), gets: things(sum, 1n), steps };
  }
}

/**
 * A burn has a second record for its owner; a fee between two sides of an exchange only looks the
 * same. Source: chain §10.
 */
function inHistories(whole: ForecastRecord): readonly MovedRecord[] {
  const moved = ({ values }: MovedRecord): string => JSON.stringify(values?.["moved"] ?? null);
  const own = moved(whole);
  return [
    whole,
    ...whole.effects.filter(
      (effect) => !saysTheSame(effect, whole) || ![own, "null"].includes(moved(effect)),
    ),
  ];
}

function things({ tokens, items, units }: Movement, sign: 1n | -1n): readonly Thing[] {
  const moved = (sums: ReadonlyMap<string, bigint>): readonly (readonly [string, bigint])[] =>
    [...sums].filter(([, sum]) => sum * sign > 0n).map(([id, sum]) => [id, sum * sign]);
  return [
    ...moved(items).map(([item]) => ({ is: "item", item }) as const),
    ...moved(units).map(([item, amount]) => ({ is: "units", item, amount }) as const),
    ...moved(tokens).map(([token, amount]) => ({ is: "token", token, amount }) as const),
  ];
}
