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

export function Life({ id }: { readonly id: string }): JSX.Element {
  const source = listOf("itemTransactions", { id });
  const { keyOf } = source;
  return (
    <LedgerList
      caption={t().explorer.item.life}
      {...source}
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
