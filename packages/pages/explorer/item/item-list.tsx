import type { Item, UnitItem } from "@moneta/sdk";
import type { JSX } from "preact";
import { Choice } from "../../parts/lists/choice.tsx";
import { LedgerList, type ListFrame } from "../../parts/lists/ledger-list.tsx";
import { type ListParams, listOf } from "../../parts/lists/list-of.ts";
import { TokenFilter } from "../../parts/lists/token-filter.tsx";
import { WrittenFilter } from "../../parts/lists/written-filter.tsx";
import { Gallery } from "../../parts/pictures/thing-card.tsx";
import { useQuery } from "../../parts/use-query.ts";
import { inLanguage, t } from "../../texts/texts.ts";
import { OrderChoice, orderFilters } from "../listing/order-choice.tsx";
import { ItemCard } from "./item-card.tsx";

const LIMIT = 24;
const STATES = ["all", "sale", "auction", "idle", "melted"] as const;
const MARKET_STATES = ["sale", "auction"] as const;

export function ItemList({
  project,
  onMarket = false,
}: {
  readonly project?: string;
  readonly onMarket?: boolean;
}): JSX.Element {
  const texts = t().explorer.items;
  const { query } = useQuery();
  const states = onMarket ? MARKET_STATES : STATES;
  const state = states.find((one) => one === query["state"]) ?? states[0];
  const filters = {
    state,
    ...orderFilters(state, query, "token"),
    mrc400id: project,
    groupid: query["groupid"],
    ...attributeOf(project, query),
  };
  return (
    <ItemGallery
      caption={texts.items}
      filters={filters}
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
            <TokenFilter label={t().explorer.market.paidIn} />
          )}
          {!onMarket && <WrittenFilter name="groupid" label={texts.group} max={64} />}
          {project !== undefined && <AttributeFilter />}
        </>
      }
    />
  );
}

function itemCards(
  label: string,
): (items: readonly (Item | UnitItem)[], fresh: ReadonlySet<string>) => JSX.Element {
  return (items, fresh) => (
    <Gallery label={label}>
      {items.map((item) => (
        <ItemCard key={item.id} item={item} isFresh={fresh.has(item.id)} />
      ))}
    </Gallery>
  );
}

export function ItemGallery({
  caption,
  filters,
  ...frame
}: ListFrame & {
  readonly caption: string;
  readonly filters: ListParams<"mrc401Items">;
}): JSX.Element {
  return (
    <LedgerList
      caption={caption}
      {...listOf("mrc401Items", filters)}
      limit={LIMIT}
      empty={t().explorer.address.noListings}
      show={itemCards(caption)}
      {...frame}
    />
  );
}

export function UnitItemList({ project }: { readonly project?: string }): JSX.Element {
  const texts = t().explorer.items;
  const { query } = useQuery();
  return (
    <LedgerList
      caption={texts.unitItems}
      {...listOf("mrc402Items", { mrc400id: project, ...attributeOf(project, query) })}
      limit={LIMIT}
      empty={texts.noUnitItems}
      choices={project !== undefined && <AttributeFilter />}
      show={itemCards(texts.unitItems)}
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
