import type { JSX } from "preact";
import { View } from "../../frame/view.tsx";
import { t } from "../../texts/texts.ts";
import { BlockList } from "./block-list.tsx";

export function BlocksView(): JSX.Element {
  return (
    <View title={t().explorer.nav.blocks}>
      <BlockList />
    </View>
  );
}
