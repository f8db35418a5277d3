import type { Proposal } from "@moneta/sdk";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { View } from "../../frame/view.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { actingAccount } from "../accounts/accounts.ts";
import { OpenProposal } from "./open-proposal.tsx";
import { ProposalCard } from "./proposal-card.tsx";
import { ProposeForm } from "./propose-form.tsx";
import "./swap.css";

/**
 * Swaps, and other operations that are done together or not at all: proposes one, and looks at one
 * that somebody sent, signs it and has it done. Source: explorer §3, batches §2.
 */
export function SwapView(): JSX.Element {
  const texts = walletTexts().swap;
  const account = actingAccount.value;
  const [proposal, setProposal] = useState<Proposal | undefined>(undefined);
  const shown = useRef<HTMLDivElement>(null);
  // What is shown in the place of the forms is read next.
  useEffect(() => shown.current?.querySelector<HTMLElement>("h2")?.focus(), [proposal?.id]);
  return (
    <View title={texts.name}>
      <p class="quiet">{texts.about}</p>
      {account !== undefined && proposal === undefined && (
        <>
          <ProposeForm key={account.id} account={account} propose={setProposal} />
          <OpenProposal key={`open ${account.id}`} account={account} open={setProposal} />
        </>
      )}
      {account !== undefined && proposal !== undefined && (
        <div ref={shown}>
          <ProposalCard
            key={proposal.id}
            proposal={proposal}
            account={account}
            change={setProposal}
            close={() => setProposal(undefined)}
          />
        </div>
      )}
    </View>
  );
}
