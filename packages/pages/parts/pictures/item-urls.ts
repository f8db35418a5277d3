import { type Item, type UnitItem, withItemNumber } from "@moneta/sdk";

export interface ItemTemplates {
  readonly image_url: string;
  readonly item_url: string;
  readonly item_image_url: string;
}

export function isUnitItem(item: Item | UnitItem): item is UnitItem {
  return "totalsupply" in item;
}

/** Empty if there is none. The project may not be known yet. */
export function pictureUrlOf(item: Item | UnitItem, project: ItemTemplates | undefined): string {
  const { id, item_image_url: template } = item;
  if (!isUnitItem(item)) {
    return withItemNumber(template || (project?.item_image_url ?? ""), id);
  }
  // The record has the item's own value, or else the project's.
  const isOwn =
    item.mrc400 === "" || (project !== undefined && item.image_url !== project.image_url);
  const own = isOwn && !item.image_url.includes("{id}") ? item.image_url : "";
  return own || withItemNumber(template || item.image_url, id);
}

export function pageUrlOf(item: Item | UnitItem, project: ItemTemplates | undefined): string {
  const url = item.item_url || (project?.item_url ?? "");
  return withItemNumber(url || (isUnitItem(item) ? item.url : ""), item.id);
}
