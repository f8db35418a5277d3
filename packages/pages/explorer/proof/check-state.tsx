import type { AskedRead } from "@moneta/sdk/proof";
import type { JSX } from "preact";
import type { Fact } from "../../parts/facts.tsx";
import { Reveal } from "../../parts/reveal.tsx";
import { t } from "../../texts/texts.ts";
import { Mark } from "./mark.tsx";
import { ProofBox } from "./proof-box.tsx";

/** Checks a record against the ledger's state. Source: explorer §2. */
export function CheckState({
  verdict,
  ...asked
}: AskedRead & { readonly verdict?: "verified" | "wrong" | undefined }): JSX.Element {
  const texts = t().explorer.proof;
  const name = Object.values(asked.params).join(" ");
  const label = texts.checkState(name);
  return (
    <Reveal
      label={verdict === undefined ? label : `${texts.verdicts[verdict]}. ${label}`}
      more={() => <ProofBox shown={asked} name={`${asked.read} ${name}`} />}
    >
      {verdict === undefined ? (
        texts.check
      ) : (
        <span class={`checked ${verdict}`}>
          <Mark verdict={verdict} />
        </span>
      )}
    </Reveal>
  );
}

export function proofFact(read: string, params: AskedRead["params"]): Fact {
  return [t().explorer.proof.title, <CheckState read={read} params={params} />];
}
