import type { OwnedItem } from "@moneta/sdk";
import type { JSX } from "preact";
import { numberText } from "../../parts/amount-text.tsx";
import { ItemName } from "../../parts/links/item-name.tsx";
import { LedgerList, type ListFrame } from "../../parts/lists/ledger-list.tsx";
import { listOf } from "../../parts/lists/list-of.ts";
import { ItemPicture } from "../../parts/pictures/item-picture.tsx";
import { isUnitItem } from "../../parts/pictures/item-urls.ts";
import { PicturesSetting } from "../../parts/pictures/pictures-setting.tsx";
import { Gallery } from "../../parts/pictures/thing-card.tsx";
import { ShareBar } from "../../parts/share-bar.tsx";
import { t } from "../../texts/texts.ts";
import { ItemCard } from "../item/item-card.tsx";
import { link } from "../links.ts";

const LIMIT = 24;

/** Units of an item that an address has: free, on sale, on auction. */
const unitsIn = ({ balance = 0n, saleamount = 0n, auctionamount = 0n }: OwnedItem): bigint =>
  balance + saleamount + auctionamount;

/** Items of an address, or those that it has units of, as a gallery; live. */
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
                    {isUnitItem(owned.record) && <Units owned={owned} />}
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
  owned: { balance = 0n, saleamount = 0n, auctionamount = 0n },
}: {
  readonly owned: OwnedItem;
}): JSX.Element {
  return (
    <span class="quiet small">
      {t().explorer.address.ofUnits(
        numberText(balance),
        numberText(saleamount),
        numberText(auctionamount),
      )}
    </span>
  );
}

/** The units that an address has, by item; live. */
export function HoldingList({ address }: { readonly address: string }): JSX.Element {
  const texts = t().explorer.address;
  return (
    <LedgerList
      caption={texts.holdings}
      {...listOf("addressItems", { address, kind: "mrc402", view: "full" })}
      empty={texts.noHoldings}
      columns={[
        {
          head: texts.item,
          kind: "main",
          cell: ({ id, record }) =>
            record !== undefined && (
              <span class="with-picture">
                <ItemPicture item={record} size="thumb" />
                <a href={link.item(id)}>
                  <ItemName item={record} />
                </a>
              </span>
            ),
        },
        { head: texts.freeUnits, count: ({ balance = 0n }) => balance },
        { head: texts.onSale, count: ({ saleamount = 0n }) => saleamount },
        { head: texts.onAuction, count: ({ auctionamount = 0n }) => auctionamount },
        {
          head: t().explorer.item.share,
          kind: "number",
          cell: (owned) =>
            owned.record !== undefined &&
            isUnitItem(owned.record) && (
              <ShareBar
                part={unitsIn(owned)}
                whole={owned.record.totalsupply - owned.record.meltedamount}
              />
            ),
        },
      ]}
    />
  );
}
