import {
  type Address,
  type Amount,
  type Json,
  type LedgerOperation,
  type RecordPart,
  type RecordType,
  type TokenId,
  type TransactionRecord,
  ZERO,
} from "@moneta/protocol";
import type { DocumentKind } from "../state/entries.ts";
import type { State } from "../state/state.ts";
import { entryValues, type RecordedEntry } from "./entry-values.ts";
import { movedByRecords, withMoved } from "./moved.ts";

/**
 * A record whose `values` are the balances that the operation has moved, unless others are given.
 */
type RecordDraft = Omit<RecordPart, "values"> & Partial<Pick<RecordPart, "values">>;

/**
 * An effect is of the token of the primary record; its `values` are those of an address, or of the
 * entry that it is about.
 */
export type EffectDraft = Omit<RecordPart, "token" | "values"> & {
  readonly entry?: RecordedEntry<unknown>;
  /** The unlock date of what it credits; 0 if it locks nothing. */
  readonly unlockDate?: number;
};

/** The record M of an operation, filed under an address. Source: accounts §1.3. */
export function record(
  type: RecordType,
  address: Address | "",
  token: TokenId,
  parameters: readonly string[],
  values?: RecordPart["values"],
): RecordDraft {
  const draft = { type, address, token: Number(token), parameters };
  return values === undefined ? draft : { ...draft, values };
}

/**
 * A record A(x): what the operation did to an address, `credit` being what it says if that may be
 * locked. Source: accounts §1.3.
 */
export function effectOn(
  address: Address,
  type: RecordType,
  parameters: readonly string[],
  credit?: { readonly amount: Amount; readonly unlockDate: number },
): EffectDraft {
  const effect = { type, address, parameters };
  return credit === undefined || credit.amount === ZERO
    ? effect
    : { ...effect, unlockDate: credit.unlockDate };
}

/**
 * A record I or L: what the operation did to a project, an item or a listing. `view` is what its
 * `GET` shows. Source: tokens §1.7.
 */
export function effectOnEntry<V>(
  kind: DocumentKind<V>,
  value: V,
  type: RecordType,
  parameters: readonly string[],
  view: (state: State, value: V) => Json = (_state, after) => (kind.view ?? kind.json)(after),
): EffectDraft {
  const id = kind.id(value);
  const entry = { kind, id, view } as RecordedEntry<unknown>;
  return { type, address: "", item: id, parameters, entry };
}

/**
 * Closes an operation: its primary record and its effects, with the state as it is now. Those of
 * the order exchange also have what stands in waiting orders.
 * Source: accounts §1.4, protocols §10.
 */
export function done(
  state: State,
  primary: RecordDraft,
  effects: readonly EffectDraft[] = [],
  { isOfOrders = false }: { readonly isOfOrders?: boolean } = {},
): TransactionRecord {
  const shown = new Set<string>();
  const token = String(primary.token) as TokenId;
  const valuesOf = ({ address, entry, unlockDate = 0 }: EffectDraft): RecordPart["values"] => {
    if (entry === undefined) {
      return isOfOrders
        ? state.movedInOrders(address)
        : state.movedBalances(address, { token, unlockDate });
    }
    const isFirst = !shown.has(entry.id);
    shown.add(entry.id);
    return entryValues(state, entry, isFirst);
  };
  const [moved, ...movedByEffects] = movedByRecords(state, [primary, ...effects]);
  const values =
    primary.values ??
    (isOfOrders ? state.movedInOrders(primary.address) : state.movedBalances(primary.address));
  return {
    ...primary,
    values: withMoved(values, moved),
    effects: effects.map((draft, index) => {
      const { entry: _, unlockDate: __, ...effect } = draft;
      const values = withMoved(valuesOf(draft), movedByEffects[index]);
      return { ...effect, token: primary.token, values };
    }),
  };
}

/**
 * What was sent for some parameters, `""` for those that were not: as records have them.
 * Source: tokens §1.7.
 */
export function sent({ params }: LedgerOperation, ...names: readonly string[]): string[] {
  return names.map((name) => params[name] ?? "");
}

/**
 * The signature of an operation and its temporary key, as records have them; both `""` where nobody
 * signs.
 */
export interface Signed {
  readonly signature: string;
  readonly tkey: string;
}

export const BY_NOBODY: Signed = { signature: "", tkey: "" };

/** The signature, as records have it. */
export function signatureOf({ signatures }: LedgerOperation): string {
  return signatures["signature"] ?? "";
}
