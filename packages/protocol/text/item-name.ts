import { itemNumber } from "./item-number.ts";

/** A number of at most so many characters is shown whole; of others the first six are. */
const WHOLE_MAX = 8;
const NUMBER_SHOWN = 6;

/** The short number of an item, without leading zeros. Source: mrc401 §20. */
export function shortItemNumber(id: string): string {
  const number = itemNumber(id).replace(/^0+(?=.)/, "");
  return number.length <= WHOLE_MAX ? number : number.slice(0, NUMBER_SHOWN);
}

/** `name` is the own name of a multi-unit item. */
export interface NamedItem {
  readonly id: string;
  readonly attributes: { readonly [name: string]: unknown };
  readonly name?: string;
  readonly groupid: string;
}

/** The own name of an item, in its attributes or as a multi-unit item; `""` if none. */
export function ownItemName({ attributes, name = "" }: NamedItem): string {
  const { name: given } = attributes;
  return typeof given === "string" && given.trim() !== "" ? given : name;
}

/**
 * The display name of an item: its own name, or its group's or project's with its number. Source:
 * mrc401 §20.
 */
export function itemName(item: NamedItem, projectName: string): string {
  return ownItemName(item) || `${item.groupid || projectName} #${shortItemNumber(item.id)}`;
}
