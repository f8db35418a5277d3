import type { Proposal } from "@moneta/sdk";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { View } from "../../frame/view.tsx";
import { Problem } from "../../parts/problem.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import type { OpenAccount } from "../accounts/account.ts";
import { actingAccount } from "../accounts/accounts.ts";
import { useFormState } from "../fields/form-state.ts";
import { walletLink } from "../links.ts";
import { proposed } from "../writes/proposed.ts";
import { OpenProposal } from "./open-proposal.tsx";
import { ProposalCard } from "./proposal-card.tsx";
import { proposalLink, readProposal } from "./proposal-link.ts";
import { type Draft, NOTHING_FILLED, ONE_OF_EACH, ProposeForm } from "./propose-form.tsx";
import "./swap.css";

/** Swaps, and other operations of several keys. Source: explorer §3, batches §2, authority §2.3. */
export function SwapView(): JSX.Element {
  const texts = walletTexts().swap;
  const account = actingAccount.value;
  return (
    <View title={texts.name}>
      <p class="quiet">{texts.about}</p>
      {account !== undefined && <Proposals account={account} />}
    </View>
  );
}

function Proposals({ account }: { readonly account: OpenAccount }): JSX.Element {
  const { query } = useLocation();
  const linked = query["proposal"];
  const [proposal, setProposal] = useState<Proposal | undefined>(undefined);
  const [failure, setFailure] = useState<Error | undefined>(undefined);
  const shown = useRef<HTMLDivElement>(null);
  const form = useFormState(NOTHING_FILLED);
  const [counts, setCounts] = useState<Draft["counts"]>(ONE_OF_EACH);

  // In the URL, so that a reload loses no signature.
  const show = (next: Proposal | undefined): void => {
    setFailure(undefined);
    setProposal(next);
    history.replaceState(null, "", (next && proposalLink(next)) ?? walletLink.swap());
  };
  useEffect(() => {
    if (linked !== undefined) {
      readProposal(account, linked).then(setProposal, setFailure);
    }
  }, [linked, account.ledgerId]);
  const handed = proposed.value;
  useEffect(() => {
    if (handed !== undefined) {
      proposed.value = undefined;
      show(handed);
    }
  }, [handed]);
  // Screen readers continue there.
  useEffect(() => shown.current?.querySelector<HTMLElement>("h2")?.focus(), [proposal?.id]);

  return proposal === undefined ? (
    <>
      {failure !== undefined && <Problem error={failure} />}
      <ProposeForm
        key={account.id}
        account={account}
        draft={{ form, counts }}
        setCounts={setCounts}
        propose={show}
      />
      <OpenProposal key={`open ${account.id}`} account={account} open={show} />
    </>
  ) : (
    <div ref={shown}>
      <ProposalCard
        key={proposal.id}
        proposal={proposal}
        account={account}
        change={show}
        close={(isDone) => {
          if (isDone) {
            form.reset();
            setCounts(ONE_OF_EACH);
          }
          show(undefined);
        }}
      />
    </div>
  );
}
