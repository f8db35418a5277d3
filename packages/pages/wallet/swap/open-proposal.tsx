import type { Proposal } from "@moneta/sdk";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { LocalProblem } from "../../parts/local-problem.ts";
import { Problem } from "../../parts/problem.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import type { OpenAccount } from "../accounts/account.ts";
import { readProposal } from "./proposal-link.ts";

/** The node takes no larger body. Source: batches §1.1. */
const FILE_BYTES_MAX = 8 << 20;

/** Source: explorer §3. */
export function OpenProposal({
  account,
  open,
}: {
  readonly account: OpenAccount;
  readonly open: (proposal: Proposal) => void;
}): JSX.Element {
  const texts = walletTexts().swap;
  const [failure, setFailure] = useState<Error | undefined>(undefined);
  const read = async (file: File | undefined): Promise<void> => {
    setFailure(undefined);
    if (file === undefined) {
      return;
    }
    try {
      if (file.size > FILE_BYTES_MAX) {
        throw new LocalProblem(texts.tooLarge);
      }
      open(await readProposal(account, await file.text(), { isFile: true }));
    } catch (error) {
      setFailure(error as Error);
    }
  };
  return (
    <section class="card write-form" aria-labelledby="swap-open">
      <h2 id="swap-open">{texts.open}</h2>
      <p class="quiet">{texts.openText}</p>
      {failure !== undefined && <Problem error={failure} />}
      <div class="field">
        <label for="proposal-file">{texts.file}</label>
        <input
          id="proposal-file"
          type="file"
          accept=".json,application/json"
          onChange={({ currentTarget }) => void read(currentTarget.files?.[0])}
        />
      </div>
    </section>
  );
}
