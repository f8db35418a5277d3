import type { Item, Mrc401ItemsRequest } from "@moneta/sdk";
import type { JSX } from "preact";
import { moneta } from "../../ledger/node.ts";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { Gallery } from "../../parts/pictures/thing-card.tsx";
import { t } from "../../texts/texts.ts";
import { ItemCard } from "../item/item-card.tsx";
import { pathWith } from "../listing/path-with.ts";

const LIMIT = 12;

/** Items that are on sale, or on auction, of one holder or with one highest bidder; live. */
export function ListedItems({
  filters,
  caption,
  cursorName,
}: {
  readonly filters: Pick<Mrc401ItemsRequest, "owner" | "bidder" | "state">;
  readonly caption: string;
  readonly cursorName: string;
}): JSX.Element {
  return (
    <LedgerList<Item>
      caption={caption}
      path={pathWith("/mrc401", filters)}
      read={(page, options) => moneta.mrc401Items({ ...filters, ...page }, options)}
      keyOf={({ id }) => id}
      limit={LIMIT}
      cursorName={cursorName}
      live
      empty={t().explorer.address.noListings}
      show={(items, fresh) => (
        <Gallery label={caption}>
          {items.map((item) => (
            <ItemCard key={item.id} item={item} isFresh={fresh.has(item.id)} />
          ))}
        </Gallery>
      )}
    />
  );
}
