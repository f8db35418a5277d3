import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Moneta } from "@moneta/sdk";
import type { Browser } from "playwright-core";
import { DemoNode } from "../examples/demo/demo-node.ts";
import { fillWorld } from "../examples/demo/fill-world.ts";
import { launchChromium } from "../packages/node/testing/chromium.ts";
import { openAccount } from "../packages/pages/testing/open-account.ts";
import { OpenedPage } from "../packages/pages/testing/opened-page.ts";
import { thingsOf, viewPaths } from "../packages/pages/testing/views.ts";

// Pictures of every view for review, in ./screenshots or a given folder; `--view TEXT` selects
// views, `--docs` makes the documentation's.

const WIDTHS = [360, 1280, 2560] as const;
const THEMES = ["light", "dark"] as const;
const HEIGHT_MAX = 4000;

const DOCS = fileURLToPath(new URL("../docs/images/", import.meta.url));

const OF_DOCS = {
  "explorer-home": { view: "home", width: 1280, height: 860, colorScheme: "light" },
  "explorer-transaction": {
    view: "transaction sale",
    width: 1280,
    height: 860,
    colorScheme: "light",
  },
  "explorer-item": { view: "item won", width: 1280, height: 860, colorScheme: "dark" },
  "explorer-market": { view: "market", width: 1280, height: 860, colorScheme: "light" },
  "wallet-send": { view: "wallet send", width: 1280, height: 860, colorScheme: "light" },
  "explorer-token": { view: "token points", width: 1280, height: 860, colorScheme: "light" },
} as const;

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { docs: { type: "boolean", default: false }, view: { type: "string", default: "" } },
});
const folder = flags.docs ? DOCS : resolve(positionals[0] ?? "screenshots");
mkdirSync(folder, { recursive: true });

const node = await DemoNode.start({ port: "0" });
const browser = await launchChromium({ hasPixels: true });
try {
  const world = await fillWorld(new Moneta(node.url));
  const views = viewPaths(thingsOf(world));
  await (flags.docs ? photographForDocs(browser, views) : photographAll(browser, views));
} finally {
  await browser.close();
  await node.stop();
  node.remove();
}

async function photographAll(
  browser: Browser,
  views: Readonly<Record<string, string>>,
): Promise<void> {
  const chosen = Object.entries(views).filter(([name]) => name.includes(flags.view));
  for (const colorScheme of THEMES) {
    await using opened = await OpenedPage.open(browser, node.url, "/wallet", { colorScheme });
    await openAccount(opened);
    for (const [name, path] of chosen) {
      await opened.page.goto(`${node.url}${path}`);
      for (const width of WIDTHS) {
        await opened.page.setViewportSize({ width, height: 900 });
        await photograph(opened, `${name.replaceAll(/\W+/g, "-")}-${width}-${colorScheme}`);
      }
    }
  }
}

async function photographForDocs(
  browser: Browser,
  views: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [file, { view, ...look }] of Object.entries(OF_DOCS)) {
    await using opened = await OpenedPage.open(browser, node.url, "/wallet", look);
    if (view.startsWith("wallet")) {
      await openAccount(opened);
    }
    await opened.page.goto(`${node.url}${views[view]}`);
    await photograph(opened, file, look.height);
  }
}

async function photograph(opened: OpenedPage, name: string, heightMax = HEIGHT_MAX): Promise<void> {
  const { page } = opened;
  await opened.isShown();
  const width = page.viewportSize()?.width ?? 0;
  const height = Number(await page.evaluate("document.documentElement.scrollHeight"));
  const path = join(folder, `${name}.png`);
  const clip = { x: 0, y: 0, width, height: Math.min(height, heightMax) };
  await page.screenshot({ path, fullPage: true, clip, animations: "disabled" });
  console.log(path);
}
