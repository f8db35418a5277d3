import type { Check } from "@moneta/sdk/proof";
import type { JSX } from "preact";
import { EntryTable } from "../../parts/lists/entry-table.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { t } from "../../texts/texts.ts";
import type { ProvableKind } from "./provable.ts";

export function CheckTable({
  checks,
  kind,
  caption,
}: {
  readonly checks: readonly Check[];
  readonly kind: ProvableKind;
  readonly caption: string;
}): JSX.Element {
  const texts = t().explorer.proof;
  return (
    <div class="list checks">
      <EntryTable<Check>
        caption={caption}
        entries={checks}
        keyOf={({ name }) => name}
        columns={[
          { head: texts.what, kind: "main", cell: ({ name }) => texts.names[name](kind) },
          {
            head: texts.result,
            kind: "short",
            cell: ({ result }) => (
              <span class={`badge ${BADGES[result]}`}>{texts.results[result]}</span>
            ),
          },
          {
            head: texts.found,
            cell: ({ found }) => (
              <code class="hash">
                <UntrustedText text={found} max={100} />
              </code>
            ),
          },
        ]}
      />
    </div>
  );
}

const BADGES = { holds: "good", fails: "bad", unchecked: "" } as const;
