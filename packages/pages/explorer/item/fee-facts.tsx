import type { Item, UnitItem } from "@moneta/sdk";
import type { Fact } from "../../parts/facts.tsx";
import { AddressLink } from "../../parts/links/address-link.tsx";
import { plainList } from "../../parts/lists/plain-list.tsx";
import { isUnitItem } from "../../parts/pictures/item-urls.ts";
import { t } from "../../texts/texts.ts";
import { platformOf } from "../listing/platform.tsx";

export function feeFacts(
  item: Item | UnitItem,
  { hasOtherPlatform = false } = {},
): readonly Fact[] {
  const texts = t().explorer.item;
  const fees: Fact = [texts.fees, texts.feesOf(item.sell_fee, item.meltint_fee)];
  if (!isUnitItem(item)) {
    return [fees];
  }
  return [
    fees,
    [texts.commission, item.creatorcommission !== "0" && `${item.creatorcommission}\u00a0%`],
    [
      texts.shareholders,
      plainList(Object.entries(item.shareholder), ([address, rate]) => (
        <>
          <AddressLink address={address} /> {`${rate}\u00a0%`}
        </>
      )),
    ],
    // A listing may name another platform than the item.
    [texts.platform, !hasOtherPlatform && platformOf(item)],
  ];
}
