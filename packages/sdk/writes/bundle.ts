import type { SignedOperations } from "../api.ts";
import type { Call, CallOptions, WireAnswer } from "../call.ts";
import type { Ledger } from "../ledger.ts";
import type { ProblemError } from "../nodes/errors.ts";
import { refuseUnknown } from "../values/refuse-unknown.ts";
import { wireTexts } from "../values/wire-text.ts";
import { type OperationResult, resultsOf, writtenOf } from "./batch.ts";
import type { SentWrite } from "./prepared-write.ts";

type Methods = Omit<SignedOperations, "protocol">;
type RequestOf<F extends (...given: never) => unknown> =
  Required<Parameters<F>> extends readonly [infer Request, unknown] ? Request : object;

export type BundledOperation = {
  readonly [Name in keyof Methods]: { readonly operation: Name } & RequestOf<Methods[Name]>;
}[keyof Methods];

/** The result of each operation, or why it was left out. */
export type BundleResults<All extends readonly BundledOperation[]> = {
  readonly [Index in keyof All]:
    | Awaited<ReturnType<Methods[All[Index]["operation"]]>>
    | ProblemError;
};

export interface BundleOptions extends CallOptions {
  /**
   * Refusal codes for which an operation may be left out; `"*"` for all of them.
   * Source: bundles §4.
   */
  readonly skip?: readonly string[] | undefined;
}

export interface SentBundle extends SentWrite {
  readonly results: readonly (SentWrite | ProblemError)[];
}

/** Source: bundles §3. */
export function isBundleable(operation: string, { key, signers }: Call): boolean {
  return key !== undefined && signers === undefined && operation !== "protocol";
}

/** Throws TypeError for one that bundles do not take, and for an unknown parameter. */
export function bundledText(
  ledger: Ledger,
  address: string,
  { operation, ...request }: { readonly operation: string },
): string {
  const call = ledger.callOf(operation);
  if (!isBundleable(operation, call)) {
    throw new TypeError(`${operation} cannot be in a bundle`);
  }
  refuseUnknown(operation, call.parameters, request);
  return JSON.stringify({ operation, ...wireTexts(withActor(call, address, request), true) });
}

export function withActor(
  { actor }: Call,
  address: string,
  request: object,
): Record<string, unknown> {
  const given = Object.entries(request).filter(([, value]) => value !== undefined);
  return { ...(actor === undefined ? {} : { [actor]: address }), ...Object.fromEntries(given) };
}

export function sentBundle(
  ledger: Ledger,
  operations: readonly { readonly operation: string }[],
  { body }: WireAnswer,
): SentBundle {
  const { transaction_id = "", results } = (body ?? {}) as {
    readonly transaction_id?: string;
    readonly results?: readonly OperationResult[];
  };
  const all = [results ?? []].flat().map((one) => ({ ...one, transaction_id, ...ownProblem(one) }));
  return {
    transaction_id,
    results: resultsOf({ results: all }, operations.length).map((result, index) =>
      writtenOf(ledger, operations[index]?.operation ?? "", result),
    ),
  };
}

/** A repeated response has no `detail`. Source: bundles §7.2. */
function ownProblem({ problem }: OperationResult): Partial<OperationResult> {
  if (problem === undefined) {
    return {};
  }
  const { index: _, ...own } = problem;
  return { problem: { ...own, detail: own.detail ?? own.title } };
}
