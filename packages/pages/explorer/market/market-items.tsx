import type { Item } from "@moneta/sdk";
import type { JSX } from "preact";
import { moneta } from "../../ledger/node.ts";
import { Choice } from "../../parts/lists/choice.tsx";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { WrittenFilter } from "../../parts/lists/written-filter.tsx";
import { Gallery } from "../../parts/pictures/thing-card.tsx";
import { useQuery } from "../../parts/use-query.ts";
import { t } from "../../texts/texts.ts";
import { ItemCard } from "../item/item-card.tsx";
import { pathWith } from "../listing/path-with.ts";

const LIMIT = 24;
const STATES = ["sale", "auction", "ending"] as const;

/** Items that are on sale, or on auction: the newest first or by their ends; live. */
export function MarketItems(): JSX.Element {
  const texts = t().explorer.market;
  const { query } = useQuery();
  const state = STATES.find((one) => one === query["state"]) ?? "sale";
  const token = query["token"];
  return (
    <ListedItemGallery
      caption={texts.items}
      filters={{
        ...(state === "ending" ? { order: "end" } : { state }),
        ...(token === undefined ? {} : { token }),
      }}
      limit={LIMIT}
      choices={
        <>
          <Choice
            name="state"
            label={texts.state}
            options={STATES.map((one) => [one, texts.states[one]])}
          />
          <WrittenFilter name="token" label={texts.paidIn} max={16} />
        </>
      }
    />
  );
}

/** Items by their state on the market, as a gallery. */
export function ListedItemGallery({
  caption,
  filters,
  limit,
  choices,
  more,
}: {
  readonly caption: string;
  readonly filters: {
    readonly state?: "sale" | "auction";
    readonly order?: "end";
    readonly token?: string;
  };
  readonly limit: number;
  readonly choices?: JSX.Element;
  /** Leads to all of a list of one page. */
  readonly more?: JSX.Element;
}): JSX.Element {
  return (
    <LedgerList<Item>
      caption={caption}
      path={pathWith("/mrc401", filters)}
      read={(page, options) =>
        // Whatever the URL has as a token, the node says what is wrong with it.
        moneta.mrc401Items({ ...(filters as object), ...page }, options)
      }
      keyOf={({ id }) => id}
      limit={limit}
      {...(more === undefined ? { cursorName: "cursor" } : { more })}
      live
      empty={t().explorer.market.nothing}
      filters={choices}
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
