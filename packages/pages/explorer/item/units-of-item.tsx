import type { UnitHolder, UnitItem } from "@moneta/sdk";
import type { JSX } from "preact";
import { LedgerList } from "../../parts/lists/ledger-list.tsx";
import { listOf } from "../../parts/lists/list-of.ts";
import { ShareBar } from "../../parts/share-bar.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { t } from "../../texts/texts.ts";
import { UnitListingList } from "../listing/unit-listing-list.tsx";
import { ItemAbout } from "./item-about.tsx";
import { Attributes } from "./item-metadata.tsx";
import { ItemOffers } from "./item-offers.tsx";
import { ItemSales } from "./item-sales.tsx";
import { Life } from "./life.tsx";

export function UnitsOfItem({ item }: { readonly item: UnitItem }): JSX.Element {
  const texts = t().explorer.item;
  return (
    <>
      <ItemAbout item={item} />
      <Attributes item={item} />
      <Tabs
        label={texts.about}
        tabs={[
          ["holders", texts.holders],
          ["market", texts.listings],
          ["sales", texts.sales],
          ["life", texts.life],
        ]}
      >
        {(tab) => {
          switch (tab) {
            case "holders":
              return <UnitHolders item={item} />;
            case "market":
              return (
                <>
                  <UnitListingList filters={{ mrc402id: item.id }} withItem={false} />
                  <ItemOffers id={item.id} ofUnits />
                </>
              );
            case "sales":
              return <ItemSales id={item.id} ofUnits />;
            case "life":
              return <Life id={item.id} />;
          }
        }}
      </Tabs>
    </>
  );
}

function UnitHolders({ item }: { readonly item: UnitItem }): JSX.Element {
  const texts = t().explorer.item;
  const existing = item.totalsupply - item.meltedamount;
  const sum = (one: UnitHolder): bigint => one.balance + one.saleamount + one.auctionamount;
  return (
    <LedgerList
      caption={texts.holders}
      {...listOf("mrc402Holders", { mrc402id: item.id })}
      empty={texts.noHolders}
      columns={[
        { head: texts.holder, kind: "main", address: ({ address }) => address },
        { head: texts.freeUnits, count: (one) => one.balance },
        { head: texts.onSale, count: ({ saleamount }) => saleamount > 0n && saleamount },
        {
          head: texts.onAuction,
          count: ({ auctionamount }) => auctionamount > 0n && auctionamount,
        },
        {
          head: texts.share,
          kind: "number",
          cell: (one) => <ShareBar part={sum(one)} whole={existing} />,
        },
      ]}
    />
  );
}
