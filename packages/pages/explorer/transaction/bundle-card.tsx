import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { numberText } from "../../parts/amount-text.tsx";
import { t } from "../../texts/texts.ts";
import type { Bundle } from "./bundle.ts";
import { RecordBadge } from "./record-badge.tsx";
import { RecordSentence } from "./record-sentence.tsx";

const SHOWN = 25;

/** Source: explorer §2. */
export function BundleCard({
  bundle: { operations, kinds, others },
}: {
  readonly bundle: Bundle;
}): JSX.Element {
  const texts = t().explorer.transaction;
  const [isWhole, showAll] = useState(false);
  const shown = isWhole ? operations : operations.slice(0, SHOWN);
  return (
    <section class="card stack" aria-label={texts.bundle.title}>
      <h2>{texts.bundle.title}</h2>
      <p class="lead-facts">
        {kinds.map(([type, count]) => (
          <span key={type}>
            {numberText(count)} × <RecordBadge type={type} />
          </span>
        ))}
        {others.length > 0 && <span class="quiet">{texts.bundle.others(others.length)}</span>}
      </p>
      <ol>
        {shown.map((one) => (
          <li key={one.at} value={one.at + 1}>
            <RecordSentence record={one} />
          </li>
        ))}
      </ol>
      {shown.length < operations.length && (
        <p>
          <button type="button" onClick={() => showAll(true)}>
            {texts.effects.showAll(numberText(operations.length))}
          </button>
        </p>
      )}
    </section>
  );
}
