import type { BalanceEntry } from "@moneta/sdk";
import type { JSX } from "preact";
import { readBalances } from "../../ledger/balances.ts";
import { now } from "../../ledger/node.ts";
import { AmountText } from "../../parts/amount-text.tsx";
import { TokenLink } from "../../parts/links/token-link.tsx";
import { EntryTable } from "../../parts/lists/entry-table.tsx";
import { LedgerList, type ListFrame } from "../../parts/lists/ledger-list.tsx";
import { TimeFilter } from "../../parts/lists/time-filter.tsx";
import { useQuery } from "../../parts/use-query.ts";
import { t } from "../../texts/texts.ts";
import { CheckState } from "../proof/check-state.tsx";
import { LockTimeLine } from "./lock-time-line.tsx";
import { balancesByToken, type TokenBalance } from "./token-balance.ts";

const LIMIT = 100;
const CURSOR = "balances";

/** The newest, or those at the time in the URL. */
export function BalancesAtTime({ address }: { readonly address: string }): JSX.Element {
  const { query } = useQuery();
  return (
    <BalanceList
      address={address}
      at={query["at"]}
      choices={
        <TimeFilter
          name="at"
          label={t().explorer.address.at}
          cursorName={CURSOR}
          max={Math.floor(now.value)}
        />
      }
    />
  );
}

/** `at` is Unix seconds. */
export function BalanceList({
  address,
  at,
  proof = ({ token }) => (
    <CheckState
      read="balanceOfToken"
      params={{ address, token, ...(at !== undefined && { at }) }}
    />
  ),
  ...frame
}: ListFrame & {
  readonly address: string;
  readonly at?: string | undefined;
  readonly proof?: (balance: TokenBalance) => JSX.Element;
}): JSX.Element {
  const texts = t().explorer.address;
  return (
    <LedgerList<BalanceEntry>
      caption={texts.balances}
      path={`/balance/${address}${at === undefined ? "" : `?at=${encodeURIComponent(at)}`}`}
      read={(page, options) => readBalances({ address, at, ...page }, options)}
      live={at === undefined}
      keyOf={({ token, unlockdate }) => `${token} ${unlockdate}`}
      limit={LIMIT}
      cursorName={CURSOR}
      empty={texts.noBalances}
      show={(entries, fresh) => (
        <Balances
          entries={entries}
          time={at === undefined ? now.value : Number(at)}
          fresh={fresh}
          proof={proof}
        />
      )}
      {...frame}
    />
  );
}

function Balances({
  entries,
  time,
  fresh,
  proof,
}: {
  readonly entries: readonly BalanceEntry[];
  readonly time: number;
  readonly fresh: ReadonlySet<string>;
  readonly proof: (balance: TokenBalance) => JSX.Element;
}): JSX.Element {
  const texts = t().explorer.address;
  const tokens = balancesByToken(entries, time);
  const hasLocks = tokens.some(({ locks }) => locks.length > 0);
  const amount = (token: string, value: bigint): JSX.Element => (
    <AmountText amount={value} token={token} />
  );
  return (
    <>
      <EntryTable<TokenBalance>
        caption={texts.balances}
        entries={tokens}
        keyOf={({ token }) => token}
        fresh={new Set([...fresh].map((key) => key.split(" ")[0] ?? ""))}
        columns={[
          { head: texts.token, kind: "main", cell: ({ token }) => <TokenLink token={token} /> },
          { head: texts.free, kind: "number", cell: ({ token, free }) => amount(token, free) },
          ...(hasLocks
            ? [
                {
                  head: texts.locked,
                  kind: "number" as const,
                  cell: ({ token, locked }: TokenBalance) => locked > 0n && amount(token, locked),
                },
                {
                  head: texts.sum,
                  kind: "number" as const,
                  cell: ({ token, free, locked }: TokenBalance) => amount(token, free + locked),
                },
              ]
            : []),
          {
            head: t().explorer.proof.title,
            kind: "short",
            cell: proof,
          },
        ]}
      />
      {hasLocks && <LockTimeLine tokens={tokens} begin={time} />}
    </>
  );
}
