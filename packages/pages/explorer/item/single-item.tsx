import type { Item } from "@moneta/sdk";
import type { JSX } from "preact";
import { ItemAbout } from "./item-about.tsx";
import { Attributes } from "./item-metadata.tsx";
import { ItemOffers } from "./item-offers.tsx";
import { ItemSales } from "./item-sales.tsx";
import { Life } from "./life.tsx";

export function SingleItem({ item }: { readonly item: Item }): JSX.Element {
  return (
    <>
      <ItemAbout item={item} />
      <Attributes item={item} />
      {item.melting_date === 0 && <ItemOffers id={item.id} />}
      {item.last_trade_date > 0 && <ItemSales id={item.id} />}
      <Life id={item.id} />
    </>
  );
}
