import type { JSX } from "preact";
import { PendingList } from "../../explorer/address/address-orders.tsx";
import { OrderList } from "../../explorer/order/order-list.tsx";
import type { Pair } from "../../explorer/order/pair.ts";
import { amountText } from "../../parts/amount-text.tsx";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { walletLink } from "../links.ts";
import { ActionLink } from "./action-link.tsx";

/** The orders of the account, of all pairs, with what they hold. Source: explorer §3 */
export function AllOwnOrders({ address }: { readonly address: string }): JSX.Element {
  return (
    <>
      <PendingList address={address} />
      <OwnOrders address={address} />
    </>
  );
}

/** The orders of the account, of one pair or of all, each with a way to cancel it. */
export function OwnOrders({
  address,
  pair = {},
}: {
  readonly address: string;
  readonly pair?: Partial<Pair>;
}): JSX.Element {
  return (
    <OrderList
      of={{ owner: address, ...pair }}
      caption={walletTexts().things.orders.own}
      hrefOf={walletLink.order}
      pairHref={walletLink.pair}
      more={[
        {
          head: walletTexts().operations.actions,
          cell: ({ mrc040id, status, remainqtt, targettoken }) =>
            (status === "WAIT" || status === "TRADING") && (
              <ActionLink
                action="cancel-order"
                href={walletLink.order(mrc040id, "cancel-order")}
                thing={`${amountText(remainqtt, targettoken)} ${mrc040id.slice(-6)}`}
              />
            ),
        },
      ]}
    />
  );
}
