import type { BalanceEntry } from "@moneta/sdk";
import type { JSX } from "preact";
import { readBalances } from "../../ledger/balances.ts";
import { now } from "../../ledger/node.ts";
import { AmountText } from "../../parts/amount-text.tsx";
import { TokenLink } from "../../parts/links/token-link.tsx";
import { EntryTable } from "../../parts/lists/entry-table.tsx";
import { LedgerList, type ListFrame } from "../../parts/lists/ledger-list.tsx";
import { t } from "../../texts/texts.ts";
import { CheckState } from "../proof/check-state.tsx";
import { LockTimeLine } from "./lock-time-line.tsx";
import { balancesByToken, type TokenBalance } from "./token-balance.ts";

const LIMIT = 100;

export function BalanceList({
  address,
  proof = ({ token }) => <CheckState read="balanceOfToken" params={{ address, token }} />,
  ...frame
}: ListFrame & {
  readonly address: string;
  readonly proof?: (balance: TokenBalance) => JSX.Element;
}): JSX.Element {
  const texts = t().explorer.address;
  return (
    <LedgerList<BalanceEntry>
      caption={texts.balances}
      path={`/balance/${address}`}
      read={(page, options) => readBalances({ address, ...page }, options)}
      keyOf={({ token, unlockdate }) => `${token} ${unlockdate}`}
      limit={LIMIT}
      cursorName="balances"
      empty={texts.noBalances}
      show={(entries, fresh) => <Balances entries={entries} fresh={fresh} proof={proof} />}
      {...frame}
    />
  );
}

function Balances({
  entries,
  fresh,
  proof,
}: {
  readonly entries: readonly BalanceEntry[];
  readonly fresh: ReadonlySet<string>;
  readonly proof: (balance: TokenBalance) => JSX.Element;
}): JSX.Element {
  const texts = t().explorer.address;
  const tokens = balancesByToken(entries, now.value);
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
      {hasLocks && <LockTimeLine tokens={tokens} />}
    </>
  );
}
