import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Moneta } from "@moneta/sdk";
import type { Browser, Locator, Page } from "playwright-core";
import { withoutChromium } from "../../../node/testing/chromium.ts";
import type { TestNode } from "../../../node/testing/test-node.ts";
import { becomes } from "../../../node/testing/until.ts";
import { inBrowser, testNode } from "../../testing/in-browser.ts";
import { OpenedPage } from "../../testing/opened-page.ts";

describe("the home view", { skip: withoutChromium() }, () => {
  let node: TestNode;
  let browser: Browser;

  inBrowser(testNode, (started) => {
    ({ node, browser } = started);
  });

  test("a browser that asks for / sees the newest blocks, and new ones as they come", async () => {
    await using opened = await OpenedPage.open(browser, node.url, "/");
    const { page } = opened;
    assert.equal(page.url(), `${node.url}/explorer`);
    const blocks = page.getByRole("table", { name: "Newest blocks" });
    await blocks.getByRole("link", { name: "0", exact: true }).waitFor();
    await page.getByText(/^No operations in this period\. Last block: /).waitFor();
    await page.getByText("live", { exact: true }).waitFor({ state: "attached" });

    await node.holder();
    await blocks.getByRole("link", { name: "1", exact: true }).waitFor();

    await blocks.getByRole("link", { name: "1", exact: true }).click();
    await page.getByRole("heading", { name: "Block 1" }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    assert.deepEqual(opened.complaints, []);
    assert.deepEqual(opened.elsewhere, []);
  });

  test("tiles count what was done lately, each with its window", async () => {
    node.now = Math.floor(Date.now() / 1000);
    node.showTime();
    await node.holder({ coins: 5n });
    await using opened = await OpenedPage.open(browser, node.url, "/explorer");
    const { page } = opened;
    const tile = (name: string) => tileOf(page, name);
    await tile("Active addresses, 24 h")
      .getByText(/^[1-9]\d* /)
      .waitFor();
    await tile("Operations per minute")
      .getByText(/last 5 min$/)
      .waitFor();
    await becomes(() => tile("Trades, 24 h").innerText(), "0");
    await becomes(() => tile("Most traded").innerText(), "–");
    assert.deepEqual(opened.complaints, []);
  });

  test("a chart and a table count operations by kind, which the URL chooses by hour and day", async () => {
    node.now = Math.floor(Date.now() / 1000);
    node.showTime();
    await node.holder({ coins: 5n });
    await using opened = await OpenedPage.open(browser, node.url, "/explorer?tab=day");
    const { page } = opened;
    const activity = page.getByRole("region", { name: "Operations by kind" });
    await activity.locator("canvas").waitFor();
    await activity.getByRole("img", { name: /^[0-9]+ in the last day, by the hour$/ }).waitFor();
    await activity.getByText("As a table").click();
    const table = activity.getByRole("table", { name: "Operations by kind" });
    await table.getByRole("columnheader", { name: "payments" }).waitFor();
    await activity.getByRole("link", { name: "Last hour" }).click();
    await activity.getByRole("img", { name: /^[0-9]+ in the last hour, by the minute$/ }).waitFor();

    const before = (await new Moneta(node.url).transactions({ limit: 100 })).items.length;
    const count = tileOf(page, "Transactions");
    await becomes(() => count.innerText(), String(before));
    await node.holder();
    await becomes(() => count.innerText(), String(before + 1));
    assert.deepEqual(opened.complaints, []);
  });

  test("charts are drawn in a browser whose language is none, as on a system without a locale", async () => {
    await using opened = await OpenedPage.open(browser, node.url, undefined);
    const { page } = opened;
    await page.addInitScript(() =>
      Object.defineProperty(Navigator.prototype, "language", { get: () => "en-US@posix" }),
    );
    await page.goto(`${node.url}/explorer`);
    await page.locator(".activity canvas").waitFor();
    assert.ok((await layoutShift(page)) < 0.1);
  });
});

function tileOf(page: Page, name: string): Locator {
  return page.locator(".tile", { has: page.getByText(name, { exact: true }) }).locator("dd");
}

/** Chromium's score, without clicks. */
async function layoutShift(page: Page): Promise<number> {
  return await page.evaluate(
    () =>
      new Promise<number>((done) => {
        type Shift = PerformanceEntry & {
          readonly value: number;
          readonly hadRecentInput: boolean;
        };
        new PerformanceObserver((list) =>
          done(
            (list.getEntries() as Shift[])
              .filter(({ hadRecentInput }) => !hadRecentInput)
              .reduce((sum, { value }) => sum + value, 0),
          ),
        ).observe({ type: "layout-shift", buffered: true });
        setTimeout(() => done(0), 1000);
      }),
  );
}
