import { itemNumber } from "./item-number.ts";

/** Up to so many characters are shown whole, of others the first six. */
const WHOLE_MAX = 8;
const NUMBER_SHOWN = 6;

/** Source: mrc401 §20. */
export function shortItemNumber(id: string): string {
  const number = itemNumber(id).replace(/^0+(?=.)/, "");
  return number.length <= WHOLE_MAX ? number : number.slice(0, NUMBER_SHOWN);
}

export interface NamedItem {
  readonly id: string;
  readonly attributes: { readonly [name: string]: unknown };
  readonly name?: string;
  readonly groupid: string;
}

export function ownItemName({ attributes, name = "" }: NamedItem): string {
  const { name: given } = attributes;
  return typeof given === "string" && given.trim() !== "" ? given : name;
}

/** Its own name, or its group's or project's with its number. Source: mrc401 §20. */
export function itemName(item: NamedItem, projectName: string): string {
  return ownItemName(item) || `${item.groupid || projectName} #${shortItemNumber(item.id)}`;
}
