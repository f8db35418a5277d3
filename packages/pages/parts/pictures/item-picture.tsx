import type { Item, UnitItem } from "@moneta/sdk";
import type { JSX } from "preact";
import { projectOf } from "../../ledger/projects.ts";
import { itemName } from "../links/item-name.tsx";
import { pictureUrlOf } from "./item-urls.ts";
import { Picture, type PictureSize } from "./picture.tsx";

export function ItemPicture({
  item,
  size = "card",
}: {
  readonly item: Item | UnitItem;
  readonly size?: PictureSize;
}): JSX.Element {
  const url = pictureUrlOf(item, projectOf(item.mrc400).value);
  const name = itemName(item);
  // A small one is beside the item's name.
  const alt = size === "full" ? name : "";
  return <Picture url={url} name={name} alt={alt} seed={item.id} size={size} />;
}
