import type { JSX } from "preact";
import { TokenLink } from "../../parts/links/token-link.tsx";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { listOf } from "../../parts/lists/list-of.ts";
import { t } from "../../texts/texts.ts";
import { OrderList } from "../order/order-list.tsx";
import { OrderTradeList } from "../order/order-trade-list.tsx";

export function AddressOrders({ address }: { readonly address: string }): JSX.Element {
  const texts = t().explorer.order;
  return (
    <>
      <PendingList address={address} />
      <OrderList of={{ owner: address }} caption={texts.ofAddress} />
      <OrderTradeList of={{ address }} caption={texts.tradesOfAddress} cursorName="trades" />
    </>
  );
}

/** Amounts in waiting orders, which no balance includes; live. */
export function PendingList({ address }: { readonly address: string }): JSX.Element {
  const texts = t().explorer.order;
  return (
    <LedgerList
      caption={texts.pending}
      {...listOf("pendingOrders", { address })}
      cursorName="pending"
      empty={texts.nothingPending}
      columns={[
        {
          head: t().explorer.address.token,
          kind: "main",
          cell: ({ token }) => <TokenLink token={token} />,
        },
        { head: texts.held, amount: ({ token, pending }) => [pending, token] },
        { head: texts.orders, count: ({ orders }) => orders },
      ]}
    />
  );
}
