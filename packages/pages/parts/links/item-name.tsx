import { type Item, itemNumber, type UnitItem } from "@moneta/sdk";
import { nameText } from "@moneta/sdk/text";
import type { JSX } from "preact";
import { projectOf } from "../../ledger/projects.ts";
import { t } from "../../texts/texts.ts";
import { isUnitItem } from "../pictures/item-urls.ts";
import { UntrustedText } from "../untrusted-text.tsx";

/** Hex digits of a number that tell most items of a project apart. */
const NUMBER_SHOWN = 6;

/** The number of an item in short: without zeros in front, or its first digits. */
export function shortNumber(id: string): string {
  const number = itemNumber(id);
  const short = number.replace(/^0+(?=.)/, "");
  return short.length > NUMBER_SHOWN && number.length > NUMBER_SHOWN
    ? number.slice(0, NUMBER_SHOWN)
    : short;
}

/**
 * What an item is called, as plain text: its name, or the name among its attributes, its group or its
 * project with its number.
 */
export function itemName(item: Item | UnitItem): string {
  if (isUnitItem(item) && item.name !== "") {
    return nameText(item.name, t().nothingVisible);
  }
  const { name } = item.attributes;
  const group =
    (typeof name === "string" && name) ||
    item.groupid ||
    (projectOf(item.mrc400).value?.name ?? t().explorer.item.item);
  return `${nameText(group, t().nothingVisible)} #${shortNumber(item.id)}`;
}

export function ItemName({ item }: { readonly item: Item | UnitItem }): JSX.Element {
  return <UntrustedText text={itemName(item)} max={80} />;
}
