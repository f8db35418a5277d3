import { shortId, type Transaction } from "@moneta/sdk";
import type { JSX } from "preact";
import { View } from "../../frame/view.tsx";
import { moneta } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { numberText } from "../../parts/amount-text.tsx";
import { Facts } from "../../parts/facts.tsx";
import { IdLink } from "../../parts/links/address-link.tsx";
import { WholeId } from "../../parts/links/whole-id.tsx";
import { Shown } from "../../parts/shown.tsx";
import { TimeText } from "../../parts/time-text.tsx";
import { t } from "../../texts/texts.ts";
import { link } from "../links.ts";
import { RecordSentence } from "../transaction/record-sentence.tsx";

/** Transactions that were done together. Source: explorer §2. */
export function GroupView({ id }: { readonly id: string }): JSX.Element {
  const texts = t().explorer.group;
  const read = useRead(`group ${id}`, async (options) => {
    const ids = await moneta.groupTransactions({ id }, options);
    return await Promise.all(
      ids.map((transaction_id) => moneta.transaction({ transaction_id }, options)),
    );
  });
  const count = read.value?.length;
  return (
    <View title={count === undefined ? texts.titleOf(shortId(id)) : texts.title(count)}>
      <Shown read={read}>
        {(transactions) => <GroupDetails id={id} transactions={transactions} />}
      </Shown>
    </View>
  );
}

function GroupDetails({
  id,
  transactions,
}: {
  readonly id: string;
  readonly transactions: readonly Transaction[];
}): JSX.Element {
  const texts = t().explorer;
  const [first] = transactions;
  return (
    <>
      <section class="card stack" aria-label={texts.group.about}>
        <p>{texts.group.about}</p>
        <ol class="stack">
          {transactions.map((transaction) => (
            <li key={transaction.id}>
              <RecordSentence record={transaction} />{" "}
              <IdLink id={transaction.id} href={link.transaction(transaction.id)} />
            </li>
          ))}
        </ol>
      </section>
      {first !== undefined && (
        <Facts
          facts={[
            [texts.group.id, <WholeId id={id} />],
            [
              texts.transaction.block,
              <a href={link.block(first.db_sn)}>{numberText(first.db_sn)}</a>,
            ],
            [texts.group.time, <TimeText time={first.timestamp} />],
          ]}
        />
      )}
    </>
  );
}
