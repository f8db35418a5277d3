import type {
  Address,
  Operation,
  Parameters,
  RecordPart,
  Refused,
  Texts,
  TokenId,
  TransactionRecord,
  ValuesOf,
} from "@moneta/protocol";
import type { State, StateReader } from "../state/state.ts";

/** What an operation does. `actor` asks for existence, `apply` is reached once the key has been checked. Source: conventions §3. */
export interface Rule<P extends Parameters> {
  /** Who must have signed; `""` where nobody does. */
  readonly actor: (state: StateReader, values: ValuesOf<P>) => Address | "" | Refused;
  /** Permission, state, time and balances, then effects and records. Refused, it may leave changes behind: the caller undoes them. */
  readonly apply: (
    state: State,
    values: ValuesOf<P>,
    decided: Texts,
  ) => TransactionRecord | Refused;
}

// biome-ignore lint/suspicious/noExplicitAny: the registry holds rules of all kinds of parameters.
export type AnyRule = Rule<any>;

/** A record whose `values` are the balances that the operation has moved, unless others are given. */
type RecordDraft = Omit<RecordPart, "values"> & Partial<Pick<RecordPart, "values">>;

/** A record that is filed under an address (M or A). Source: accounts §1.3. */
export function record(
  type: string,
  address: Address | "",
  token: TokenId,
  parameters: readonly string[],
  values?: RecordPart["values"],
): RecordDraft {
  const draft = { type, address, token: Number(token), parameters };
  return values === undefined ? draft : { ...draft, values };
}

/** Closes an operation: its primary record and its effects, with the balances as they are now. Source: accounts §1.4. */
export function done(
  state: State,
  primary: RecordDraft,
  effects: readonly RecordDraft[] = [],
): TransactionRecord {
  return {
    ...primary,
    values: primary.values ?? state.movedBalances(primary.address),
    effects: effects.map((effect) => ({
      ...effect,
      values: effect.values ?? state.movedBalances(effect.address),
    })),
  };
}

/** Ties a rule's parameters to those of the operation's description. */
export function ruleOf<P extends Parameters>(_operation: Operation<P>, rule: Rule<P>): Rule<P> {
  return rule;
}
