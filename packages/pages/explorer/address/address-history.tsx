import type { JSX } from "preact";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { listOf } from "../../parts/lists/list-of.ts";
import { TokenFilter } from "../../parts/lists/token-filter.tsx";
import { useQuery } from "../../parts/use-query.ts";
import { t } from "../../texts/texts.ts";
import { CheckEntry } from "../proof/check-entry.tsx";
import { recordColumns } from "../transaction/record-columns.tsx";
import { RecordFilters, recordFilter } from "../transaction/record-filters.tsx";

export function AddressHistory({
  address,
  name = t().explorer.address.thisAddress,
}: {
  readonly address: string;
  readonly name?: string;
}): JSX.Element {
  const texts = t().explorer.address;
  const { query } = useQuery();
  return (
    <LedgerList
      hasStatement
      caption={texts.history}
      {...listOf("addressTransactions", {
        address,
        ...recordFilter(query),
        token: query["token"],
      })}
      empty={texts.noHistory}
      choices={
        <>
          <RecordFilters />
          <TokenFilter />
        </>
      }
      columns={[
        ...recordColumns({
          nameOf: (one) => (one === address ? name : undefined),
          hasChange: true,
        }),
        {
          head: t().explorer.proof.title,
          kind: "short",
          cell: (entry) => <CheckEntry entry={entry} address={address} />,
        },
      ]}
    />
  );
}
