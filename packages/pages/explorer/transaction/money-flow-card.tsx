import type { JSX } from "preact";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { EntryTable } from "../../parts/lists/entry-table.tsx";
import { locale, t } from "../../texts/texts.ts";
import { type FlowPart, type MoneyFlow, percentOf } from "./money-flow.ts";

const PARTS_MAX = 20;
const TONES = 6;

/** A bar in parts, and a table. Source: explorer §2. */
export function MoneyFlowCard({ flow }: { readonly flow: MoneyFlow }): JSX.Element {
  const texts = t().explorer.transaction.flow;
  const { total, token } = flow;
  const parts = flow.parts.slice(0, PARTS_MAX);
  const rest = flow.parts.length - parts.length;
  return (
    <section class="list flow" aria-label={texts.title}>
      <header>
        <h2>{texts.title}</h2>
      </header>
      <div class="flow-bar" aria-hidden="true">
        {parts.map(({ to, role, amount }, index) => (
          <span
            key={`${to} ${role}`}
            class={`tone-${index % TONES}`}
            style={{ flexGrow: Math.max(0.5, percentOf(amount, total)) }}
          />
        ))}
        {rest > 0 && <span class="tone-rest" style={{ flexGrow: restPercent(flow, parts) }} />}
      </div>
      <EntryTable<FlowPart & { readonly index: number }>
        caption={texts.title}
        entries={parts.map((part, index) => ({ ...part, index }))}
        keyOf={({ index }) => String(index)}
        columns={[
          {
            head: texts.who,
            kind: "main",
            cell: ({ to, index }) => (
              <span>
                <i class={`swatch tone-${index % TONES}`} aria-hidden="true" />
                <AddressLink address={to} />
              </span>
            ),
          },
          { head: texts.role, cell: ({ role }) => texts.roles[role] },
          { head: texts.amount, amount: ({ amount }) => [amount, token] },
          {
            head: texts.share,
            kind: "number",
            cell: ({ amount }) => percentText(percentOf(amount, total)),
          },
        ]}
      />
      {rest > 0 && <footer>{t().andMore(rest)}</footer>}
    </section>
  );
}

function restPercent({ total }: MoneyFlow, shown: readonly FlowPart[]): number {
  return percentOf(total - shown.reduce((sum, { amount }) => sum + amount, 0n), total);
}

function percentText(percent: number): string {
  const format = new Intl.NumberFormat(locale(), { style: "percent", maximumFractionDigits: 2 });
  return format.format(percent / 100);
}
