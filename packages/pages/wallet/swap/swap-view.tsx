import type { Group } from "@moneta/sdk";
import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { View } from "../../frame/view.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { actingAccount } from "../accounts/accounts.ts";
import { GroupCard } from "./group-card.tsx";
import { OpenGroup } from "./open-group.tsx";
import { ProposeForm } from "./propose-form.tsx";
import "./swap.css";

/**
 * Swaps, and other operations that are done together or not at all: proposes one, and looks at one
 * that somebody sent, signs it and has it done. Source: explorer §3, batches §2.
 */
export function SwapView(): JSX.Element {
  const texts = walletTexts().swap;
  const account = actingAccount.value;
  const [group, setGroup] = useState<Group | undefined>(undefined);
  const shown = useRef<HTMLDivElement>(null);
  // What is shown in the place of the forms is read next.
  useEffect(() => shown.current?.querySelector<HTMLElement>("h2")?.focus(), [group?.id]);
  return (
    <View title={texts.name}>
      <p class="quiet">{texts.about}</p>
      {account !== undefined && group === undefined && (
        <>
          <ProposeForm key={account.id} account={account} propose={setGroup} />
          <OpenGroup key={`open ${account.id}`} account={account} open={setGroup} />
        </>
      )}
      {account !== undefined && group !== undefined && (
        <div ref={shown}>
          <GroupCard
            key={group.id}
            group={group}
            account={account}
            change={setGroup}
            close={() => setGroup(undefined)}
          />
        </div>
      )}
    </View>
  );
}
