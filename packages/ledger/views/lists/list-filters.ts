import { type Address, Refused, refuse, type TokenId } from "@moneta/protocol";
import type { DocumentKind } from "../../state/entries.ts";
import { operationNumber } from "../../state/ids/operation-number.ts";
import type { ListedLedger } from "./listed-ledger.ts";

type Stored = string | number;

/** A parameter of a list that selects entries by a column. */
export interface ColumnFilter<V> {
  readonly column: string;
  /**
   * Values that pass; undefined where every value does. `values` has all parameters of the request.
   */
  find(
    value: V,
    reader: ListedLedger,
    values: Readonly<Record<string, unknown>>,
  ): readonly Stored[] | undefined | Refused;
}

export interface Span {
  readonly from: number;
  readonly before: number;
}

/** A parameter of a list of transactions that selects a part of the ledger. */
export interface SpanFilter<V> {
  span(value: V, reader: ListedLedger): Span | Refused;
}

export type Filter<V> = ColumnFilter<V> | SpanFilter<V>;

function optionalFilter<V extends string>(
  column: string,
  find: (
    value: V,
    reader: ListedLedger,
    values: Readonly<Record<string, unknown>>,
  ) => Stored | undefined,
): ColumnFilter<V | "" | undefined> {
  return {
    column,
    find(value, reader, values) {
      if (value === undefined || value === "") {
        return undefined;
      }
      const found = find(value, reader, values);
      return found === undefined ? [] : [found];
    },
  };
}

export function byAddress(column: string): ColumnFilter<Address | undefined> {
  return optionalFilter<Address>(column, (address, { state }) => state.addressNumber(address));
}

export function byToken(column: string): ColumnFilter<TokenId | undefined> {
  return optionalFilter<TokenId>(column, Number);
}

export function byText(column: string): ColumnFilter<string> {
  return optionalFilter<string>(column, (text) => text);
}

export function byEntry<V extends { readonly order: number }>(
  kind: DocumentKind<V>,
  column: string,
): ColumnFilter<string | undefined> {
  return optionalFilter<string>(column, (id, { state }) => state.find(kind, id)?.order);
}

/** Other values of the parameter, such as `all`, mean each. */
export function byWord(column: string, words: readonly string[]): ColumnFilter<string> {
  return { column, find: (word) => (words.includes(word) ? [word] : words) };
}

/** Refused with 3090 if there is none. `toStored` converts it to the column's value. */
export function ofAddress(
  column: string,
  toStored: (entry: { readonly address: Address; readonly number: number }) => Stored = ({
    number,
  }) => number,
): ColumnFilter<Address> {
  return {
    column,
    find(address, { state }) {
      const entry = state.address(address);
      return entry === undefined
        ? refuse({ code: "3090", parameter: "address", address, status: 404 })
        : [toStored(entry)];
    },
  };
}

/** Refused with 4001 if there is none. */
export function ofToken(column: string): ColumnFilter<TokenId> {
  return {
    column,
    find: (token, { state }) =>
      state.token(token) === undefined
        ? refuse({ code: "4001", parameter: "token", token })
        : [Number(token)],
  };
}

/** Not before this ledger time, Unix seconds. */
export const SINCE: SpanFilter<number | undefined> = {
  span: (since, reader) => reader.numbersBetween(since, undefined),
};

/** Not after this ledger time, Unix seconds. */
export const UNTIL: SpanFilter<number | undefined> = {
  span: (until, reader) => reader.numbersBetween(undefined, until),
};

export function ofOperations<V>({ span }: SpanFilter<V>): SpanFilter<V> {
  return {
    span(value, reader) {
      const found = span(value, reader);
      return found instanceof Refused
        ? found
        : { from: firstOperation(found.from), before: firstOperation(found.before) };
    },
  };
}

function firstOperation(transaction: number): number {
  return Math.min(operationNumber(transaction, 0), Number.MAX_SAFE_INTEGER);
}

export interface Selection extends Span {
  readonly columns: Readonly<Record<string, readonly Stored[]>>;
}

/** Undefined if no entry can match. Refused for missing objects of the list. */
export function select(
  filters: Readonly<Record<string, Filter<never>>>,
  values: Readonly<Record<string, unknown>>,
  reader: ListedLedger,
): Selection | Refused | undefined {
  const columns: Record<string, readonly Stored[]> = {};
  let [from, before] = [0, Number.MAX_SAFE_INTEGER];
  let isEmpty = false;
  for (const name in filters) {
    const filter = filters[name] as Filter<unknown>;
    if ("span" in filter) {
      const span = filter.span(values[name], reader);
      if (span instanceof Refused) {
        return span;
      }
      [from, before] = [Math.max(from, span.from), Math.min(before, span.before)];
      continue;
    }
    const found = filter.find(values[name], reader, values);
    if (found instanceof Refused) {
      return found;
    }
    if (found !== undefined) {
      columns[filter.column] = found;
      isEmpty ||= found.length === 0;
    }
  }
  return isEmpty ? undefined : { columns, from, before };
}
