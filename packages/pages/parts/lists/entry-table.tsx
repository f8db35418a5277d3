import type { ComponentChildren, JSX } from "preact";
import { AmountText, numberText } from "../amount-text.tsx";
import { AddressLink } from "../links/address-link.tsx";
import { TimeText } from "../time-text.tsx";
import { distinctKeys } from "./distinct-keys.ts";

interface Head {
  readonly head: string;
  /** On narrow screens the main one is a row's title, and short ones are beside each other. */
  readonly kind?: "number" | "main" | "short";
}

export type Column<T> = Head &
  (
    | { readonly cell: (entry: T) => ComponentChildren }
    | { readonly amount: (entry: T) => readonly [amount: bigint, token: string] | false }
    | { readonly count: (entry: T) => number | bigint | false }
    | { readonly address: (entry: T) => string | false | undefined }
    | { readonly time: (entry: T) => number | false | undefined }
  );

function kindOf<T>(column: Column<T>): Head["kind"] {
  return column.kind ?? ("amount" in column || "count" in column ? "number" : undefined);
}

function cellOf<T>(column: Column<T>, entry: T): ComponentChildren {
  if ("cell" in column) {
    return column.cell(entry);
  }
  if ("count" in column) {
    const count = column.count(entry);
    return count !== false && numberText(count);
  }
  if ("amount" in column) {
    const [amount, token] = column.amount(entry) || [];
    return token !== undefined && <AmountText amount={amount ?? 0n} token={token} />;
  }
  if ("address" in column) {
    const address = column.address(entry);
    return address && <AddressLink address={address} />;
  }
  const time = column.time(entry);
  return time && <TimeText time={time} />;
}

export function EntryTable<T>({
  caption,
  columns: all,
  entries,
  keyOf,
  fresh = new Set(),
}: {
  readonly caption: string;
  readonly columns: readonly (Column<T> | false)[];
  readonly keyOf: (entry: T) => string;
  readonly entries: readonly T[];
  readonly fresh?: ReadonlySet<string>;
}): JSX.Element {
  const columns = all
    .filter((column) => column !== false)
    .filter((column) => entries.some((entry) => cellOf(column, entry)));
  const keys = distinctKeys(entries, keyOf);
  // Narrow screens show rows as blocks, which would no longer be a table.
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: the styles take the implied ones away.
    <table role="table" aria-label={caption}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <th key={column.head} role="columnheader" scope="col" class={kindOf(column)}>
              {column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {entries.map((entry, index) => (
          <tr key={keys[index]} role="row" class={fresh.has(keyOf(entry)) ? "fresh" : undefined}>
            {columns.map((column) => (
              <td key={column.head} role="cell" class={kindOf(column)} data-head={column.head}>
                {cellOf(column, entry)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y/noRedundantRoles: as above.
  );
}
