import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { launchChromium } from "../packages/node/testing/chromium.ts";
import { TestNode } from "../packages/node/testing/test-node.ts";
import { OpenedPage } from "../packages/pages/testing/opened-page.ts";
import { viewPaths } from "../packages/pages/testing/views.ts";

// Pictures of every view in both themes and three widths, for people to look at: in ./screenshots, or in a folder that is named.

const WIDTHS = [360, 1280, 2560] as const;
const folder = resolve(process.argv[2] ?? "screenshots");
mkdirSync(folder, { recursive: true });

await using node = await TestNode.start();
const browser = await launchChromium();
try {
  for (const [name, path] of Object.entries(viewPaths())) {
    for (const width of WIDTHS) {
      for (const colorScheme of ["light", "dark"] as const) {
        await using opened = await OpenedPage.open(browser, node.url, path, { width, colorScheme });
        await opened.isShown();
        const file = join(folder, `${name}-${width}-${colorScheme}.png`);
        await opened.page.screenshot({ path: file, fullPage: true });
        console.log(file);
      }
    }
  }
} finally {
  await browser.close();
}
