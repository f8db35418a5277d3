import type { Item, UnitItem } from "@moneta/sdk";
import type { ComponentChildren, JSX } from "preact";
import { projectOf } from "../../ledger/projects.ts";
import { AmountText, numberText } from "../../parts/amount-text.tsx";
import { ItemName, itemName, ShortNumber } from "../../parts/links/item-name.tsx";
import { usePlaces } from "../../parts/links/places.ts";
import { ItemPicture } from "../../parts/pictures/item-picture.tsx";
import { isUnitItem } from "../../parts/pictures/item-urls.ts";
import { ThingCard } from "../../parts/pictures/thing-card.tsx";
import { TimeLeft } from "../../parts/time-left.tsx";
import { UntrustedName } from "../../parts/untrusted-text.tsx";
import { t } from "../../texts/texts.ts";

export function ItemCard({
  item,
  isFresh = false,
  children,
}: {
  readonly item: Item | UnitItem;
  readonly isFresh?: boolean;
  readonly children?: ComponentChildren;
}): JSX.Element {
  const project = projectOf(item.mrc400).value;
  const places = usePlaces();
  return (
    <ThingCard
      href={places.item(item.id)}
      name={<ItemName item={item} />}
      picture={<ItemPicture item={item} />}
      note={
        <>
          {project !== undefined && <UntrustedName name={project.name} max={40} />}{" "}
          <ShortNumber id={item.id} name={itemName(item)} />
        </>
      }
      isFresh={isFresh}
    >
      <ItemState item={item} />
      {children}
      {places.actions?.cell(item)}
    </ThingCard>
  );
}

export function ItemState({ item }: { readonly item: Item | UnitItem }): JSX.Element {
  return isUnitItem(item) ? <UnitItemState item={item} /> : <SingleItemState item={item} />;
}

function SingleItemState({ item }: { readonly item: Item }): JSX.Element {
  const texts = t().explorer.item;
  if (item.melting_date > 0) {
    return <span class="badge">{texts.melted}</span>;
  }
  if (item.sell_date > 0) {
    return (
      <>
        <span class="badge accent">{texts.onSale}</span>{" "}
        <AmountText amount={item.sell_price} token={item.sell_token} />
      </>
    );
  }
  if (item.auction_date > 0) {
    const hasBid = item.auction_current_bidder !== "";
    return (
      <>
        <span class="badge warn">{texts.onAuction}</span>{" "}
        <AmountText
          amount={hasBid ? item.auction_current_price : item.auction_start_price}
          token={item.auction_token}
        />{" "}
        <TimeLeft until={item.auction_end} />
      </>
    );
  }
  return (
    <>
      <span class="badge">{texts.notForSale}</span>
      {item.transferable === "Bound" && <span class="badge">{texts.bound}</span>}
    </>
  );
}

function UnitItemState({ item }: { readonly item: UnitItem }): JSX.Element {
  const texts = t().explorer.item;
  const existing = item.totalsupply - item.meltedamount;
  return (
    <>
      {item.sell_count > 0 ? (
        <>
          <span class="badge accent">{texts.onSale}</span>{" "}
          <AmountText amount={item.sell_price} token={item.sell_token} />
        </>
      ) : item.auction_count > 0 ? (
        <span class="badge warn">{texts.onAuction}</span>
      ) : (
        <span class="badge">{existing === 0n ? texts.ended : texts.notForSale}</span>
      )}{" "}
      <span class="quiet small">
        {t().explorer.records.units(numberText(existing), existing === 1n)}
      </span>
    </>
  );
}
