import type { JSX } from "preact";
import { View } from "../../frame/view.tsx";
import { Choice } from "../../parts/lists/choice.tsx";
import { WrittenFilter } from "../../parts/lists/written-filter.tsx";
import { PicturesSetting } from "../../parts/pictures/pictures-setting.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { useQuery } from "../../parts/use-query.ts";
import { t } from "../../texts/texts.ts";
import { link } from "../links.ts";
import { TokenListingList } from "../listing/token-listing-list.tsx";
import { UnitListingList } from "../listing/unit-listing-list.tsx";
import { EndingSoon } from "./ending-soon.tsx";
import { ListedItemGallery, MarketItems } from "./market-items.tsx";

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
              return <MarketItems />;
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
      <ListedItemGallery
        caption={texts.newItems}
        filters={{ state: "sale" }}
        limit={SHOWN}
        more={more("items")}
      />
      <UnitListingList filters={{ side: "sell" }} limit={SHOWN} more={more("units")} />
      <TokenListingList filters={{}} limit={SHOWN} more={more("tokens")} />
    </>
  );
}

const UNIT_SIDES = ["all", "sell", "auction", "ending"] as const;
const TOKEN_SIDES = ["all", "sell", "buy", "auction", "ending"] as const;

function MarketUnits(): JSX.Element {
  const texts = t().explorer.listing;
  const { query } = useQuery();
  const side = UNIT_SIDES.find((one) => one === query["side"]) ?? "all";
  const token = query["token"];
  return (
    <UnitListingList
      filters={{
        ...(side === "ending" ? { order: "end" } : side === "all" ? {} : { side }),
        ...given("token", token),
      }}
      choices={
        <>
          <Choice
            name="side"
            label={texts.side}
            options={UNIT_SIDES.map((one) => [one, texts.sides[one]])}
          />
          <WrittenFilter name="token" label={t().explorer.market.paidIn} max={16} />
        </>
      }
    />
  );
}

function MarketTokens(): JSX.Element {
  const texts = t().explorer.listing;
  const { query } = useQuery();
  const side = TOKEN_SIDES.find((one) => one === query["side"]) ?? "all";
  const { token, paytoken } = query;
  return (
    <TokenListingList
      filters={{
        ...(side === "ending" ? { order: "end" } : side === "all" ? {} : { side }),
        ...given("token", token),
        ...given("paytoken", paytoken),
      }}
      choices={
        <>
          <Choice
            name="side"
            label={texts.side}
            options={TOKEN_SIDES.map((one) => [one, texts.sides[one]])}
          />
          <WrittenFilter name="token" label={t().explorer.market.token} max={16} />
          <WrittenFilter name="paytoken" label={t().explorer.market.paidIn} max={16} />
        </>
      }
    />
  );
}

// Whatever the URL has as a token, the node says what is wrong with it.
function given(name: "token" | "paytoken", value: string | undefined): object {
  return value === undefined ? {} : { [name]: value };
}
