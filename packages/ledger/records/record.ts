import {
  type Address,
  type Amount,
  type Json,
  type LedgerOperation,
  NATIVE_COIN,
  type RecordPart,
  type RecordType,
  type RecordValues,
  recordParameters,
  type TokenId,
  type TransactionRecord,
  ZERO,
} from "@moneta/protocol";
import { invariant } from "../invariant.ts";
import type { DocumentKind } from "../state/entries.ts";
import { recordedSignature } from "../state/ids/recorded-signature.ts";
import type { State } from "../state/state.ts";
import { addressValues, movedByRecords } from "./address-values.ts";
import { entryValues, type RecordedEntry } from "./entry-values.ts";

/** By default its `values` are the balances that the operation moved. */
export type RecordDraft = Omit<RecordPart, "values"> & Partial<Pick<RecordPart, "values">>;

/** An effect is of the token of the primary record. */
export type EffectDraft = Omit<RecordPart, "token" | "values"> & {
  readonly entry?: RecordedEntry<unknown>;
  /** 0 if it is not locked. */
  readonly unlockDate?: number;
};

export interface Filing {
  readonly of?: Address | "";
  readonly token?: TokenId;
  readonly shows?: RecordPart["values"];
}

/** The description has the order of the parameters. Source: chain §9. */
export function record<T extends RecordType>(
  type: T,
  values: RecordValues<T>,
  { of, token = NATIVE_COIN, shows }: Filing = {},
): RecordDraft {
  const { form, parameters } = recordParameters(type, values);
  const address = of ?? addressIn(form.filed.M, values);
  const draft = { type, address, token: Number(token), parameters };
  return shows === undefined ? draft : { ...draft, values: shows };
}

/** A record A. `credit` may be locked. Source: chain §9, accounts §1.3. */
export function effect<T extends RecordType>(
  type: T,
  values: RecordValues<T>,
  {
    of,
    credit,
  }: {
    readonly of?: Address;
    readonly credit?: { readonly amount: Amount; readonly unlockDate: number };
  } = {},
): EffectDraft {
  const { form, parameters } = recordParameters(type, values);
  const draft = { type, address: of ?? addressIn(form.filed.A, values), parameters };
  return credit === undefined || credit.amount === ZERO
    ? draft
    : { ...draft, unlockDate: credit.unlockDate };
}

/** A record I or L. Source: chain §9, conventions §8.3. */
export function effectOnEntry<T extends RecordType, V>(
  type: T,
  values: RecordValues<T>,
  kind: DocumentKind<V>,
  value: V,
  view: (state: State, value: V) => Json = (of, after) =>
    kind.view?.(after, of, false) ?? kind.json(after),
): EffectDraft {
  const { parameters } = recordParameters(type, values);
  const id = kind.id(value);
  const entry = { kind, id, view } as RecordedEntry<unknown>;
  return { type, address: "", item: id, parameters, entry };
}

function addressIn(name: string | undefined, values: object): Address | "" {
  const address = (values as { readonly [name: string]: unknown })[name ?? ""];
  invariant(typeof address === "string", "records without an address in them say whose they are");
  return address as Address | "";
}

export function done(
  state: State,
  primary: RecordDraft,
  effects: readonly EffectDraft[] = [],
  { isOfOrders = false }: { readonly isOfOrders?: boolean } = {},
): TransactionRecord {
  const moved = movedByRecords(state, primary, effects);
  const token = String(primary.token) as TokenId;
  const shown = new Set<string>();
  const finish = (draft: EffectDraft, index: number): RecordPart => {
    const { type, address, parameters, entry, unlockDate = 0 } = draft;
    if (entry !== undefined) {
      const isFirst = !shown.has(entry.id);
      shown.add(entry.id);
      const values = entryValues(state, entry, isFirst);
      return { type, address, item: entry.id, parameters, token: primary.token, values };
    }
    const credit = { token, unlockDate };
    const values = addressValues(state, address, { moved: moved[index + 1], credit, isOfOrders });
    return { type, address, parameters, token: primary.token, values };
  };
  return {
    ...primary,
    values:
      primary.values ?? addressValues(state, primary.address, { moved: moved[0], isOfOrders }),
    effects: effects.map(finish),
  };
}

export function sent<const N extends string>(
  { params }: Pick<LedgerOperation, "params">,
  ...names: readonly N[]
): { readonly [K in N]: string } {
  const texts: { [name: string]: string } = {};
  for (const name of names) {
    texts[name] = params[name] ?? "";
  }
  return texts as { [K in N]: string };
}

export interface Signed {
  readonly signature: string;
  readonly tkey: string;
}

export const BY_NOBODY: Signed = { signature: "", tkey: "" };

export function signatureOf({ signatures }: LedgerOperation): string {
  return recordedSignature(signatures["signature"] ?? "");
}
