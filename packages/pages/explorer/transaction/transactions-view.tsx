import type { JSX } from "preact";
import { useLocation } from "preact-iso";
import { View } from "../../frame/view.tsx";
import { t } from "../../texts/texts.ts";
import { RecordFilters, recordFilter } from "./record-filters.tsx";
import { TransactionList } from "./transaction-list.tsx";

/** Source: explorer §2. */
export function TransactionsView(): JSX.Element {
  const { query } = useLocation();
  return (
    <View title={t().explorer.nav.transactions}>
      <TransactionList filter={recordFilter(query)} choices={<RecordFilters />} />
    </View>
  );
}
