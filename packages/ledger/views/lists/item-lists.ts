import type { Json } from "@moneta/protocol";
import { invariant } from "../../invariant.ts";
import { HOLDING, unitsJson } from "../../state/holding-entry.ts";
import { projectInId } from "../../state/ids/item-ids.ts";
import { CONDITIONS, type Condition, ITEM } from "../../state/item-entry.ts";
import type { StateReader } from "../../state/state.ts";
import { UNIT_ITEM } from "../../state/unit-item-entry.ts";
import { unitItemView } from "../../state/unit-item-view.ts";
import { DOCUMENT_AND_BESIDE } from "./indexed-rows.ts";
import type { WantedItems } from "./items-newest-first.ts";
import type { ColumnFilter } from "./list-filters.ts";
import type { Place } from "./list-page.ts";
import { type ListView, numberBehind, type Wanted } from "./list-view.ts";

const OPEN: readonly Condition[] = ["idle", "on sale", "on auction"];

/** Conditions that pass each value of the filter `state`. Source: chain §10. */
const CONDITIONS_OF: Readonly<Record<string, readonly Condition[]>> = {
  sale: ["on sale"],
  auction: ["on auction"],
  idle: ["idle"],
  melted: ["melted"],
  open: OPEN,
  all: [...OPEN, "melted"],
};

/** By the condition of an item. */
export const BY_ITEM_STATE: ColumnFilter<string> = {
  column: "condition",
  find: (state) => CONDITIONS_OF[state],
};

/** Searches the items of a list. Where it yields, it may continue in a later turn. */
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

/** An item that an address has: the key of one with a single unit, or the stored holding of units. */
type OwnedItem = { readonly key: string } | { readonly holding: string };

/**
 * Searches the items that an address has, those with a single unit and those with many, in one
 * order. Where it yields, it may continue in a later turn.
 */
export function* searchOwnedItems(
  { columns, after, limit }: Wanted,
  { items, rows }: ListView,
): Generator<undefined, readonly Place<OwnedItem>[]> {
  const { holder, project, kind } = columns;
  const before = numberBehind(after);
  const singles =
    kind?.[0] === "mrc402"
      ? []
      : yield* items.places({
          holder: holder?.[0] as number,
          project: project?.[0] as number | undefined,
          askedToken: undefined,
          conditions: OPEN,
          text: "key",
          before,
          limit,
        });
  const units =
    kind?.[0] === "mrc401"
      ? []
      : rows.places({
          table: HOLDING.table,
          text: DOCUMENT_AND_BESIDE,
          order: "item_order",
          columns: { holder: holder ?? [], ...(project && { project }) },
          after: before ?? Number.MAX_SAFE_INTEGER,
          limit,
        });
  const found: readonly Place<OwnedItem>[] = [
    ...Array.from(singles, ({ at, entry }) => ({ at, entry: { key: entry as string } })),
    ...Array.from(units, ({ at, entry }) => ({ at, entry: { holding: entry as string } })),
  ];
  return found.toSorted((a, b) => Number(b.at) - Number(a.at));
}

/** An owned item as the list shows it; with `view` `full` with the record of the item. */
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

/** The item as its `GET` shows it. */
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
