import type { Page, TransactionRecord } from "@moneta/sdk";
import type { JSX } from "preact";
import { moneta } from "../../ledger/node.ts";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { WrittenFilter } from "../../parts/lists/written-filter.tsx";
import { useQuery } from "../../parts/use-query.ts";
import { t } from "../../texts/texts.ts";
import { pathWith } from "../listing/path-with.ts";
import { CheckEntry } from "../proof/check-entry.tsx";
import { recordColumns } from "../transaction/record-columns.tsx";
import { RecordFilters, recordFilter } from "../transaction/record-filters.tsx";

/** One of the records that a transaction leaves for an address, of which several may be alike. */
interface HistoryRecord extends TransactionRecord {
  readonly place: number;
}

async function numbered(page: Promise<Page<TransactionRecord>>): Promise<Page<HistoryRecord>> {
  const { items, ...rest } = await page;
  const records = items.map((record, index) => ({
    ...record,
    // Records of a transaction follow each other.
    place: index - items.findIndex(({ id }) => id === record.id),
  }));
  return { ...rest, items: records };
}

/** What an address did and what was done to it, by kind, token and time; live. */
export function AddressHistory({ address }: { readonly address: string }): JSX.Element {
  const texts = t().explorer.address;
  const { query } = useQuery();
  const token = query["token"];
  const filters = { ...recordFilter(query), ...(token === undefined ? {} : { token }) };
  return (
    <LedgerList<HistoryRecord>
      hasStatement
      caption={texts.history}
      path={pathWith(`/address/${address}/transactions`, filters)}
      // Whatever the URL has, the node says what is wrong with it.
      read={(page, options) =>
        numbered(moneta.addressTransactions({ address, ...(filters as object), ...page }, options))
      }
      keyOf={({ id, place }) => `${id} ${place}`}
      cursorName="cursor"
      live
      empty={texts.noHistory}
      filters={
        <>
          <RecordFilters />
          <WrittenFilter name="token" label={texts.tokenId} max={16} />
        </>
      }
      columns={[
        ...recordColumns({
          nameOf: (one) => (one === address ? <b>{texts.thisAddress}</b> : undefined),
        }),
        {
          head: t().explorer.proof.title,
          kind: "short",
          cell: (entry) => (
            <CheckEntry entry={entry} address={address} name={`${entry.id} ${entry.place}`} />
          ),
        },
      ]}
    />
  );
}
