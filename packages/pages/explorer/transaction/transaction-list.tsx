import type { JSX } from "preact";
import { LedgerList, type ListFrame } from "../../parts/lists/ledger-list.tsx";
import { listOf } from "../../parts/lists/list-of.ts";
import { t } from "../../texts/texts.ts";
import { recordColumns } from "./record-columns.tsx";

/** Empty texts count as absent. */
export interface TransactionFilter {
  readonly type?: string | undefined;
  readonly token?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly block?: string | undefined;
}

export function TransactionList({
  filter = {},
  isNarrow = false,
  ...frame
}: ListFrame & {
  readonly filter?: TransactionFilter;
  readonly isNarrow?: boolean;
}): JSX.Element {
  const texts = t().explorer.transactions;
  const isWhole = Object.values(filter).every((text) => text === undefined || text === "");
  return (
    <LedgerList
      caption={texts.caption}
      {...listOf("transactions", filter)}
      empty={isWhole ? texts.empty : texts.noneFits}
      live={filter.block === undefined}
      columns={recordColumns({ isNarrow })}
      {...frame}
    />
  );
}
