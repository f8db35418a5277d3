import type { Item, UnitItem } from "@moneta/sdk";
import type { JSX } from "preact";
import { moneta } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { AmountText } from "../../parts/amount-text.tsx";
import { type Offer, usePlaces } from "../../parts/links/places.ts";
import { isUnitItem } from "../../parts/pictures/item-urls.ts";
import { inLanguage } from "../../texts/texts.ts";
import { OfferList } from "../offer/offer-list.tsx";

/** Here, so that only the views of items load them. */
const TEXTS = {
  en: { best: "Best offer", offers: "Offers to buy" },
  ko: { best: "최고 구매 제안", offers: "구매 제안" },
} as const;

/** In the token of the sale. Source: offers §7. */
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
  const places = usePlaces();
  return best === undefined ? null : (
    <p>
      <a class="quiet" href={places.offer(best.offerid)}>
        {inLanguage(TEXTS).best}
      </a>{" "}
      <AmountText amount={best.price} token={best.token} />
    </p>
  );
}

/** For an item, or any item of a project. Source: offers §7. */
export function ItemOffers({
  id,
  ofUnits = false,
}: {
  readonly id: string;
  readonly ofUnits?: boolean;
}): JSX.Element {
  return (
    <OfferList
      units={ofUnits}
      filters={{ id }}
      caption={inLanguage(TEXTS).offers}
      cursorName="offers"
    />
  );
}
