import { shortId } from "@moneta/sdk";
import type { ComponentChildren, JSX } from "preact";
import { now } from "../../ledger/node.ts";
import { isOfferOver } from "../../ledger/sale-window.ts";
import { amountText, numberText } from "../../parts/amount-text.tsx";
import { itemName } from "../../parts/links/item-name.tsx";
import { type Actable, type Offer, Places } from "../../parts/links/places.ts";
import { isProject } from "../../parts/links/thing-link.tsx";
import { isUnitItem } from "../../parts/pictures/item-urls.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { actingAccount } from "../accounts/accounts.ts";
import { walletLink } from "../links.ts";
import { itemOnMarket, listingOnMarket, marketAction } from "../operations/on-market.ts";
import { OwnMark } from "../operations/who-link.tsx";
import { ActionLink } from "./action-link.tsx";

/**
 * What the account accepts an offer with, a thing that it holds, though units may be of anybody.
 * With a project, the offer's page has its items to choose from.
 */
type AcceptedWith = (offer: Offer) => string;

/** Links of the explorer's parts lead to the account's operations. */
export function InWallet({
  acceptedWith,
  children,
}: {
  readonly acceptedWith?: AcceptedWith;
  readonly children: ComponentChildren;
}): JSX.Element {
  const address = actingAccount.value?.address ?? "";
  const places: Places = {
    ...walletLink,
    mark: (one) => one === address && <OwnMark />,
    actions: {
      head: walletTexts().operations.actions,
      cell: (thing) => actionOn(thing, address, acceptedWith),
    },
  };
  return <Places.Provider value={places}>{children}</Places.Provider>;
}

function actionOn(thing: Actable, address: string, acceptedWith?: AcceptedWith): ComponentChildren {
  const by = { address, now: now.value };
  if ("offerid" in thing) {
    return <OfferAction offer={thing} own={address} acceptedWith={acceptedWith} />;
  }
  if ("mrc040id" in thing) {
    const { mrc040id: id, status, remainqtt, targettoken, owner } = thing;
    return (
      owner === address &&
      (status === "WAIT" || status === "TRADING") && (
        <ActionLink
          action="cancel-order"
          href={walletLink.order(id, "cancel-order")}
          thing={`${amountText(remainqtt, targettoken)} ${id.slice(-6)}`}
        />
      )
    );
  }
  if ("dexid" in thing) {
    const { side, dexid, seller, buyer, remain_amount: rest } = thing;
    const isOwn = (side === "buy" ? buyer : seller) === address;
    const action = marketAction(listingOnMarket(thing), isOwn, by);
    const name =
      "mrc402" in thing
        ? `${numberText(rest)} ${shortId(thing.mrc402)}`
        : amountText(rest, thing.mrc010);
    return (
      action && <ActionLink action={action} href={walletLink.listing(dexid, action)} thing={name} />
    );
  }
  if (isUnitItem(thing) || thing.transferable === "Bound") {
    return null;
  }
  const action = marketAction(itemOnMarket(thing), thing.holder === address, by);
  return (
    action && (
      <ActionLink
        action={action}
        href={walletLink.item(thing.id, action)}
        thing={itemName(thing)}
      />
    )
  );
}

export function OfferAction({
  offer,
  own,
  acceptedWith,
}: {
  readonly offer: Offer;
  readonly own: string;
  readonly acceptedWith: AcceptedWith | undefined;
}): JSX.Element | null {
  const { offerid, buyer, id, price, token } = offer;
  const isOver = isOfferOver(offer, now.value);
  const action =
    buyer === own
      ? isOver
        ? "finish-offer"
        : "withdraw-offer"
      : acceptedWith !== undefined && !isOver
        ? "accept-offer"
        : undefined;
  const held = action === "accept-offer" ? acceptedWith?.(offer) : undefined;
  const href =
    held !== undefined && isProject(held)
      ? walletLink.offer(offerid)
      : walletLink.offer(offerid, action, held === id ? undefined : held);
  return action === undefined ? null : (
    <ActionLink
      action={action}
      href={href}
      thing={`${amountText(price, token)} ${shortId(offerid)}`}
    />
  );
}
