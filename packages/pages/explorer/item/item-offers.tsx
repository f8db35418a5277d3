import type { Item, ItemOffer, UnitItem, UnitOffer } from "@moneta/sdk";
import type { JSX } from "preact";
import { moneta } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { AmountText, numberText } from "../../parts/amount-text.tsx";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { ThingLink } from "../../parts/links/thing-link.tsx";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { isUnitItem } from "../../parts/pictures/item-urls.ts";
import { TimeLeft } from "../../parts/time-left.tsx";
import { UntrustedText } from "../../parts/untrusted-text.tsx";
import { inLanguage } from "../../texts/texts.ts";
import { pathWith } from "../listing/path-with.ts";

/** In both languages here, so that only the views of items load them. */
const TEXTS = {
  en: {
    best: "Best offer",
    offers: "Offers to buy",
    none: "There is no open offer to buy it.",
    price: "Price",
    units: "Units",
    for: "For",
    group: "group",
    buyer: "Buyer",
    until: "Open until",
  },
  ko: {
    best: "최고 구매 제안",
    offers: "구매 제안",
    none: "진행 중인 구매 제안이 없습니다.",
    price: "가격",
    units: "수량",
    for: "대상",
    group: "그룹",
    buyer: "구매자",
    until: "종료",
  },
} as const;

type Offer = ItemOffer | UnitOffer;

/** The highest price that is offered in the token that an item is on sale for. Source: offers §7. */
export function BestOffer({ item }: { readonly item: Item | UnitItem }): JSX.Element | null {
  const request = { id: item.id, token: item.sell_token, order: "price", limit: 1 } as const;
  const { value } = useRead(
    `best offer ${item.id} ${item.sell_token}`,
    async (options): Promise<readonly Offer[]> =>
      isUnitItem(item)
        ? (await moneta.mrc402Offers(request, options)).items
        : (await moneta.mrc401Offers(request, options)).items,
    { live: true },
  );
  const [best] = value ?? [];
  return best === undefined ? null : (
    <p>
      <span class="quiet">{inLanguage(TEXTS).best}</span>{" "}
      <AmountText amount={best.price} token={best.token} />
    </p>
  );
}

/** The open offers that an item or its units could meet, the newest first. Source: offers §7. */
export function ItemOffers({ item }: { readonly item: Item | UnitItem }): JSX.Element {
  const words = inLanguage(TEXTS);
  const { id } = item;
  const isUnits = isUnitItem(item);
  return (
    <LedgerList<Offer>
      caption={words.offers}
      path={pathWith(isUnits ? "/mrc402/offers" : "/mrc401/offers", { id })}
      read={(page, options) =>
        isUnits
          ? moneta.mrc402Offers({ id, ...page }, options)
          : moneta.mrc401Offers({ id, ...page }, options)
      }
      keyOf={({ offerid }) => offerid}
      limit={10}
      cursorName="offers"
      live
      empty={words.none}
      columns={[
        {
          head: words.price,
          kind: "main",
          cell: ({ price, token }) => <AmountText amount={price} token={token} />,
        },
        isUnits
          ? {
              head: words.units,
              kind: "number",
              cell: (one) => "remain_amount" in one && numberText(one.remain_amount),
            }
          : { head: words.for, cell: (one) => <Wanted offer={one} /> },
        { head: words.buyer, cell: ({ buyer }) => <AddressLink address={buyer} /> },
        { head: words.until, cell: ({ end }) => <TimeLeft until={end} /> },
      ]}
    />
  );
}

/** The item, or the project of which any item will do, perhaps of one group. */
function Wanted({ offer }: { readonly offer: Offer }): JSX.Element {
  return (
    <>
      <ThingLink id={offer.id} />
      {"groupid" in offer && offer.groupid !== "" && (
        <>
          {" "}
          {inLanguage(TEXTS).group} <UntrustedText text={offer.groupid} max={40} />
        </>
      )}
    </>
  );
}
