import {
  type Address,
  type AnyOperation,
  type Fault,
  type LedgerOperation,
  type Operation,
  type Parameters,
  Refused,
  type Request,
  type Texts,
  type TransactionRecord,
  type ValuesOf,
} from "@moneta/protocol";
import type { State, StateReader } from "../state/state.ts";

/** The actor, and data that the rule has read from the state to find it. */
export interface Acting<F> {
  /** The required signer; `""` for unsigned operations. */
  readonly actor: Address | "";
  readonly found: F;
}

/** The actor with its data, unless it is refused. */
export function acting(actor: Address | "" | Refused): Acting<undefined> | Refused;
export function acting<F>(actor: Address | "" | Refused, found: F): Acting<F> | Refused;
export function acting<F>(
  actor: Address | "" | Refused,
  found?: F,
): Acting<F | undefined> | Refused {
  return actor instanceof Refused ? actor : { actor, found };
}

/** An operation of a bundle that was left out, and why. Source: bundles §4. */
export interface SkippedOperation {
  readonly index: number;
  readonly fault: Fault;
}

export interface RuleRecord extends TransactionRecord {
  /** The operations that a bundle left out: the record itself has only the codes. */
  readonly skipped?: readonly SkippedOperation[];
}

/**
 * The effect of an operation. `actor` checks existence; `apply` runs once the key has been checked.
 * Source: conventions §3.
 */
export interface Rule<P extends Parameters, F> {
  /** `keyHolder` is the address of the temporary key, for requests that name no actor. */
  readonly actor: (
    state: StateReader,
    values: ValuesOf<P>,
    keyHolder: () => Address | Refused,
  ) => Acting<F> | Refused;
  /**
   * Candidates for `decided`: admission takes the first one for which the signature is valid.
   * Without
   * `choices` there is one candidate, `{}`.
   */
  readonly choices?: (
    state: StateReader,
    values: ValuesOf<P>,
    actor: Address,
  ) => readonly Texts[] | Refused;
  /**
   * Checks permission, state, time and balances, then makes effects and records. A refusal may
   * leave changes, which the caller undoes.
   */
  readonly apply: (
    state: State,
    values: ValuesOf<P>,
    given: {
      /** The signer; `""` for unsigned operations. */
      readonly actor: Address;
      /** Data that `actor` has read in the same state. */
      readonly found: F;
      /** The parameters as they were sent. */
      readonly operation: LedgerOperation;
    },
  ) => RuleRecord | Refused;
}

/**
 * The possible decisions of an actor's signature, newest first. Where no signature decides, in
 * groups, bundles and dry runs, the first counts. Source: batches §2.3.
 */
export function choicesOf(
  state: StateReader,
  { ruled, request }: { readonly ruled: RuledOperation; readonly request: Pick<Request, "values"> },
  actor: Address,
): readonly Texts[] | Refused {
  return ruled.rule.choices?.(state, request.values, actor) ?? [{}];
}

export interface RuledOperation {
  readonly operation: AnyOperation;
  // biome-ignore lint/suspicious/noExplicitAny: the registry holds rules of all kinds of parameters.
  readonly rule: Rule<any, any>;
}

/**
 * Pairs an operation's description with its rule, whose parameters are those of the description.
 */
export function ruleOf<P extends Parameters, F>(
  operation: Operation<P>,
  rule: Rule<P, F>,
): RuledOperation {
  return { operation, rule };
}
