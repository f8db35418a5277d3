import type { JSX } from "preact";
import { View } from "../frame/view.tsx";
import { t } from "../texts/texts.ts";
import { link } from "./links.ts";

export function NotFoundView(): JSX.Element {
  return (
    <View title={t().explorer.notFound.title}>
      <p class="empty">
        {t().explorer.notFound.text} <a href={link.home()}>{t().explorer.notFound.home}</a>
      </p>
    </View>
  );
}
