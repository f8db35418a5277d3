import { recordTexts } from "@moneta/protocol/sentences";
import type { JSX } from "preact";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { t } from "../../texts/texts.ts";

const TYPE_MAX = 24;

export function RecordBadge({ type }: { readonly type: string }): JSX.Element {
  const texts = recordTexts(t().explorer.records, type);
  return (
    <span class="badge" title={type}>
      {texts?.badge ?? <UntrustedText text={type} max={TYPE_MAX} />}
    </span>
  );
}
