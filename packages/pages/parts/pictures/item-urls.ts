import { type Item, type UnitItem, withItemNumber } from "@moneta/sdk";

/** Members that items inherit from their project. */
export interface ItemTemplates {
  readonly image_url: string;
  readonly item_url: string;
  readonly item_image_url: string;
}

/** Whether an item consists of units. */
export function isUnitItem(item: Item | UnitItem): item is UnitItem {
  return "totalsupply" in item;
}

/** The URL of an item's picture, empty if there is none. The project may not be known yet. */
export function pictureUrlOf(item: Item | UnitItem, project: ItemTemplates | undefined): string {
  const { id, item_image_url: template } = item;
  if (!isUnitItem(item)) {
    return withItemNumber(template || (project?.item_image_url ?? ""), id);
  }
  // The record has the item's own value, or else the project's: one that differs is the item's own.
  const isOwn =
    item.mrc400 === "" || (project !== undefined && item.image_url !== project.image_url);
  const own = isOwn && !item.image_url.includes("{id}") ? item.image_url : "";
  return own || withItemNumber(template || item.image_url, id);
}

/** The URL of an item's page in the web, empty if there is none. */
export function pageUrlOf(item: Item | UnitItem, project: ItemTemplates | undefined): string {
  const url = item.item_url || (project?.item_url ?? "");
  return withItemNumber(url || (isUnitItem(item) ? item.url : ""), item.id);
}
