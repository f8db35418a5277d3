import type { JSX } from "preact";
import { PendingList } from "../../explorer/address/address-orders.tsx";
import { link } from "../../explorer/links.ts";
import { OrderList } from "../../explorer/order/order-list.tsx";
import type { Pair } from "../../explorer/order/pair.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";

/** With their escrow. Source: explorer §3 */
export function AllOwnOrders({ address }: { readonly address: string }): JSX.Element {
  return (
    <>
      <PendingList address={address} />
      <OwnOrders address={address} />
      <p>
        <a href={`${link.market()}?tab=orders`}>{walletTexts().operations.buttons.order}</a>
      </p>
    </>
  );
}

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
      caption={walletTexts().things.market.tabs.orders}
      noneOpen={walletTexts().things.market.noOrders}
    />
  );
}
