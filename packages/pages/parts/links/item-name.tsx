import { type Item, itemName as nameOfItem, shortItemNumber, type UnitItem } from "@moneta/sdk";
import { nameText } from "@moneta/sdk/text";
import type { JSX } from "preact";
import { projectOf } from "../../ledger/projects.ts";
import { t } from "../../texts/texts.ts";
import { UntrustedText } from "../untrusted-text.tsx";

/** Plain text. Source: mrc401 §20. */
export function itemName(item: Item | UnitItem): string {
  const project = projectOf(item.mrc400).value?.name ?? t().explorer.item.item;
  return nameText(nameOfItem(item, project), t().nothingVisible);
}

export function ItemName({ item }: { readonly item: Item | UnitItem }): JSX.Element {
  return <UntrustedText text={itemName(item)} max={80} />;
}

/** Others may have the same name. Search finds both together. Source: explorer §5. */
export function ShortNumber({
  id,
  name,
}: {
  readonly id: string;
  readonly name: string;
}): JSX.Element | null {
  const number = `#${shortItemNumber(id)}`;
  return name.endsWith(number) ? null : <small class="quiet id">{number}</small>;
}
