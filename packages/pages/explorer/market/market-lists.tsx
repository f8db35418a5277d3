import type { JSX } from "preact";
import { Choice } from "../../parts/lists/choice.tsx";
import { TokenFilter } from "../../parts/lists/token-filter.tsx";
import { useQuery } from "../../parts/use-query.ts";
import { t } from "../../texts/texts.ts";
import { OrderChoice, orderFilters } from "../listing/order-choice.tsx";
import { TokenListingList } from "../listing/token-listing-list.tsx";
import { UnitListingList } from "../listing/unit-listing-list.tsx";

const UNIT_SIDES = ["all", "sell", "auction"] as const;
const TOKEN_SIDES = ["all", "sell", "buy", "auction"] as const;

export function MarketUnits(): JSX.Element {
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
          <TokenFilter label={t().explorer.market.paidIn} />
        </>
      }
    />
  );
}

export function MarketTokens(): JSX.Element {
  const texts = t().explorer.listing;
  const { query } = useQuery();
  const side = TOKEN_SIDES.find((one) => one === query["side"]) ?? "all";
  return (
    <TokenListingList
      filters={{
        ...(side !== "all" && { side }),
        token: query["token"],
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
          <TokenFilter />
          <TokenFilter name="paytoken" label={t().explorer.market.paidIn} />
        </>
      }
    />
  );
}
