import { type Item, shortId, type UnitItem, type UnitListing } from "@moneta/sdk";
import type { JSX } from "preact";
import { View } from "../../frame/view.tsx";
import { moneta, now } from "../../ledger/node.ts";
import { useRead } from "../../ledger/use-read.ts";
import { ItemName, itemName } from "../../parts/links/item-name.tsx";
import { isUnitItem } from "../../parts/pictures/item-urls.ts";
import { Shown } from "../../parts/shown.tsx";
import { t } from "../../texts/texts.ts";
import { walletLink } from "../../wallet/links.ts";
import { actOn } from "../act-on.ts";
import { readItem } from "./read-item.ts";
import { SingleItem } from "./single-item.tsx";
import { UnitsOfItem } from "./units-of-item.tsx";

/** Source: explorer §2. */
export function ItemView({ id }: { readonly id: string }): JSX.Element {
  const read = useRead(`item ${id}`, (options) => readItem(moneta, id, options), { live: true });
  const item = read.value;
  const cheapest = useCheapest(item);
  const lot = item !== undefined && isUnitItem(item) ? cheapest : item;
  const act = lot && actOn(lot, now.value);
  return (
    <View
      title={item === undefined ? t().explorer.item.title(shortId(id)) : itemName(item)}
      heading={item === undefined ? undefined : <ItemName item={item} />}
      wallet={item !== undefined && walletLink.item(id)}
      act={act ?? (item !== undefined && canBeOfferedFor(item) ? "offer" : undefined)}
      actAt={act && cheapest && walletLink.listing(cheapest.dexid)}
    >
      <Shown read={read}>
        {(item) => (isUnitItem(item) ? <UnitsOfItem item={item} /> : <SingleItem item={item} />)}
      </Shown>
    </View>
  );
}

/** The policy of its project may forbid it: then the form says so. */
function canBeOfferedFor(item: Item | UnitItem): boolean {
  return isUnitItem(item)
    ? item.totalsupply > item.meltedamount
    : item.melting_date === 0 && item.auction_date === 0 && item.transferable !== "Bound";
}

/** Of the offers of units in one token. */
function useCheapest(item: Item | UnitItem | undefined): UnitListing | undefined {
  const { id: mrc402id, sell_token: token } =
    item !== undefined && isUnitItem(item) && item.sell_count > 0 ? item : NONE;
  const { value } = useRead(
    `cheapest ${mrc402id} ${token}`,
    async (options) =>
      mrc402id === ""
        ? undefined
        : (
            await moneta.mrc402Listings(
              { mrc402id, token, side: "sell", order: "price", limit: 1 },
              options,
            )
          ).items[0],
    { live: mrc402id !== "" },
  );
  return value;
}

const NONE = { id: "", sell_token: "" } as const;
