import type { JSX } from "preact";
import { View } from "../../frame/view.tsx";
import { t } from "../../texts/texts.ts";
import { BlockList } from "./block-list.tsx";

/** All blocks, the newest first. */
export function BlocksView(): JSX.Element {
  return (
    <View title={t().explorer.nav.blocks}>
      <BlockList />
    </View>
  );
}
