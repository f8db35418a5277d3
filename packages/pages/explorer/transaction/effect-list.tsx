import type { Effect, Transaction } from "@moneta/sdk";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { AmountText, numberText } from "../../parts/amount-text.tsx";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { ThingLink } from "../../parts/links/thing-link.tsx";
import { EntryTable } from "../../parts/lists/entry-table.tsx";
import { t } from "../../texts/texts.ts";
import { Change } from "./change.tsx";
import { RecordBadge } from "./record-badge.tsx";
import { RecordSentence } from "./record-sentence.tsx";

type Part = Pick<Effect, "type" | "address" | "parameters" | "values"> & {
  readonly item?: string | undefined;
  readonly index: number;
};

const SHOWN = 50;
const BALANCES_MAX = 4;

/** Source: explorer §2. */
export function EffectList({ transaction }: { readonly transaction: Transaction }): JSX.Element {
  const texts = t().explorer.transaction.effects;
  const [isWhole, showAll] = useState(false);
  const { effects, ...own } = transaction;
  const all: readonly Part[] = [own, ...effects].map((part, index) => ({ ...part, index }));
  const shown = isWhole ? all : all.slice(0, SHOWN);
  return (
    <section class="list" aria-label={texts.title}>
      <header>
        <h2>{texts.title}</h2>
      </header>
      <EntryTable<Part>
        caption={texts.title}
        entries={shown}
        keyOf={({ index }) => String(index)}
        columns={[
          { head: texts.who, kind: "short", cell: (part) => <Subject part={part} /> },
          { head: texts.what, kind: "main", cell: (part) => <RecordSentence record={part} /> },
          { head: texts.type, kind: "short", cell: ({ type }) => <RecordBadge type={type} /> },
          { head: texts.change, kind: "number", cell: (part) => <Change record={part} /> },
          { head: texts.after, kind: "number", cell: ({ values }) => <After values={values} /> },
        ]}
      />
      {shown.length < all.length && (
        <footer>
          <button type="button" onClick={() => showAll(true)}>
            {texts.showAll(numberText(all.length))}
          </button>
        </footer>
      )}
    </section>
  );
}

function Subject({ part: { address, item } }: { readonly part: Part }): JSX.Element | string {
  if (address !== "") {
    return <AddressLink address={address} />;
  }
  return item === undefined ? t().explorer.transaction.effects.ledger : <ThingLink id={item} />;
}

function After({ values }: { readonly values: Part["values"] }): JSX.Element | null {
  const { balance } = values;
  const entries = (Array.isArray(balance) ? balance : []).filter(isBalance);
  const free = entries.filter(({ unlockdate }) => unlockdate === 0).slice(0, BALANCES_MAX);
  return free.length === 0 ? null : (
    <span class="changes">
      {free.map((entry) => (
        <AmountText key={entry.token} amount={BigInt(entry.balance)} token={entry.token} />
      ))}
    </span>
  );
}

interface BalanceAfter {
  readonly token: string;
  readonly balance: string;
  readonly unlockdate: number;
}

function isBalance(value: unknown): value is BalanceAfter {
  const { token, balance, unlockdate } = (value ?? {}) as Partial<BalanceAfter>;
  return (
    typeof token === "string" &&
    typeof balance === "string" &&
    /^[0-9]{1,60}$/.test(balance) &&
    typeof unlockdate === "number"
  );
}
