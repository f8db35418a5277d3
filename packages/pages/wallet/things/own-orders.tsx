import type { JSX } from "preact";
import { PendingList } from "../../explorer/address/address-orders.tsx";
import { OrderList } from "../../explorer/order/order-list.tsx";
import type { Pair } from "../../explorer/order/pair.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";

/** With their escrow. Source: explorer §3 */
export function AllOwnOrders({ address }: { readonly address: string }): JSX.Element {
  return (
    <>
      <PendingList address={address} />
      <OwnOrders address={address} />
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
    <OrderList of={{ owner: address, ...pair }} caption={walletTexts().things.market.tabs.orders} />
  );
}
