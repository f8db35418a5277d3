import type { JSX } from "preact";
import { View } from "../../frame/view.tsx";
import { PicturesSetting } from "../../parts/pictures/pictures-setting.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { t } from "../../texts/texts.ts";
import { ItemGallery, ItemList } from "../item/item-list.tsx";
import { link } from "../links.ts";
import { TokenListingList } from "../listing/token-listing-list.tsx";
import { UnitListingList } from "../listing/unit-listing-list.tsx";
import { PairsWithBase } from "../token/pairs-tab.tsx";
import { EndingSoon } from "./ending-soon.tsx";
import { MarketTokens, MarketUnits } from "./market-lists.tsx";

const SHOWN = 6;

/** Source: explorer §2. */
export function MarketView(): JSX.Element {
  const texts = t().explorer.market;
  return (
    <View title={t().explorer.nav.market}>
      <Tabs
        label={texts.parts}
        tabs={[
          ["all", texts.all],
          ["items", texts.items],
          ["units", texts.units],
          ["tokens", texts.tokens],
          ["orders", t().explorer.order.pairs],
        ]}
      >
        {(tab) => {
          switch (tab) {
            case "all":
              return <AllKinds />;
            case "items":
              return <ItemList onMarket />;
            case "units":
              return <MarketUnits />;
            case "tokens":
              return <MarketTokens />;
            case "orders":
              return <PairsWithBase />;
          }
        }}
      </Tabs>
      <PicturesSetting />
    </View>
  );
}

function AllKinds(): JSX.Element {
  const texts = t().explorer.market;
  const more = (tab: string): JSX.Element => (
    <a href={`${link.market()}?tab=${tab}`}>{texts.more}</a>
  );
  return (
    <>
      <EndingSoon />
      <ItemGallery
        caption={texts.newItems}
        filters={{ state: "sale" }}
        limit={SHOWN}
        empty={texts.nothing}
        more={more("items")}
      />
      <UnitListingList filters={{ side: "sell" }} limit={SHOWN} more={more("units")} />
      <TokenListingList filters={{}} limit={SHOWN} more={more("tokens")} />
    </>
  );
}
