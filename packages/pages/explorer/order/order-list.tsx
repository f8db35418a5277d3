import type { Order, OrdersRequest } from "@moneta/sdk";
import type { JSX } from "preact";
import { IdLink } from "../../parts/links/address-link.tsx";
import { useActions, usePlaces } from "../../parts/links/places.ts";
import { Choice } from "../../parts/lists/choice.tsx";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { listOf } from "../../parts/lists/list-of.ts";
import { useQuery } from "../../parts/use-query.ts";
import { t } from "../../texts/texts.ts";
import { SideBadge, StatusBadge } from "./order-badge.tsx";
import { PairLink } from "./pair-link.tsx";

const STATES = ["open", "all", "complete", "cancel"] as const;

export function OrderList({
  of,
  caption,
  cursorName = "cursor",
  stateName = "state",
  noneOpen = t().explorer.order.none,
}: {
  readonly of: Pick<OrdersRequest, "owner" | "basetoken" | "targettoken">;
  readonly caption: string;
  readonly cursorName?: string;
  readonly stateName?: string;
  readonly noneOpen?: string;
}): JSX.Element {
  const texts = t().explorer.order;
  const { query } = useQuery();
  const state = STATES.find((one) => one === query[stateName]) ?? "open";
  const places = usePlaces();
  return (
    <LedgerList
      caption={caption}
      {...listOf("orders", { ...of, state })}
      cursorName={cursorName}
      empty={state === "open" ? noneOpen : texts.none}
      choices={
        <Choice
          name={stateName}
          cursorName={cursorName}
          label={texts.state}
          options={STATES.map((one) => [one, texts.filters[one]])}
        />
      }
      columns={[
        {
          head: texts.order,
          kind: "main",
          cell: ({ side, status, mrc040id }) => (
            <span>
              <SideBadge side={side} /> <IdLink id={mrc040id} href={places.order(mrc040id)} />{" "}
              <StatusBadge status={status} />
            </span>
          ),
        },
        of.targettoken === undefined && {
          head: texts.pair,
          cell: (order: Order) => <PairLink pair={order} />,
        },
        { head: texts.price, amount: ({ price, basetoken }) => [price, basetoken] },
        { head: texts.remaining, amount: ({ remainqtt, targettoken }) => [remainqtt, targettoken] },
        { head: texts.held, amount: (order) => [order.held, heldTokenOf(order)] },
        of.owner === undefined && { head: texts.owner, address: ({ owner }: Order) => owner },
        { head: texts.registered, time: ({ regdate }) => regdate },
        ...useActions(),
      ]}
    />
  );
}

/** Source: protocols §9.4 */
export function heldTokenOf({
  side,
  basetoken,
  targettoken,
}: Pick<Order, "side" | "basetoken" | "targettoken">): string {
  return side === "SELL" ? targettoken : basetoken;
}
