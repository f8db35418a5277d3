import type { JSX } from "preact";
import { View } from "../../frame/view.tsx";
import { PicturesSetting } from "../../parts/pictures/pictures-setting.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { t } from "../../texts/texts.ts";
import { ItemList, UnitItemList } from "./item-list.tsx";

/** Source: explorer §2. */
export function ItemsView(): JSX.Element {
  const texts = t().explorer.items;
  return (
    <View title={t().explorer.nav.items}>
      <Tabs
        label={texts.kinds}
        tabs={[
          ["items", texts.items],
          ["units", texts.unitItems],
        ]}
      >
        {(tab) => (tab === "items" ? <ItemList /> : <UnitItemList />)}
      </Tabs>
      <PicturesSetting />
    </View>
  );
}
