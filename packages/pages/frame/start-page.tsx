import { type JSX, render } from "preact";
import { LocationProvider } from "preact-iso";
import { goLive } from "../ledger/live.ts";
import { PREFIX } from "../ledger/node.ts";
import { loadService } from "../ledger/service.ts";
import { startLanguage } from "../texts/texts.ts";
import "../styles/page.css";
import type { PageName } from "./page-frame.tsx";
import { startTheme } from "./theme.ts";
import { withstandTranslators } from "./translation.ts";

/** Its links to other pages load them. */
export async function startPage(name: PageName, Page: () => JSX.Element): Promise<void> {
  startTheme();
  await startLanguage();
  void loadService();
  goLive();
  withstandTranslators();
  const scope = new RegExp(`^${RegExp.escape(`${PREFIX}/${name}`)}(?:[/?#]|$)`);
  render(
    <LocationProvider scope={scope}>
      <Page />
    </LocationProvider>,
    document.getElementById("page") as HTMLElement,
  );
}
