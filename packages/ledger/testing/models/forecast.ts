import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import type { LedgerOperation, TransactionRecord } from "@moneta/protocol";
import { type DryOutcome, DryRunner } from "../../dry-runner.ts";
import type { Outcome } from "../../executor.ts";
import { RULES } from "../../rules/registry.ts";

interface Forecasted {
  readonly file: string;
  readonly now: number;
  record(transactionId: string): TransactionRecord;
}

const MINUTE_MS = 60_000;

/** A dry run of operations: the record of each, or the code that refuses it. */
export function forecast(ledger: Forecasted, texts: readonly string[]): readonly string[] {
  const runner = new DryRunner(ledger.file);
  try {
    const operations = texts.map((text) => {
      const { op, params, decided } = JSON.parse(text) as LedgerOperation;
      return { op, params, decided, unissued: undefined };
    });
    const run = { operations, now: ledger.now, group: undefined, cpuMs: MINUTE_MS };
    return runner.run(run).outcomes.map(shown);
  } finally {
    runner.dispose();
  }
}

function shown(outcome: DryOutcome): string {
  return "record" in outcome ? outcome.record : JSON.stringify(outcome.fault.code);
}

/**
 * Asserts that execution had the results of the dry run, except for signatures, which a dry run
 * lacks.
 */
export function assertForecast(
  ledger: Forecasted,
  texts: readonly string[],
  {
    forecast: reported,
    outcomes,
  }: { readonly forecast: readonly string[]; readonly outcomes: readonly Outcome[] },
): void {
  const operations = texts.map((text) => JSON.parse(text) as LedgerOperation);
  // A repeat shows the signature of the first, which may be in the same batch or stored.
  const signatures = new Set(operations.flatMap(({ signatures: all }) => Object.values(all)));
  for (const [index, outcome] of outcomes.entries()) {
    const operation = operations[index] as LedgerOperation;
    const { decided = [] } = RULES.get(operation.op)?.operation ?? {};
    // A dry run requires the parameters that a signature would decide.
    const isOpen = decided.some((name) => name in operation.decided && operation.actor !== "");
    const forecasted = unsigned(reported[index] as string, signatures);
    const came = unsigned(executed(ledger, outcome), signatures);
    if (!isOpen) {
      assert.deepEqual(forecasted, came, String(texts[index]));
    } else if (!isDeepStrictEqual(forecasted, came)) {
      return; // later operations may depend on it
    }
  }
}

function executed(ledger: Forecasted, outcome: Outcome): string {
  return JSON.stringify(
    outcome.kind === "refused" ? outcome.fault.code : ledger.record(outcome.transactionIds[0]),
  );
}

function unsigned(text: string, signatures: ReadonlySet<unknown>): unknown {
  return JSON.parse(text, (_, value: unknown) =>
    value !== undefined && signatures.has(value) ? "" : value,
  );
}
