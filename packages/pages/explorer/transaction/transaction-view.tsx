import { describe, shortId, type Transaction } from "@moneta/sdk";
import type { JSX } from "preact";
import { View } from "../../frame/view.tsx";
import { height } from "../../ledger/live.ts";
import { moneta, NODE_URL } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { AmountText, numberText } from "../../parts/amount-text.tsx";
import { Facts } from "../../parts/facts.tsx";
import { WholeId } from "../../parts/links/whole-id.tsx";
import { Shown } from "../../parts/shown.tsx";
import { TimeText } from "../../parts/time-text.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { t } from "../../texts/texts.ts";
import { link } from "../links.ts";
import { ProofBox } from "../proof/proof-box.tsx";
import { bundleOf } from "./bundle.ts";
import { BundleCard } from "./bundle-card.tsx";
import { EffectList } from "./effect-list.tsx";
import { feesOf, moneyFlow } from "./money-flow.ts";
import { MoneyFlowCard } from "./money-flow-card.tsx";
import { RecordBadge } from "./record-badge.tsx";
import { RecordSentence } from "./record-sentence.tsx";
import { placeOf } from "./transaction-id.ts";
import "./transaction.css";

const JSON_MAX = 200_000;

/** Source: explorer §2. */
export function TransactionView({ id }: { readonly id: string }): JSX.Element {
  const texts = t().explorer.transaction;
  const place = placeOf(id);
  const read = useRead(`transaction ${id}`, (options) =>
    moneta.transaction({ transaction_id: id }, options),
  );
  return (
    <View
      title={
        place === undefined
          ? texts.title(shortId(id))
          : texts.titleAt(numberText(place.position + 1), numberText(place.block))
      }
    >
      <Shown read={read}>{(transaction) => <TransactionDetails transaction={transaction} />}</Shown>
    </View>
  );
}

function TransactionDetails({ transaction }: { readonly transaction: Transaction }): JSX.Element {
  const texts = t().explorer.transaction;
  const { id, type } = transaction;
  const flow = moneyFlow(transaction);
  const bundle = bundleOf(transaction);
  const fees = flow === undefined ? 0n : feesOf(flow);
  return (
    <>
      <div class="card lead">
        <p>
          <RecordSentence record={transaction} />
          {flow !== undefined && fees > 0n && (
            <>
              {"; "}
              <AmountText amount={fees} token={flow.token} />
              {texts.ofWhichFees}
            </>
          )}
        </p>
        <p class="lead-facts">
          <RecordBadge type={type} />
        </p>
      </div>
      <Place transaction={transaction} />
      {bundle !== undefined && <BundleCard bundle={bundle} />}
      {flow !== undefined && <MoneyFlowCard flow={flow} />}
      <EffectList transaction={transaction} />
      <ProofBox shown={{ transaction }} name={`transaction ${id}`} />
      <Parameters transaction={transaction} />
      <Raw transaction={transaction} />
    </>
  );
}

function Place({
  transaction: { id, db_sn, db_id, timestamp, group },
}: {
  readonly transaction: Transaction;
}) {
  const texts = t().explorer.transaction;
  const place = placeOf(id);
  const block = useRead(`block of ${id}`, (options) => moneta.block({ block: db_sn }, options));
  const ids = block.value?.transaction.map((one) => one.id) ?? [];
  const at = ids.indexOf(id);
  const [before, after] = at < 0 ? [] : [ids[at - 1], ids[at + 1]];
  return (
    <Facts
      facts={[
        [texts.id, <WholeId id={id} />],
        [texts.time, <TimeText time={timestamp} />],
        [
          texts.block,
          <>
            <a href={link.block(db_sn)}>{numberText(db_sn)}</a>{" "}
            {place !== undefined &&
              ids.length > 0 &&
              texts.position(numberText(place.position + 1), numberText(ids.length))}
          </>,
        ],
        [
          texts.blockId,
          <a class="hash" href={link.block(db_id)}>
            {db_id}
          </a>,
        ],
        [
          texts.group,
          group !== undefined && (
            <a href={link.group(group.id)}>
              {texts.placeInGroup(numberText(group.index + 1), numberText(group.count))}
            </a>
          ),
        ],
        [
          texts.neighbours,
          at >= 0 && (
            <nav class="neighbours" aria-label={texts.neighbours}>
              {before !== undefined ? (
                <a href={link.transaction(before)}>{texts.previous}</a>
              ) : (
                Number(db_sn) > 0 && (
                  <a href={link.block(Number(db_sn) - 1)}>{texts.previousBlock}</a>
                )
              )}
              {after !== undefined ? (
                <a href={link.transaction(after)}>{texts.next}</a>
              ) : (
                Number(db_sn) < (height.value ?? 0) && (
                  <a href={link.block(Number(db_sn) + 1)}>{texts.nextBlock}</a>
                )
              )}
            </nav>
          ),
        ],
      ]}
    />
  );
}

function Parameters({ transaction }: { readonly transaction: Transaction }): JSX.Element {
  const { parameters: named } = describe(transaction);
  const entries = Object.entries(named);
  const shown: readonly (readonly [string, string])[] =
    entries.length > 0
      ? entries
      : transaction.parameters.map((text, index) => [String(index + 1), text]);
  return (
    <section class="stack" aria-label={t().explorer.transaction.parameters}>
      <h2>{t().explorer.transaction.parameters}</h2>
      <Facts
        facts={shown.map(([name, text]) => [
          name,
          text === "" ? (
            <span class="quiet">{t().explorer.transaction.none}</span>
          ) : (
            <UntrustedText text={text} />
          ),
        ])}
      />
    </section>
  );
}

function Raw({ transaction }: { readonly transaction: Transaction }): JSX.Element {
  const texts = t().explorer.transaction;
  const path = `${NODE_URL}/transaction/${transaction.id}`;
  return (
    <details class="card">
      <summary>{texts.raw}</summary>
      <p class="raw-links">
        <a href={path} target="_blank" rel="noopener">
          {texts.rawTransaction}
        </a>{" "}
        <a href={`${path}/proof`} target="_blank" rel="noopener">
          {texts.rawProof}
        </a>
      </p>
      <RawJson value={transaction} />
    </details>
  );
}

function RawJson({ value }: { readonly value: object }): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard.
    <pre tabIndex={0}>
      <UntrustedText text={JSON.stringify(value, null, 2)} max={JSON_MAX} />
    </pre>
  );
}
