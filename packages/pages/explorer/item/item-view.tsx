import { shortId } from "@moneta/sdk";
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
  return (
    <View
      title={item === undefined ? t().explorer.item.title(shortId(id)) : itemName(item)}
      heading={item === undefined ? undefined : <ItemName item={item} />}
      wallet={item !== undefined && walletLink.item(id)}
      act={item === undefined || isUnitItem(item) ? undefined : actOn(item, now.value)}
    >
      <Shown read={read}>
        {(item) => (isUnitItem(item) ? <UnitsOfItem item={item} /> : <SingleItem item={item} />)}
      </Shown>
    </View>
  );
}
