import type { TransactionRecord } from "@moneta/sdk";
import type { JSX } from "preact";
import { moneta } from "../../ledger/node.ts";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { t } from "../../texts/texts.ts";
import { recordColumns } from "./record-columns.tsx";

/** What a list of transactions has been narrowed to; empty texts count as absent. */
export interface TransactionFilter {
  readonly type?: string | undefined;
  readonly token?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly block?: string | undefined;
}

/** Transactions, the newest first, live unless they are those of one block. */
export function TransactionList({
  caption,
  filter = {},
  limit,
  cursorName,
  more,
  isNarrow = false,
  filters,
}: {
  readonly caption?: string;
  readonly filter?: TransactionFilter;
  readonly limit?: number;
  readonly cursorName?: string;
  readonly more?: JSX.Element;
  readonly isNarrow?: boolean;
  readonly filters?: JSX.Element;
}): JSX.Element {
  const texts = t().explorer.transactions;
  const given = Object.entries(filter).filter(([, text]) => text !== undefined && text !== "");
  const request = Object.fromEntries(given) as Record<string, string>;
  const query = new URLSearchParams(request);
  return (
    <LedgerList<TransactionRecord>
      caption={caption ?? texts.caption}
      path={`/transactions${query.size === 0 ? "" : `?${query}`}`}
      // Whatever the URL has, the node says what is wrong with it.
      read={(page, options) =>
        moneta.transactions({ ...request, ...page } as typeof page & { token?: never }, options)
      }
      keyOf={({ id }) => id}
      empty={given.length === 0 ? texts.empty : texts.noneFits}
      live={filter.block === undefined}
      columns={recordColumns({ isNarrow })}
      {...(filters === undefined ? {} : { filters })}
      {...(limit === undefined ? {} : { limit })}
      {...(cursorName === undefined ? {} : { cursorName })}
      {...(more === undefined ? {} : { more })}
    />
  );
}
