import type { Item, UnitItem } from "@moneta/sdk";
import type { JSX } from "preact";
import { moneta } from "../../ledger/node.ts";
import { Choice } from "../../parts/lists/choice.tsx";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { WrittenFilter } from "../../parts/lists/written-filter.tsx";
import { Gallery } from "../../parts/pictures/thing-card.tsx";
import { useQuery } from "../../parts/use-query.ts";
import { inLanguage, t } from "../../texts/texts.ts";
import { OrderChoice, orderFilters } from "../listing/order-choice.tsx";
import { pathWith } from "../listing/path-with.ts";
import { ItemCard } from "./item-card.tsx";

const LIMIT = 24;
const STATES = ["all", "sale", "auction", "idle", "melted"] as const;
const MARKET_STATES = ["sale", "auction"] as const;

/**
 * Items of all projects, of one project, or on the market, as a gallery: filters and order in the
 * URL, live.
 */
export function ItemList({
  project,
  onMarket = false,
}: {
  readonly project?: string;
  /** Whether items that are for sale or on auction are shown alone. */
  readonly onMarket?: boolean;
}): JSX.Element {
  const texts = t().explorer.items;
  const { query } = useQuery();
  const states = onMarket ? MARKET_STATES : STATES;
  const state = states.find((one) => one === query["state"]) ?? states[0];
  const filters = {
    state,
    ...orderFilters(state, query, "token"),
    ...(project === undefined ? {} : { mrc400id: project }),
    ...(query["groupid"] ? { groupid: query["groupid"] } : {}),
    ...attributeOf(project, query),
  };
  return (
    <ItemGallery
      caption={texts.items}
      filters={filters}
      limit={LIMIT}
      empty={onMarket ? t().explorer.market.nothing : texts.noItems}
      choices={
        <>
          <Choice
            name="state"
            label={texts.state}
            options={states.map((one) => [one, texts.states[one]])}
          />
          <OrderChoice chosen={state} />
          {(onMarket || filters.token !== undefined) && (
            <WrittenFilter name="token" label={t().explorer.market.paidIn} max={16} example="0" />
          )}
          {!onMarket && <WrittenFilter name="groupid" label={texts.group} max={64} />}
          {project !== undefined && <AttributeFilter />}
        </>
      }
    />
  );
}

/** Items as a gallery, live. */
export function ItemGallery({
  caption,
  filters,
  limit,
  empty,
  choices,
  more,
}: {
  readonly caption: string;
  readonly filters: {
    readonly state: (typeof STATES)[number];
    readonly [name: string]: string;
  };
  readonly limit: number;
  readonly empty: string;
  readonly choices?: JSX.Element;
  /** Leads to all of a list of one page. */
  readonly more?: JSX.Element;
}): JSX.Element {
  return (
    <LedgerList<Item>
      caption={caption}
      path={pathWith("/mrc401", filters)}
      read={(page, options) =>
        // The URL may have any text as a token: the node explains what is wrong.
        moneta.mrc401Items({ ...(filters as object), ...page }, options)
      }
      keyOf={({ id }) => id}
      limit={limit}
      {...(more === undefined ? { cursorName: "cursor" } : { more })}
      live
      empty={empty}
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

/** Multi-unit items, of all or of one project, as a gallery. */
export function UnitItemList({ project }: { readonly project?: string }): JSX.Element {
  const texts = t().explorer.items;
  const { query } = useQuery();
  const filters = {
    ...(project === undefined ? {} : { mrc400id: project }),
    ...attributeOf(project, query),
  };
  return (
    <LedgerList<UnitItem>
      caption={texts.unitItems}
      path={`/mrc402?${new URLSearchParams(filters)}`}
      read={(page, options) => moneta.mrc402Items({ ...filters, ...page }, options)}
      keyOf={({ id }) => id}
      limit={LIMIT}
      cursorName="cursor"
      live
      empty={texts.noUnitItems}
      filters={project !== undefined && <AttributeFilter />}
      show={(items, fresh) => (
        <Gallery label={texts.unitItems}>
          {items.map((item) => (
            <ItemCard key={item.id} item={item} isFresh={fresh.has(item.id)} />
          ))}
        </Gallery>
      )}
    />
  );
}

/** The name of an attribute has 64 characters, its value 256. */
const ATTRIBUTE_MAX = 321;

/** Attributes are found within a project. Source: chain §10. */
function attributeOf(
  project: string | undefined,
  { attribute }: Readonly<Record<string, string>>,
): { readonly attribute?: string } {
  return project === undefined || !attribute ? {} : { attribute };
}

function AttributeFilter(): JSX.Element {
  const label = inLanguage({ en: "Attribute", ko: "속성" });
  return <WrittenFilter name="attribute" label={label} max={ATTRIBUTE_MAX} example="level:7" />;
}
