import type { JSX } from "preact";
import { LocationProvider } from "preact-iso";
import { PageFrame } from "../frame/page-frame.tsx";
import { startPage } from "../frame/start-page.tsx";
import { View } from "../frame/view.tsx";
import { t } from "../texts/texts.ts";

function Status(): JSX.Element {
  return (
    <LocationProvider>
      <PageFrame page="status" nav={null}>
        <View title={t().frame.page.status}>{null}</View>
      </PageFrame>
    </LocationProvider>
  );
}

await startPage(Status);
