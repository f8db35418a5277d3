import type { OwnedItem, UnitItem } from "@moneta/sdk";
import type { JSX } from "preact";
import { numberText } from "../../parts/amount-text.tsx";
import { LedgerList, type ListFrame } from "../../parts/lists/ledger-list.tsx";
import { listOf } from "../../parts/lists/list-of.ts";
import { isUnitItem } from "../../parts/pictures/item-urls.ts";
import { PicturesSetting } from "../../parts/pictures/pictures-setting.tsx";
import { Gallery } from "../../parts/pictures/thing-card.tsx";
import { ShareBar } from "../../parts/share-bar.tsx";
import { t } from "../../texts/texts.ts";
import { ItemCard } from "../item/item-card.tsx";

const LIMIT = 24;

export function OwnedItemList({
  address,
  kind,
  ...frame
}: ListFrame & {
  readonly address: string;
  readonly kind: "mrc401" | "mrc402";
}): JSX.Element {
  const texts = t().explorer.address;
  return (
    <>
      <LedgerList
        caption={texts.items}
        {...listOf("addressItems", { address, view: "full", kind })}
        limit={LIMIT}
        empty={texts.noItems}
        show={(items, fresh) => (
          <Gallery label={frame.caption ?? texts.items}>
            {items.map(
              (owned) =>
                owned.record !== undefined && (
                  <ItemCard key={owned.id} item={owned.record} isFresh={fresh.has(owned.id)}>
                    {isUnitItem(owned.record) && <Units of={owned} item={owned.record} />}
                  </ItemCard>
                ),
            )}
          </Gallery>
        )}
        {...frame}
      />
      <PicturesSetting />
    </>
  );
}

function Units({
  of: { balance = 0n, saleamount = 0n, auctionamount = 0n },
  item: { totalsupply, meltedamount },
}: {
  readonly of: OwnedItem;
  readonly item: UnitItem;
}): JSX.Element {
  return (
    <>
      <span class="quiet small">
        {t().explorer.address.ofUnits(
          numberText(balance),
          numberText(saleamount),
          numberText(auctionamount),
        )}
      </span>
      <ShareBar part={balance + saleamount + auctionamount} whole={totalsupply - meltedamount} />
    </>
  );
}
