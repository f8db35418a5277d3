import type { Address, Json } from "@moneta/protocol";
import { invariant } from "../../invariant.ts";
import { projectInId } from "../../state/ids/item-ids.ts";
import { CONDITIONS, type Condition, holderOf, ITEM, OPEN } from "../../state/item-entry.ts";
import type { StateReader } from "../../state/state.ts";
import { pastListName } from "../../state/tables/document-tables.ts";
import type { ListedPlace } from "../../state/tables/earlier-entries.ts";
import type { StateTables } from "../../state/tables/tables.ts";
import { HOLDING, unitsJson } from "../../state/units/holding-entry.ts";
import { UNIT_ITEM } from "../../state/units/unit-item-entry.ts";
import { unitItemView } from "../../state/units/unit-item-view.ts";
import { DOCUMENT_AND_BESIDE } from "./indexed-rows.ts";
import type { WantedItems } from "./items-newest-first.ts";
import type { ColumnFilter } from "./list-filters.ts";
import type { Place } from "./list-page.ts";
import { type ListView, numberBehind, type Wanted } from "./list-view.ts";
import { pastPlaces } from "./past-rows.ts";

/** Read in one step as of an earlier block. */
const ITEMS_TOGETHER = 100;

const CONDITIONS_OF: Readonly<Record<string, readonly Condition[]>> = {
  sale: ["on sale"],
  auction: ["on auction"],
  idle: ["idle"],
  melted: ["melted"],
  open: OPEN,
  all: [...OPEN, "melted"],
};

export const BY_ITEM_STATE: ColumnFilter<string> = {
  column: "condition",
  find: (state) => CONDITIONS_OF[state],
};

/** It may continue in a later turn where it yields. */
export function* searchItems(
  { columns, after, limit }: Wanted,
  { items, attributed, reader }: ListView,
): Generator<undefined, Iterable<Place<string>>> {
  const conditions = columns["condition"] as WantedItems["conditions"];
  const isOfSales = conditions.every((condition) => condition === "on sale");
  const endAfter = isOfSales ? reader.state.time : undefined;
  const before = numberBehind(after);
  if (columns["attribute"] !== undefined) {
    const condition = conditions.map((one) => CONDITIONS[one]);
    const { table } = ITEM;
    return attributed.places({ table, columns: { ...columns, condition }, before, endAfter });
  }
  return yield* items.places({
    project: columns["project"]?.[0] as number | undefined,
    holder: columns["holder"]?.[0] as number | undefined,
    groupid: columns["groupid"]?.[0] as string | undefined,
    askedToken: columns["asked_token"]?.[0] as number | undefined,
    conditions,
    endAfter,
    text: DOCUMENT_AND_BESIDE,
    before,
    limit,
  });
}

/** The key of an item, or the stored holding of units. */
type OwnedItem = { readonly key: string } | { readonly holding: string };

/** Items and units in one order. */
export function searchOwnedItems(wanted: Wanted, lists: ListView): readonly Place<OwnedItem>[] {
  const { columns, after, limit } = wanted;
  const { items, rows } = lists;
  const { holder, project, kind } = columns;
  const before = numberBehind(after);
  const singles =
    kind?.[0] === "mrc402"
      ? []
      : lists.past !== undefined
        ? pastItems(wanted, lists, lists.past)
        : items.heldBy({
            holder: holder?.[0] as number,
            project: project?.[0] as number | undefined,
            before,
            limit,
          });
  const units =
    kind?.[0] === "mrc401"
      ? []
      : rows.places({
          kind: HOLDING,
          table: HOLDING.table,
          text: DOCUMENT_AND_BESIDE,
          order: "item_order",
          columns: { holder: holder ?? [], ...(project && { project }) },
          after: before ?? Number.MAX_SAFE_INTEGER,
          limit,
        });
  const found: readonly Place<OwnedItem>[] = [
    ...Array.from(singles, ({ entry, ...at }) => ({
      ...at,
      entry: entry === undefined ? undefined : { key: entry },
    })),
    ...Array.from(units, ({ entry, ...at }) => ({
      ...at,
      entry: entry === undefined ? undefined : { holding: entry },
    })),
  ];
  // After an early end of one search, the other's later results are on the next page.
  const end = Math.max(0, ...found.filter(({ endsPage }) => endsPage).map(({ at }) => Number(at)));
  return found
    .filter(({ at }) => Number(at) >= end)
    .toSorted((a, b) => Number(b.at) - Number(a.at));
}

/** As of an earlier block, the newest first. */
function pastItems(
  { columns, after, limit }: Wanted,
  { items, reader: { state } }: ListView,
  tables: StateTables,
): Iterable<Place<string>> {
  const [holder] = columns["holder"] as readonly [number];
  const project = columns["project"]?.[0];
  const behind = numberBehind(after) ?? Number.MAX_SAFE_INTEGER;
  return pastPlaces<string>({
    ...{ tables, after: behind, isAscending: false, limit },
    name: pastListName(ITEM.table, "holder", holder),
    current: itemsNow({ items, holder, after: behind }),
    read({ key }) {
      const item = state.find(ITEM, key.slice(ITEM.prefix.length));
      const address = item && holderOf(item);
      const isIn =
        item !== undefined &&
        address !== "" &&
        state.addressNumber(address as Address) === holder &&
        (project === undefined || item.projectOrder === project);
      return isIn ? key : undefined;
    },
  });
}

function* itemsNow({
  items,
  holder,
  after,
}: {
  readonly items: ListView["items"];
  readonly holder: number;
  readonly after: number;
}): Generator<ListedPlace> {
  for (let before: number | undefined = after; before !== undefined; ) {
    const page: readonly Place<string>[] = [
      ...items.heldBy({ holder, before, limit: ITEMS_TOGETHER }),
    ];
    yield* page.map(({ at, entry }) => ({ place: at, key: entry as string }));
    before = page.length < ITEMS_TOGETHER ? undefined : Number(page.at(-1)?.at);
  }
}

/** With `view` `full` with the item's record. */
export function ownedItemShown(
  owned: OwnedItem,
  { view, state }: { readonly view: unknown; readonly state: StateReader },
): object {
  const shown = "key" in owned ? singleItem(owned.key) : unitsOfItem(owned.holding);
  return view === "full" ? { ...shown, record: recordOf(shown, state) } : shown;
}

interface ShownItem {
  readonly kind: "mrc401" | "mrc402";
  readonly id: string;
}

function singleItem(key: string): ShownItem {
  const id = key.slice(ITEM.prefix.length);
  return { kind: "mrc401", id, ...{ mrc400: projectInId(id) } };
}

function unitsOfItem(text: string): ShownItem {
  const [document, beside] = JSON.parse(text) as [Json, Json];
  const holding = HOLDING.restore(document, beside);
  const { item: id } = holding;
  return { kind: "mrc402", id, ...{ mrc400: projectInId(id) }, ...(unitsJson(holding) as object) };
}

function recordOf({ kind, id }: ShownItem, state: StateReader): Json {
  if (kind === "mrc401") {
    const item = state.find(ITEM, id);
    invariant(item !== undefined, "an address has only items that exist");
    return ITEM.view?.(item, state) ?? null;
  }
  const item = state.find(UNIT_ITEM, id);
  invariant(item !== undefined, "an address has only items that exist");
  return unitItemView(state, item);
}
