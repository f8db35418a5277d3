import type { Item, UnitItem } from "@moneta/sdk";
import type { ComponentChildren, JSX } from "preact";
import { ItemState } from "../../explorer/item/item-card.tsx";
import { now } from "../../ledger/node.ts";
import { ItemName, itemName } from "../../parts/links/item-name.tsx";
import { ItemPicture } from "../../parts/pictures/item-picture.tsx";
import { isUnitItem } from "../../parts/pictures/item-urls.ts";
import { Gallery, ThingCard } from "../../parts/pictures/thing-card.tsx";
import { actingAccount } from "../accounts/accounts.ts";
import { walletLink } from "../links.ts";
import { itemOnMarket, marketAction } from "../operations/on-market.ts";
import { ActionLink } from "./action-link.tsx";

/** Items as cards that lead to what can be done with them. */
export function ItemCards<T>({
  label,
  entries,
  itemOf,
  more,
}: {
  readonly label: string;
  readonly entries: readonly T[];
  readonly itemOf: (entry: T) => Item | UnitItem | undefined;
  /** What is shown besides the state of the item. */
  readonly more?: (entry: T) => ComponentChildren;
}): JSX.Element {
  return (
    <Gallery label={label}>
      {entries.map((entry) => {
        const item = itemOf(entry);
        return (
          item !== undefined && (
            <ThingCard
              key={item.id}
              href={walletLink.item(item.id)}
              name={<ItemName item={item} />}
              picture={<ItemPicture item={item} />}
            >
              <ItemState item={item} />
              {more?.(entry)}
              {!isUnitItem(item) && <Offered item={item} />}
            </ThingCard>
          )
        );
      })}
    </Gallery>
  );
}

function Offered({ item }: { readonly item: Item }): JSX.Element | null {
  const address = actingAccount.value?.address ?? "";
  const by = { address, now: now.value };
  const offered = marketAction(itemOnMarket(item), item.holder === address, by);
  return offered === undefined || item.transferable === "Bound" ? null : (
    <span>
      <ActionLink
        action={offered}
        href={walletLink.item(item.id, offered)}
        thing={itemName(item)}
      />
    </span>
  );
}
