import type { ListedToken } from "@moneta/sdk";
import type { JSX } from "preact";
import { moneta } from "../../ledger/node.ts";
import { noted } from "../../ledger/tokens.ts";
import { AmountText, numberText } from "../../parts/amount-text.tsx";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { TokenLink } from "../../parts/links/token-link.tsx";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { Picture } from "../../parts/pictures/picture.tsx";
import { TimeText } from "../../parts/time-text.tsx";
import { UntrustedName } from "../../parts/untrusted-text.tsx";
import { t } from "../../texts/texts.ts";
import { pathWith } from "../listing/path-with.ts";
import { LastPrice } from "./last-price.tsx";

/** Tokens, the newest first, live. */
export function TokenList({
  filters,
  choices,
  cursorName = "cursor",
}: {
  readonly filters: { readonly owner?: string; readonly symbol?: string };
  readonly choices?: JSX.Element;
  readonly cursorName?: string;
}): JSX.Element {
  const texts = t().explorer.token;
  return (
    <LedgerList<ListedToken>
      caption={texts.tokens}
      path={pathWith("/tokens", filters)}
      read={async (page, options) => {
        const { items, ...more } = await moneta.tokens({ ...filters, ...page }, options);
        return { items: items.map(noted), ...more };
      }}
      keyOf={({ id }) => id}
      cursorName={cursorName}
      live
      empty={texts.noTokens}
      filters={choices}
      columns={[
        {
          head: texts.symbol,
          kind: "main",
          cell: ({ id, name }) => (
            <span class="with-picture">
              <Picture url="" name={name} seed={`token ${id}`} size="thumb" />
              <TokenLink token={id} />
            </span>
          ),
        },
        { head: texts.name, cell: ({ name }) => <UntrustedName name={name} max={60} /> },
        { head: texts.lastPrice, kind: "number", cell: (token) => <LastPrice token={token} /> },
        {
          head: texts.dayVolume,
          kind: "number",
          cell: ({ id, day_volume: volume }) =>
            volume > 0n && <AmountText amount={volume} token={id} />,
        },
        { head: texts.holders, kind: "number", cell: ({ holders }) => numberText(holders) },
        {
          head: texts.supply,
          kind: "number",
          cell: ({ id, totalsupply, burnningamount }) => (
            <AmountText amount={totalsupply - burnningamount} token={id} />
          ),
        },
        {
          head: texts.owner,
          cell: ({ owner }) => (owner === "" ? texts.nobody : <AddressLink address={owner} />),
        },
        { head: texts.created, cell: ({ createdate }) => <TimeText time={createdate} /> },
      ]}
    />
  );
}
