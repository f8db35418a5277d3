import type { Item, ItemOffer, UnitItem } from "@moneta/sdk";
import type { JSX } from "preact";
import { ItemOffers } from "../../explorer/item/item-offers.tsx";
import { OfferAbout } from "../../explorer/offer/offer-about.tsx";
import { Facts } from "../../parts/facts.tsx";
import { itemName } from "../../parts/links/item-name.tsx";
import { ThingLink } from "../../parts/links/thing-link.tsx";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { listOf } from "../../parts/lists/list-of.ts";
import { ownerFact } from "../../parts/owner-powers.tsx";
import { isUnitItem } from "../../parts/pictures/item-urls.ts";
import { policyFact } from "../../parts/policy-facts.tsx";
import { inLanguage } from "../../texts/texts.ts";
import { walletTexts } from "../../texts/wallet-texts.ts";
import { walletLink } from "../links.ts";
import type { Subjects } from "../operations/subject.ts";
import { ActionLink } from "./action-link.tsx";
import { InWallet } from "./in-wallet.tsx";

/** Here, so that only things with offers load them. */
const TEXTS = {
  en: {
    choose: "Accept it with one of your items",
    noItems: "You hold no item of this project.",
    item: "Item",
  },
  ko: {
    choose: "내 아이템으로 수락하기",
    noItems: "이 프로젝트의 아이템을 가지고 있지 않습니다.",
    item: "아이템",
  },
} as const;

export function OfferFacts({
  subject,
  own,
  isBeside,
}: {
  readonly subject: Subjects["itemOffer"] | Subjects["unitOffer"];
  readonly own: string;
  readonly isBeside: boolean;
}): JSX.Element {
  const { offer, item, project } = subject;
  const isForAny = subject.kind === "itemOffer" && item === undefined;
  return (
    <>
      <OfferAbout offer={offer} />
      <Facts
        facts={
          item === undefined
            ? [policyFact({ policy: project?.policy ?? {} })]
            : [ownerFact(item), policyFact(item)]
        }
      />
      {!isBeside && isForAny && offer.state === "open" && offer.buyer !== own && (
        <OwnItems offer={subject.offer} own={own} />
      )}
    </>
  );
}

function OwnItems({ offer, own }: { readonly offer: ItemOffer; readonly own: string }) {
  const words = inLanguage(TEXTS);
  return (
    <LedgerList
      caption={words.choose}
      {...listOf("mrc401Items", { owner: own, mrc400id: offer.id, groupid: offer.groupid })}
      limit={10}
      cursorName="own"
      empty={words.noItems}
      columns={[
        {
          head: words.item,
          kind: "main",
          cell: (item) => <ThingLink id={item.id} name={itemName(item)} />,
        },
        {
          head: walletTexts().operations.actions,
          cell: (item) => (
            <ActionLink
              action="accept-offer"
              href={walletLink.offer(offer.offerid, "accept-offer", item.id)}
              thing={itemName(item)}
            />
          ),
        },
      ]}
    />
  );
}

/** To accept or withdraw. Source: offers §7. */
export function OffersFor({
  item,
  own,
}: {
  readonly item: Item | UnitItem;
  readonly own: string;
}): JSX.Element {
  const isSeller = isUnitItem(item) || item.holder === own;
  return (
    <InWallet {...(isSeller && { acceptedWith: () => item.id })}>
      <ItemOffers id={item.id} ofUnits={isUnitItem(item)} />
    </InWallet>
  );
}
