import type { JSX } from "preact";
import { View } from "../../frame/view.tsx";
import { Choice } from "../../parts/lists/choice.tsx";
import { WrittenFilter } from "../../parts/lists/written-filter.tsx";
import { PicturesSetting } from "../../parts/pictures/pictures-setting.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { useQuery } from "../../parts/use-query.ts";
import { t } from "../../texts/texts.ts";
import { ItemGallery, ItemList } from "../item/item-list.tsx";
import { link } from "../links.ts";
import { OrderChoice, orderFilters } from "../listing/order-choice.tsx";
import { TokenListingList } from "../listing/token-listing-list.tsx";
import { UnitListingList } from "../listing/unit-listing-list.tsx";
import { EndingSoon } from "./ending-soon.tsx";

/** Of each kind, what all of the market shows. */
const SHOWN = 6;

/** What is on sale and on auction now, of all kinds and of each. Source: explorer §2. */
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

const UNIT_SIDES = ["all", "sell", "auction"] as const;
const TOKEN_SIDES = ["all", "sell", "buy", "auction"] as const;

function MarketUnits(): JSX.Element {
  const texts = t().explorer.listing;
  const { query } = useQuery();
  const side = UNIT_SIDES.find((one) => one === query["side"]) ?? "all";
  return (
    <UnitListingList
      filters={{
        ...(side !== "all" && { side }),
        ...orderFilters(side, query, "token"),
      }}
      choices={
        <>
          <Choice
            name="side"
            label={texts.side}
            options={UNIT_SIDES.map((one) => [one, texts.sides[one]])}
          />
          <OrderChoice chosen={side} />
          <WrittenFilter name="token" label={t().explorer.market.paidIn} max={16} example="0" />
        </>
      }
    />
  );
}

function MarketTokens(): JSX.Element {
  const texts = t().explorer.listing;
  const { query } = useQuery();
  const side = TOKEN_SIDES.find((one) => one === query["side"]) ?? "all";
  const { token } = query;
  return (
    <TokenListingList
      filters={{
        ...(side !== "all" && { side }),
        ...(token !== undefined && { token }),
        ...orderFilters(side, query, "paytoken"),
      }}
      choices={
        <>
          <Choice
            name="side"
            label={texts.side}
            options={TOKEN_SIDES.map((one) => [one, texts.sides[one]])}
          />
          <OrderChoice chosen={side} />
          <WrittenFilter name="token" label={t().explorer.market.token} max={16} />
          <WrittenFilter name="paytoken" label={t().explorer.market.paidIn} max={16} example="0" />
        </>
      }
    />
  );
}
