import type { JSX } from "preact";
import { Reveal } from "../../parts/reveal.tsx";
import { t } from "../../texts/texts.ts";
import { ProofBox } from "./proof-box.tsx";
import type { ShownEntry } from "./provable.ts";

/** Source: explorer §2. */
export function CheckEntry(shown: ShownEntry): JSX.Element {
  const texts = t().explorer.proof;
  return (
    <Reveal
      label={texts.checkEntry(shown.entry.id.slice(-8))}
      more={() => <ProofBox shown={shown} name={JSON.stringify(shown.entry)} />}
    >
      {texts.check}
    </Reveal>
  );
}
