import { type JSX, render } from "preact";
import { goLive } from "../ledger/live.ts";
import { loadService } from "../ledger/service.ts";
import { startLanguage } from "../texts/texts.ts";
import "../styles/page.css";
import { startTheme } from "./theme.ts";
import { withstandTranslators } from "./translation.ts";

export async function startPage(page: () => JSX.Element): Promise<void> {
  startTheme();
  await startLanguage();
  void loadService();
  goLive();
  withstandTranslators();
  const Page = page;
  render(<Page />, document.getElementById("page") as HTMLElement);
}
