import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Browser, BrowserContext } from "playwright-core";
import { withoutChromium } from "../../node/testing/chromium.ts";
import type { TestNode } from "../../node/testing/test-node.ts";
import { inBrowser, testNode } from "./in-browser.ts";
import { OpenedPage } from "./opened-page.ts";

// Browsers that store nothing for a site, or whose storage is full.
describe("the pages in a browser", { skip: withoutChromium() }, () => {
  let node: TestNode;
  let browser: Browser;

  inBrowser(testNode, (started) => {
    ({ node, browser } = started);
    node.now = Math.floor(Date.now() / 1000);
  });

  async function contextWith(script: () => void): Promise<BrowserContext> {
    const context = await browser.newContext({ locale: "en-US", colorScheme: "light" });
    await context.addInitScript(script);
    return context;
  }

  test("whose storage is closed show the ledger live, and change theme and language", async () => {
    await using opened = await OpenedPage.open(
      await contextWith(closeStorage),
      node.url,
      "/explorer",
    );
    const { page } = opened;
    await page.getByText("live", { exact: true }).waitFor({ state: "attached" });
    const blocks = page.getByRole("table", { name: "Newest blocks" });
    await node.holder();
    await blocks.getByRole("link", { name: "1", exact: true }).waitFor();
    await page.getByLabel("Theme").selectOption("dark");
    await page.locator("html[data-theme=dark]").waitFor();
    await page.getByLabel("Language").selectOption("ko");
    await page.locator("html[lang=ko]").waitFor();
    await page.goto(`${node.url}/status`);
    await page.getByText("Healthy: this node serves reads and writes.").waitFor();
    await page.goto(`${node.url}/explorer/block/1`);
    await page.getByText("This block and all its transactions are in the ledger").waitFor();
    await page.goto(`${node.url}/wallet`);
    await page.getByRole("alert").getByText("keeps nothing for this site").waitFor();
    assert.deepEqual(opened.complaints, []);
  });

  test("whose storage is full make an account and change the theme", async () => {
    await using opened = await OpenedPage.open(await contextWith(fillStorage), node.url, "/wallet");
    const { page } = opened;
    await page.getByRole("button", { name: "Create an account" }).click();
    await page.locator(".current-account code.hash").waitFor();
    await page.getByLabel("Theme").selectOption("dark");
    await page.locator("html[data-theme=dark]").waitFor();
    assert.deepEqual(opened.complaints, []);
  });
});

function closeStorage(): void {
  const refuse = (): never => {
    throw new DOMException("Access is denied for this document.", "SecurityError");
  };
  Object.defineProperty(window, "localStorage", { get: refuse });
  Object.defineProperty(window, "SharedWorker", {
    value: function SharedWorker() {
      refuse();
    },
  });
  IDBFactory.prototype.open = refuse;
}

/** Other data have taken all the site's room. */
function fillStorage(): void {
  Storage.prototype.setItem = () => {
    throw new DOMException("The quota has been exceeded.", "QuotaExceededError");
  };
}
