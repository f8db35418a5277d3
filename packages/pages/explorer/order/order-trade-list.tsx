import type { OrderTrade, OrderTradesRequest } from "@moneta/sdk";
import type { JSX } from "preact";
import { moneta } from "../../ledger/node.ts";
import { AddressLink, IdLink } from "../../parts/links/address-link.tsx";
import { TransactionLink } from "../../parts/links/transaction-link.tsx";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { pathWith } from "../../parts/lists/path-with.ts";
import { TimeText } from "../../parts/time-text.tsx";
import { t } from "../../texts/texts.ts";
import { link } from "../links.ts";
import { SideBadge } from "./order-badge.tsx";
import { PairLink } from "./pair-link.tsx";

/** Trades of a pair, an order or an address, the newest first; live. */
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
    <LedgerList<OrderTrade>
      caption={caption}
      path={pathWith("/mrc040/trades", of)}
      read={(page, options) => moneta.orderTrades({ ...of, ...page }, options)}
      keyOf={({ id }) => id}
      cursorName={cursorName}
      live
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
          // What who came did, with the order of the other.
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
            cell: (trade: OrderTrade) => <PairLink pair={trade} />,
          },
        { head: texts.quantity, amount: ({ qtt, targettoken }) => [qtt, targettoken] },
        { head: texts.price, amount: ({ price, basetoken }) => [price, basetoken] },
        { head: texts.cost, amount: ({ amount, basetoken }) => [amount, basetoken] },
        ...(of.mrc040id === undefined
          ? [
              {
                head: texts.order,
                cell: ({ mrc040id }: OrderTrade) => (
                  <IdLink id={mrc040id} href={link.order(mrc040id)} />
                ),
              },
              { head: texts.owner, address: ({ owner }: OrderTrade) => owner },
            ]
          : []),
      ]}
    />
  );
}
