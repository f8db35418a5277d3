import type { ComponentChildren, JSX } from "preact";

export interface Column<T> {
  readonly head: string;
  readonly cell: (entry: T) => ComponentChildren;
  /**
   * Numbers stand at the end of their column. On narrow screens the main one is a row's title, and
   * short ones stand beside each other, without their heads.
   */
  readonly kind?: "number" | "main" | "short";
}

/** Entries as rows; on narrow screens each is a block with the heads before its values. */
export function EntryTable<T>({
  caption,
  columns,
  entries,
  keyOf,
  fresh = new Set(),
}: {
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly keyOf: (entry: T) => string;
  readonly entries: readonly T[];
  /** Keys of those that have just come. */
  readonly fresh?: ReadonlySet<string>;
}): JSX.Element {
  // Roles, because narrow screens show rows as blocks, which would no longer be a table.
  return (
    // biome-ignore-start lint/a11y/noRedundantRoles: the styles take the implied ones away.
    <table role="table" aria-label={caption}>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ head, kind }) => (
            <th key={head} role="columnheader" scope="col" class={kind}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {entries.map((entry) => {
          const key = keyOf(entry);
          return (
            <tr key={key} role="row" class={fresh.has(key) ? "fresh" : undefined}>
              {columns.map(({ head, kind, cell }) => (
                <td key={head} role="cell" class={kind} data-head={head}>
                  {cell(entry)}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </table>
    // biome-ignore-end lint/a11y/noRedundantRoles: as above.
  );
}
