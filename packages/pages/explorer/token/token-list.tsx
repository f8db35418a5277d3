import type { ListedToken } from "@moneta/sdk";
import type { JSX } from "preact";
import { noted } from "../../ledger/tokens.ts";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { TokenLink } from "../../parts/links/token-link.tsx";
import { LedgerList, type ListFrame } from "../../parts/lists/ledger-list.tsx";
import { listOf } from "../../parts/lists/list-of.ts";
import { Picture } from "../../parts/pictures/picture.tsx";
import { UntrustedName } from "../../parts/untrusted-text.tsx";
import { t } from "../../texts/texts.ts";
import { LastPrice } from "./last-price.tsx";

export function TokenList({
  filters,
  ...frame
}: ListFrame & {
  readonly filters: { readonly owner?: string; readonly symbol?: string };
}): JSX.Element {
  const source = listOf("tokens", filters);
  const texts = t().explorer.token;
  return (
    <LedgerList
      caption={texts.tokens}
      {...source}
      read={async (page, options) => {
        const { items, ...more } = await source.read(page, options);
        return { items: items.map(noted), ...more };
      }}
      empty={texts.noTokens}
      columns={[
        {
          head: texts.symbol,
          kind: "main",
          cell: ({ id, name, image }) => (
            <span class="with-picture">
              <Picture url={image} name={name} seed={`token ${id}`} size="thumb" />
              <TokenLink token={id} />
            </span>
          ),
        },
        { head: texts.name, cell: ({ name }) => <UntrustedName name={name} max={60} /> },
        { head: texts.lastPrice, kind: "number", cell: (token) => <LastPrice token={token} /> },
        {
          head: texts.dayVolume,
          amount: ({ id, day_volume: volume }) => volume > 0n && [volume, id],
        },
        { head: texts.holders, count: ({ holders }) => holders },
        {
          head: texts.supply,
          amount: ({ id, totalsupply, burnningamount }) => [totalsupply - burnningamount, id],
        },
        filters.owner === undefined && {
          head: texts.owner,
          cell: ({ owner }: ListedToken) =>
            owner === "" ? texts.nobody : <AddressLink address={owner} />,
        },
        { head: texts.created, time: ({ createdate }) => createdate },
      ]}
      {...frame}
    />
  );
}
