import { type Block, shortId } from "@moneta/sdk";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { View } from "../../frame/view.tsx";
import { height } from "../../ledger/live.ts";
import { moneta, NODE_URL } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { numberText } from "../../parts/amount-text.tsx";
import { Facts } from "../../parts/facts.tsx";
import { WholeId } from "../../parts/links/whole-id.tsx";
import { Shown } from "../../parts/shown.tsx";
import { TimeText } from "../../parts/time-text.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { t } from "../../texts/texts.ts";
import { link } from "../links.ts";
import { ProofBox } from "../proof/proof-box.tsx";
import { TransactionList } from "../transaction/transaction-list.tsx";

const RAW_MAX = 200_000;

/** Source: explorer §2. */
export function BlockView({ block }: { readonly block: string }): JSX.Element {
  const texts = t().explorer.block;
  const read = useRead(`block ${block}`, (options) => moneta.block({ block }, options));
  const number = read.value?.sn;
  return (
    <View title={texts.title(number === undefined ? shortId(block) : numberText(number))}>
      <Shown read={read}>{(value) => <BlockParts block={value} />}</Shown>
    </View>
  );
}

function BlockParts({ block }: { readonly block: Block }): JSX.Element {
  const { sn, id } = block;
  return (
    <>
      <Neighbours sn={sn} />
      <Header block={block} />
      <TransactionList caption={t().explorer.block.transactions} filter={{ block: String(sn) }} />
      <ProofBox shown={{ block }} name={`block ${id}`} />
      <RawBlock sn={sn} />
    </>
  );
}

function Neighbours({ sn }: { readonly sn: number }): JSX.Element {
  const texts = t().explorer.block;
  const newest = height.value;
  return (
    <nav class="neighbours" aria-label={texts.neighbours}>
      {sn > 0 && <a href={link.block(sn - 1)}>{texts.previousBlock}</a>}
      {newest !== undefined &&
        (newest > sn ? (
          <a href={link.block(sn + 1)}>{texts.nextBlock}</a>
        ) : (
          <span class="quiet">{texts.newest}</span>
        ))}
    </nav>
  );
}

/** From the proof of the first transaction: a whole block is as long as its operations. */
function Header({ block: { sn, id, timestamp, transaction } }: { readonly block: Block }) {
  const texts = t().explorer.block;
  const [first] = transaction;
  const read = useRead(`header ${id}`, async (options) =>
    first === undefined
      ? undefined
      : (await moneta.transactionProof({ transaction_id: first.id }, options)).block,
  );
  const header = read.value;
  return (
    <Facts
      facts={[
        [texts.number, numberText(sn)],
        [texts.id, <WholeId id={id} />],
        [texts.time, <TimeText time={timestamp} />],
        [texts.count, numberText(transaction.length)],
        [texts.size, header && numberText(header.size)],
        [texts.protocol, header && numberText(header.protocol)],
        [
          texts.previous,
          header && sn > 0 && (
            <a class="hash" href={link.block(sn - 1)}>
              {header.previous}
            </a>
          ),
        ],
        [texts.root, header && <code class="hash">{header.root}</code>],
        [texts.tree, header && <code class="hash">{header.tree}</code>],
        [texts.changes, header && <code class="hash">{header.changes}</code>],
      ]}
    />
  );
}

function RawBlock({ sn }: { readonly sn: number }): JSX.Element {
  const texts = t().explorer.block;
  const [isOpen, open] = useState(false);
  return (
    <details class="card" onToggle={({ currentTarget }) => open(currentTarget.open)}>
      <summary>{texts.raw}</summary>
      {isOpen && <RawBytes sn={sn} />}
    </details>
  );
}

function RawBytes({ sn }: { readonly sn: number }): JSX.Element {
  const texts = t().explorer.block;
  const read = useRead(`raw ${sn}`, (options) => moneta.blocksRaw({ from: sn, limit: 1 }, options));
  return (
    <>
      <p>
        <a href={`${NODE_URL}/block/${sn}/raw`} target="_blank" rel="noopener">
          {texts.rawLink}
        </a>
      </p>
      <Shown read={read}>
        {(bytes) => (
          <>
            <p class="quiet">{texts.bytes(numberText(bytes.length))}</p>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard. */}
            <pre tabIndex={0}>
              <UntrustedText text={new TextDecoder().decode(bytes)} max={RAW_MAX} />
            </pre>
          </>
        )}
      </Shown>
    </>
  );
}
