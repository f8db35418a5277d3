import type { Item } from "@moneta/sdk";
import type { JSX } from "preact";
import { moneta } from "../../ledger/node.ts";
import { LedgerList } from "../../parts/ledger-list.tsx";
import { Gallery } from "../../parts/thing-card.tsx";
import { t } from "../../texts/texts.ts";
import { ItemCard } from "../item/item-card.tsx";

const LIMIT = 12;

/** Items of an address that are on sale, or on auction; live. */
export function ListedItems({
  owner,
  state,
}: {
  readonly owner: string;
  readonly state: "sale" | "auction";
}): JSX.Element {
  const texts = t().explorer.address;
  const filters = { owner, state };
  return (
    <LedgerList<Item>
      caption={texts.listedItems[state]}
      path={`/mrc401?${new URLSearchParams(filters)}`}
      read={(page, options) => moneta.mrc401Items({ ...filters, ...page }, options)}
      keyOf={({ id }) => id}
      limit={LIMIT}
      cursorName={state}
      live
      empty={texts.noListings}
      show={(items, fresh) => (
        <Gallery label={texts.listedItems[state]}>
          {items.map((item) => (
            <ItemCard key={item.id} item={item} isFresh={fresh.has(item.id)} />
          ))}
        </Gallery>
      )}
    />
  );
}
