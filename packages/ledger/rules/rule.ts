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

export interface Acting<F> {
  /** `""` for unsigned operations. */
  readonly actor: Address | "";
  readonly found: F;
}

export function acting(actor: Address | "" | Refused): Acting<undefined> | Refused;
export function acting<F>(actor: Address | "" | Refused, found: F): Acting<F> | Refused;
export function acting<F>(
  actor: Address | "" | Refused,
  found?: F,
): Acting<F | undefined> | Refused {
  return actor instanceof Refused ? actor : { actor, found };
}

/** With what was found, unless that is refused. */
export function actingOn<F>(
  found: F | Refused,
  actorOf: (found: F) => Address | "" | Refused,
): Acting<F> | Refused {
  return found instanceof Refused ? found : acting(actorOf(found), found);
}

/** With an entry that only the rule reads: admission needs no more than that it exists. */
export function actingOnNamed<F>(
  find: (() => F) | Refused,
  actorOf: () => Address | "" | Refused,
): Acting<F> | Refused {
  const actor = find instanceof Refused ? find : actorOf();
  return find instanceof Refused || actor instanceof Refused
    ? (actor as Refused)
    : {
        actor,
        get found() {
          return find();
        },
      };
}

/** An operation of a bundle that was left out. Source: bundles §4. */
export interface SkippedOperation {
  readonly index: number;
  readonly fault: Fault;
}

export interface RuleRecord extends TransactionRecord {
  /** The record itself has only the codes. */
  readonly skipped?: readonly SkippedOperation[];
}

/** `actor` checks existence; `apply` runs after the key is checked. Source: conventions §3. */
export interface Rule<P extends Parameters, F> {
  /** `keyHolder` is for requests that name no actor. */
  readonly actor: (
    state: StateReader,
    values: ValuesOf<P>,
    keyHolder: () => Address | Refused,
  ) => Acting<F> | Refused;
  /** Candidates for `decided`: admission takes the first valid one. By default `{}`. */
  readonly choices?: (
    state: StateReader,
    values: ValuesOf<P>,
    actor: Address,
  ) => readonly Texts[] | Refused;
  /** Checks, then makes effects and records. After a refusal the caller undoes changes. */
  readonly apply: (
    state: State,
    values: ValuesOf<P>,
    given: {
      readonly actor: Address;
      readonly found: F;
      readonly operation: LedgerOperation;
    },
  ) => RuleRecord | Refused;
}

/**
 * Newest first. Without a deciding signature (groups, bundles, dry runs) the first counts.
 * Source: batches §2.3.
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

export function ruleOf<P extends Parameters, F>(
  operation: Operation<P>,
  rule: Rule<P, F>,
): RuledOperation {
  return { operation, rule };
}
