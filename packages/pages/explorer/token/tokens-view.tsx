import type { JSX } from "preact";
import { View } from "../../frame/view.tsx";
import { WrittenFilter } from "../../parts/lists/written-filter.tsx";
import { useQuery } from "../../parts/use-query.ts";
import { t } from "../../texts/texts.ts";
import { TokenList } from "./token-list.tsx";

/** Source: explorer §2. */
export function TokensView(): JSX.Element {
  const { query } = useQuery();
  const symbol = query["symbol"];
  return (
    <View title={t().explorer.nav.tokens}>
      <TokenList
        filters={symbol === undefined ? {} : { symbol }}
        choices={<WrittenFilter name="symbol" label={t().explorer.token.symbol} max={32} />}
      />
    </View>
  );
}
