import type { JSX } from "preact";
import { LocationProvider } from "preact-iso";
import { PageFrame } from "../frame/page-frame.tsx";
import { startPage } from "../frame/start-page.tsx";
import { View } from "../frame/view.tsx";
import { t } from "../texts/texts.ts";

function Wallet(): JSX.Element {
  return (
    <LocationProvider>
      <PageFrame page="wallet" nav={null}>
        <View title={t().frame.page.wallet}>{null}</View>
      </PageFrame>
    </LocationProvider>
  );
}

await startPage(Wallet);
