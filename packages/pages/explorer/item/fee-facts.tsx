import type { Item, UnitItem } from "@moneta/sdk";
import type { Fact } from "../../parts/facts.tsx";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { isUnitItem } from "../../parts/pictures/item-urls.ts";
import { t } from "../../texts/texts.ts";
import { platformOf } from "../listing/platform.tsx";

/** The shares of others in each trade of an item and in its reserve, which are terms of the item. */
export function feeFacts(
  item: Item | UnitItem,
  { hasOtherPlatform = false } = {},
): readonly Fact[] {
  const texts = t().explorer.item;
  const fees: Fact = [texts.fees, texts.feesOf(item.sell_fee, item.meltint_fee)];
  if (!isUnitItem(item)) {
    return [fees];
  }
  const shareholders = Object.entries(item.shareholder);
  return [
    fees,
    [texts.commission, item.creatorcommission !== "0" && `${item.creatorcommission} %`],
    [
      texts.shareholders,
      shareholders.length > 0 && (
        <ul class="plain">
          {shareholders.map(([address, rate]) => (
            <li key={address}>
              <AddressLink address={address} /> {rate} %
            </li>
          ))}
        </ul>
      ),
    ],
    // A listing may name another platform than the item.
    [texts.platform, !hasOtherPlatform && platformOf(item)],
  ];
}
