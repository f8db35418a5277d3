import type { TransactionRecord } from "@moneta/sdk";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { RecordSentence } from "../../explorer/transaction/record-sentence.tsx";
import { moneta } from "../../ledger/node.ts";
import { TimeText } from "../../parts/time-text.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { database } from "../database.ts";
import { walletLink } from "../links.ts";
import { writes } from "../writes/writes.ts";

const SHOWN_MAX = 10;

/** Since the account's last view in this browser. Source: explorer §3. */
export function WhileAway({ address }: { readonly address: string }): JSX.Element | null {
  const texts = walletTexts().wallet.home;
  const [news, setNews] = useState<readonly TransactionRecord[]>([]);
  useEffect(() => {
    let isLeft = false;
    setNews([]);
    readNews(address).then(
      (found) => isLeft || setNews(found),
      () => undefined, // the history shows that the node does not respond
    );
    return () => {
      isLeft = true;
    };
  }, [address]);
  if (news.length === 0) {
    return null;
  }
  return (
    <section class="card while-away" aria-labelledby="while-away">
      <h2 id="while-away">{texts.whileAway}</h2>
      <ul class="plain">
        {news.slice(0, SHOWN_MAX).map((record, index) => (
          <li key={`${record.id} ${index}`}>
            <RecordSentence
              record={record}
              nameOf={(one) => (one === address ? texts.you : undefined)}
            />{" "}
            <span class="quiet">
              <TimeText time={record.timestamp} />
            </span>
          </li>
        ))}
      </ul>
      {news.length > SHOWN_MAX && (
        <p>
          <a href={walletLink.history()}>{texts.allNews}</a>
        </p>
      )}
      <p class="actions">
        <button type="button" class="small" onClick={() => setNews([])}>
          {texts.seen}
        </button>
      </p>
    </section>
  );
}

/** Without this wallet's own writes; notes them as seen. */
async function readNews(address: string): Promise<readonly TransactionRecord[]> {
  const db = await database();
  const seen = await db.get("seen", address);
  const { items } = await moneta.addressTransactions({ address, limit: SHOWN_MAX + 1 });
  // Ids of one ledger sort in its order; "0" is before all.
  await db.put("seen", { address, id: items[0]?.id ?? seen?.id ?? "0" });
  const own = new Set(
    writes.value.flatMap(({ state }) => (state.is === "done" ? [state.transactionId] : [])),
  );
  return seen === undefined ? [] : items.filter(({ id }) => id > seen.id && !own.has(id));
}
