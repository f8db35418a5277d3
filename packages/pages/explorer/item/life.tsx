import type { JSX } from "preact";
import { TransactionLink } from "../../parts/links/transaction-link.tsx";
import { distinctKeys } from "../../parts/lists/distinct-keys.ts";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { listOf } from "../../parts/lists/list-of.ts";
import { TimeText } from "../../parts/time-text.tsx";
import { t } from "../../texts/texts.ts";
import { CheckEntry } from "../proof/check-entry.tsx";
import { RecordBadge } from "../transaction/record-badge.tsx";
import { RecordSentence } from "../transaction/record-sentence.tsx";
import "./life.css";

export function Life({
  id,
  caption = t().explorer.item.life,
  filters = {},
  cursorName,
  limit,
}: {
  readonly id: string;
  readonly caption?: string;
  readonly filters?: { readonly type?: string; readonly since?: number };
  readonly cursorName?: string;
  readonly limit?: number;
}): JSX.Element {
  const source = listOf("itemTransactions", { id, ...filters });
  const { keyOf } = source;
  return (
    <LedgerList
      caption={caption}
      {...source}
      cursorName={cursorName}
      limit={limit}
      empty={t().explorer.item.noLife}
      show={(records, fresh) => {
        const keys = distinctKeys(records, keyOf);
        return (
          <ol class="time-line">
            {records.map((record, index) => (
              <li
                key={keys[index]}
                class={`${toneOf(record.type)} ${fresh.has(keyOf(record)) ? "fresh" : ""}`}
              >
                <p>
                  <RecordSentence record={record} />
                </p>
                <p class="quiet small">
                  <RecordBadge type={record.type} /> <TimeText time={record.timestamp} />{" "}
                  <TransactionLink id={record.id} /> · <CheckEntry entry={record} />
                </p>
              </li>
            ))}
          </ol>
        );
      }}
    />
  );
}

function toneOf(type: string): string {
  if (
    /_(?:buy|acceptreqsell|acceptoffer|auctionwinning|auctionbuynow)$|^stodexExchange$/.test(type)
  ) {
    return "good";
  }
  if (/_(?:sell|reqsell|auction|auctionbid|offer)$|^stodexRegister$/.test(type)) {
    return "accent";
  }
  return /_(?:melt|burn|auctionfailure)$|^stodexUnRegister$/.test(type) ? "bad" : "";
}
