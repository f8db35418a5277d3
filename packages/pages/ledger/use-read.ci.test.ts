import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Browser } from "playwright-core";
import { withoutChromium } from "../../node/testing/chromium.ts";
import type { TestNode } from "../../node/testing/test-node.ts";
import { inBrowser, testNode } from "../testing/in-browser.ts";
import { OpenedPage } from "../testing/opened-page.ts";

/** Longer than the pause between two readings, ms. */
const ANSWER_MS = 1500;
const BLOCK_MS = 200;

describe("what a view reads", { skip: withoutChromium() }, () => {
  let node: TestNode;
  let browser: Browser;

  inBrowser(testNode, (started) => {
    ({ node, browser } = started);
  });

  test("is read again only after a block that it does not show", async () => {
    await using opened = await OpenedPage.open(browser, node.url, undefined);
    const { page } = opened;
    let readings = 0;
    page.on("request", (request) => {
      readings += Number(new URL(request.url()).search === "?limit=25");
    });
    await page.goto(`${node.url}/explorer/blocks`);
    await page.getByText("live", { exact: true }).waitFor({ state: "attached" });
    await opened.isShown();
    await pause(ANSWER_MS);
    const height = JSON.parse((await node.get("/blocks?limit=1")).text).items[0].sn;
    await node.holder();
    await page.getByRole("link", { name: String(height + 1), exact: true }).waitFor();
    await pause(ANSWER_MS);
    assert.equal(readings, 2);
  });

  test("is shown, and followed, while blocks come faster than the node's answers", async () => {
    await using opened = await OpenedPage.open(browser, node.url, "/explorer/protocol");
    const { page } = opened;
    await page.getByText("live", { exact: true }).waitFor({ state: "attached" });
    await opened.isShown();
    await page.route(
      ({ pathname }) => pathname === "/blocks",
      async (route) => {
        await pause(ANSWER_MS);
        await route.continue();
      },
    );
    let isBusy = true;
    const blocks = (async () => {
      while (isBusy) {
        await node.holder();
        await pause(BLOCK_MS);
      }
    })();
    try {
      await page.getByRole("link", { name: "Blocks", exact: true }).click();
      // The previous view, with a table of links, stays until then.
      await page.getByRole("heading", { name: "Blocks", level: 1 }).waitFor();
      const newest = page.locator("main tbody tr a").first();
      await newest.waitFor();
      const first = Number(await newest.innerText());
      await page.waitForFunction(
        (shown) => Number(document.querySelector("main tbody tr a")?.textContent) > shown,
        first,
      );
    } finally {
      isBusy = false;
      await blocks;
    }
    assert.deepEqual(opened.complaints, []);
  });
});
