import type { Item } from "@moneta/sdk";
import type { JSX } from "preact";
import { t } from "../../texts/texts.ts";
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
      {item.melting_date === 0 && <ItemOffers item={item} />}
      {item.last_trade_date > 0 && <ItemSales id={item.id} />}
      {item.auction_date > 0 && (
        <Life
          id={item.id}
          caption={t().explorer.item.bids}
          filters={{ type: "mrc401_auctionbid", since: item.auction_date }}
          cursorName="bids"
          limit={5}
        />
      )}
      <Life id={item.id} />
    </>
  );
}
