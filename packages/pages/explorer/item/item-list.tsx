import type { Item, UnitItem } from "@moneta/sdk";
import type { JSX } from "preact";
import { moneta } from "../../ledger/node.ts";
import { Choice } from "../../parts/lists/choice.tsx";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { WrittenFilter } from "../../parts/lists/written-filter.tsx";
import { Gallery } from "../../parts/pictures/thing-card.tsx";
import { useQuery } from "../../parts/use-query.ts";
import { inLanguage, t } from "../../texts/texts.ts";
import { ItemCard } from "./item-card.tsx";

const LIMIT = 24;
const STATES = ["all", "sale", "auction", "idle", "melted"] as const;

/** Items of projects, or of one project, as a gallery: filters in the URL, live. */
export function ItemList({ project }: { readonly project?: string }): JSX.Element {
  const texts = t().explorer.items;
  const { query } = useQuery();
  const state = STATES.find((one) => one === query["state"]) ?? "all";
  const filters = {
    state,
    ...(project === undefined ? {} : { mrc400id: project }),
    ...(query["groupid"] ? { groupid: query["groupid"] } : {}),
    ...attributeOf(project, query),
  };
  return (
    <LedgerList<Item>
      caption={texts.items}
      path={`/mrc401?${new URLSearchParams(filters)}`}
      read={(page, options) => moneta.mrc401Items({ ...filters, ...page }, options)}
      keyOf={({ id }) => id}
      limit={LIMIT}
      cursorName="cursor"
      live
      empty={texts.noItems}
      filters={
        <>
          <Choice
            name="state"
            label={texts.state}
            options={STATES.map((one) => [one, texts.states[one]])}
          />
          <WrittenFilter name="groupid" label={texts.group} max={64} />
          {project !== undefined && <AttributeFilter />}
        </>
      }
      show={(items, fresh) => (
        <Gallery label={texts.items}>
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
