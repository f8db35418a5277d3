import type { TransactionRecord } from "@moneta/sdk";
import type { Column } from "../../parts/lists/entry-table.tsx";
import { t } from "../../texts/texts.ts";
import { link } from "../links.ts";
import { Change } from "./change.tsx";
import { RecordBadge } from "./record-badge.tsx";
import { type NameOf, RecordSentence } from "./record-sentence.tsx";

type ListedRecord = Pick<TransactionRecord, "id" | "timestamp" | "type" | "address" | "parameters">;

export function recordColumns({
  nameOf,
  isNarrow = false,
  hasChange = false,
}: {
  readonly nameOf?: NameOf;
  readonly isNarrow?: boolean;
  readonly hasChange?: boolean;
} = {}): readonly (Column<ListedRecord> | false)[] {
  const texts = t().explorer.transactions;
  return [
    {
      head: texts.what,
      kind: "main",
      cell: (record) => <RecordSentence record={record} nameOf={nameOf} />,
    },
    hasChange && {
      head: t().explorer.transaction.effects.change,
      kind: "number",
      cell: (record) => <Change record={record} />,
    },
    !isNarrow && {
      head: texts.type,
      kind: "short",
      cell: ({ type }) => <RecordBadge type={type} />,
    },
    { head: texts.time, kind: "short", time: ({ timestamp }) => timestamp },
    {
      head: texts.transaction,
      kind: "short",
      cell: ({ id }) => (
        <a class="id" href={link.transaction(id)} title={id}>
          {texts.open}
          <span class="for-screen-readers"> {id.slice(-8)}</span>
        </a>
      ),
    },
  ];
}
