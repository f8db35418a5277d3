import type { Seal } from "@moneta/sdk";
import type { JSX } from "preact";
import { ThingLink } from "../../parts/links/thing-link.tsx";
import { Choice } from "../../parts/lists/choice.tsx";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { listOf } from "../../parts/lists/list-of.ts";
import { TimeText } from "../../parts/time-text.tsx";
import { useQuery } from "../../parts/use-query.ts";
import { t } from "../../texts/texts.ts";
import { SealBadge } from "./seal-badge.tsx";

const STATES = ["all", "closed", "open"] as const;

export function SealList({ owner }: { readonly owner?: string }): JSX.Element {
  const texts = t().explorer.seals;
  const { query } = useQuery();
  const state = STATES.find((one) => one === query["state"]) ?? "all";
  return (
    <LedgerList
      caption={owner === undefined ? texts.title : texts.ofAddress}
      {...listOf("seals", { owner, state })}
      empty={texts.none}
      choices={
        <Choice
          name="state"
          label={t().explorer.order.state}
          options={STATES.map((one) => [one, texts.states[one]])}
        />
      }
      columns={[
        {
          head: texts.reference,
          kind: "main",
          cell: (seal) => (
            <span>
              <ThingLink id={seal.id} /> <SealBadge seal={seal} />
            </span>
          ),
        },
        owner === undefined && {
          head: t().explorer.order.owner,
          address: (seal: Seal) => seal.owner,
        },
        { head: texts.created, time: ({ createdate }) => createdate },
        { head: texts.opensFrom, time: ({ opendate }) => opendate },
        {
          head: texts.opened,
          cell: ({ opened }) => (opened > 0 ? <TimeText time={opened} /> : "–"),
        },
      ]}
    />
  );
}
