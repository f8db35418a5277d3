import type { OrderTradesRequest } from "@moneta/sdk";
import type { JSX } from "preact";
import { AddressLink, IdLink } from "../../parts/links/address-link.tsx";
import { TransactionLink } from "../../parts/links/transaction-link.tsx";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { listOf } from "../../parts/lists/list-of.ts";
import { TimeText } from "../../parts/time-text.tsx";
import { t } from "../../texts/texts.ts";
import { link } from "../links.ts";
import { SideBadge } from "./order-badge.tsx";
import { PairLink } from "./pair-link.tsx";

export function OrderTradeList({
  of,
  caption,
  cursorName,
}: {
  readonly of: Pick<OrderTradesRequest, "basetoken" | "targettoken" | "address" | "mrc040id">;
  readonly caption: string;
  readonly cursorName: string;
}): JSX.Element {
  const texts = t().explorer.order;
  return (
    <LedgerList
      caption={caption}
      {...listOf("orderTrades", of)}
      cursorName={cursorName}
      empty={texts.noTrades}
      columns={[
        {
          head: t().explorer.token.time,
          kind: "main",
          cell: ({ id, transaction_id, timestamp }) => (
            <>
              <TimeText time={timestamp} /> <TransactionLink id={transaction_id} name={id} />
            </>
          ),
        },
        {
          // The taker's side, with the maker's order.
          head: texts.taker,
          cell: ({ side, requester }) => (
            <span>
              <SideBadge side={side} /> <AddressLink address={requester} />
            </span>
          ),
        },
        of.targettoken === undefined &&
          of.mrc040id === undefined && {
            head: texts.pair,
            cell: (trade) => <PairLink pair={trade} />,
          },
        { head: texts.quantity, amount: ({ qtt, targettoken }) => [qtt, targettoken] },
        { head: texts.price, amount: ({ price, basetoken }) => [price, basetoken] },
        { head: texts.cost, amount: ({ amount, basetoken }) => [amount, basetoken] },
        of.mrc040id === undefined && {
          head: texts.order,
          cell: ({ mrc040id: id }) => <IdLink id={id} href={link.order(id)} />,
        },
        of.mrc040id === undefined && { head: texts.maker, address: ({ owner }) => owner },
      ]}
    />
  );
}
