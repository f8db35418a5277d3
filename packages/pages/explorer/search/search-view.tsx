import type { JSX } from "preact";
import { useLocation } from "preact-iso";
import { View } from "../../frame/view.tsx";
import { t } from "../../texts/texts.ts";

/** What a text may mean on this ledger. Source: explorer §2. */
export function SearchView(): JSX.Element {
  const { query } = useLocation();
  return (
    <View title={t().explorer.search.title(query["q"] ?? "")}>
      <p class="empty">{t().explorer.search.nothing}</p>
    </View>
  );
}
