import type { JSX } from "preact";
import { View } from "../../frame/view.tsx";
import { t } from "../../texts/texts.ts";
import { SealList } from "./seal-list.tsx";

/** Source: explorer §2. */
export function SealsView(): JSX.Element {
  return (
    <View title={t().explorer.seals.title}>
      <SealList />
    </View>
  );
}
