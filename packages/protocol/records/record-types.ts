import type { RecordForm, RecordKind } from "./record-form.ts";
import { BUNDLE_RECORDS } from "./types/bundles.ts";
import { COIN_RECORDS, EXCHANGE_RECORDS, GRANT_RECORDS, KEY_RECORDS } from "./types/coins.ts";
import { ITEM_RECORDS } from "./types/items.ts";
import { LEDGER_RECORDS, ROOT_RECORDS } from "./types/ledger.ts";
import { OFFER_RECORDS } from "./types/offers.ts";
import { ORDER_RECORDS } from "./types/orders.ts";
import { SEAL_RECORDS } from "./types/seals.ts";
import { TOKEN_MARKET_RECORDS } from "./types/token-market.ts";
import { PAIR_RECORDS, TOKEN_RECORDS } from "./types/tokens.ts";
import { UNIT_RECORDS } from "./types/units.ts";

/** Histories store indexes in this list: append new types. Source: chain §9. */
const FORMS = {
  ...LEDGER_RECORDS,
  ...COIN_RECORDS,
  ...TOKEN_RECORDS,
  ...TOKEN_MARKET_RECORDS,
  ...ITEM_RECORDS,
  ...UNIT_RECORDS,
  ...PAIR_RECORDS,
  ...EXCHANGE_RECORDS,
  ...ORDER_RECORDS,
  ...SEAL_RECORDS,
  ...BUNDLE_RECORDS,
  ...OFFER_RECORDS,
  ...KEY_RECORDS,
  ...GRANT_RECORDS,
  ...ROOT_RECORDS,
} as const;

export type RecordType = keyof typeof FORMS;

export const RECORD_FORMS = Object.fromEntries(
  Object.entries(FORMS).map(([type, forms]) => [type, [forms].flat().map(named(type))]),
) as unknown as { readonly [T in RecordType]: readonly RecordForm[] };

function named(type: string): (form: RecordForm) => RecordForm {
  const by = [type.replace("_", "").toLowerCase()];
  return (form) => (form.by.length === 0 ? { ...form, by } : form);
}

export const RECORD_TYPES = Object.keys(FORMS) as readonly RecordType[];

/** Left out unless `type` names it. Source: proofs §2.2. */
export const ONLY_BY_NAME: RecordType = "StateRoot";

type FormOf<T extends RecordType> = (typeof FORMS)[T] extends readonly (infer F)[]
  ? F
  : (typeof FORMS)[T];

type ValuesOf<F> =
  F extends RecordForm<infer N, infer O>
    ? { readonly [K in Exclude<N, `=${string}`>]: RecordValue } & {
        readonly [K in O]?: RecordValue;
      }
    : never;

export type RecordValue = string | bigint | number;

export type RecordValues<T extends RecordType> = ValuesOf<FormOf<T>>;

type NamesOf<F> = F extends RecordForm<infer N, infer O> ? Exclude<N, `=${string}`> | O : never;

export type RecordParameterOf<T extends RecordType> = NamesOf<FormOf<T>>;

export function recordKind(type: string): RecordKind | undefined {
  return Object.hasOwn(RECORD_FORMS, type) ? RECORD_FORMS[type as RecordType][0]?.kind : undefined;
}

export function recordForm(type: string, parameterCount: number): RecordForm | undefined {
  const forms = Object.hasOwn(RECORD_FORMS, type) ? RECORD_FORMS[type as RecordType] : [];
  return forms.find(
    ({ parameters, optional }) =>
      parameterCount === parameters.length ||
      (optional.length > 0 && parameterCount === parameters.length + optional.length),
  );
}
