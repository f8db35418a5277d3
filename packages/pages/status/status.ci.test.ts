import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { withoutChromium } from "../../node/testing/chromium.ts";
import { TestNode } from "../../node/testing/test-node.ts";
import { inBrowser, testNode } from "../testing/in-browser.ts";
import { OpenedPage } from "../testing/opened-page.ts";

/** Two measurements are five seconds apart. */
const SLOW_MS = 6500;

describe("the status page", { skip: withoutChromium() }, () => {
  let node: TestNode;
  let browser: Browser;

  inBrowser(testNode, (started) => {
    ({ node, browser } = started);
  });

  test("it shows health, the values of all figures at once, and errors with their titles", async () => {
    assert.equal((await node.get("/token/99")).status, 404);
    await node.holder({ coins: 5n });
    await using opened = await OpenedPage.open(browser, node.url, undefined);
    const { page } = opened;
    await showIdle(page);
    await page.goto(`${node.url}/status`);
    await page.getByText("Healthy: this node serves reads and writes.").waitFor();
    assert.equal(await page.locator(".figure").count(), 10);
    assert.equal(await page.locator(".figure.good").count(), 10);
    assert.equal(await page.getByText("none", { exact: true }).count(), 0);
    await page.getByText("Alert above 50%: MonetaQueueFillsUp").waitFor();
    await page.getByRole("row", { name: "Token not found 4001 1", exact: true }).waitFor();
    assert.deepEqual(opened.complaints, []);
    assert.deepEqual(opened.elsewhere, []);
  });

  test("a figure past its threshold is the reason in the sentence of health", async () => {
    await using opened = await OpenedPage.open(browser, node.url, undefined);
    const { page } = opened;
    await showIdle(page, "3100000000");
    await page.goto(`${node.url}/status`);
    await page.getByText("but a threshold is passed: Memory.").waitFor();
    await page.locator(".figure.bad").getByText("3.1 GB").waitFor();
    const line = await page.locator(".figure.bad polyline").getAttribute("points");
    assert.match(line ?? "", /^[0-9.]+,[0-9.]+ [0-9.]+,[0-9.]+/, "one value alone is a line, too");
  });

  test("a slow answer is waited for: the next measurement does not overtake it", async () => {
    await using opened = await OpenedPage.open(browser, node.url, undefined);
    const { page } = opened;
    const answered = Promise.withResolvers<void>();
    let [pending, most] = [0, 0];
    await page.route("**/metrics", async (route) => {
      pending += 1;
      most = Math.max(most, pending);
      await pause(SLOW_MS);
      await route.fallback();
      pending -= 1;
      answered.resolve();
    });
    await page.goto(`${node.url}/status`);
    await answered.promise;
    await page.locator(".figure").first().waitFor();
    assert.equal(most, 1);
  });

  test("a follower is healthy without writes, except where a figure passes its threshold", async () => {
    await using follower = await TestNode.start("--log", node.url);
    await using opened = await OpenedPage.open(browser, follower.url, undefined);
    const { page } = opened;
    await showIdle(page);
    await page.goto(`${follower.url}/status`);
    await page.getByText("Healthy: this node serves reads. It follows another node").waitFor();
    await page.getByText("MonetaLogBehind").waitFor();
    await page.unroute("**/metrics");
    await showIdle(page, "3100000000");
    await page.getByText("but a threshold is passed: Memory.").waitFor();
    assert.deepEqual(opened.complaints, []);
    await using other = await OpenedPage.open(browser, node.url, "/status");
    await other.page.getByText("Ledger thread").waitFor();
    assert.equal(await other.page.getByText("MonetaLogBehind").count(), 0);
  });

  test("where /metrics is closed, it says so and shows nothing", async () => {
    await using opened = await OpenedPage.open(browser, node.url, undefined);
    const { page } = opened;
    await page.route("**/metrics", (route) => route.fulfill({ status: 404, body: "closed" }));
    await page.goto(`${node.url}/status`);
    await page.getByText("This address does not have the figures of the node").waitFor();
    assert.equal(await page.locator(".figure").count(), 0);
  });
});

/** The node's figures as on a machine that does nothing else. */
async function showIdle(page: Page, memoryBytes = "200000000"): Promise<void> {
  await page.route("**/metrics", async (route) => {
    const text = await (await route.fetch()).text();
    const body = text
      .replaceAll(/^(\w+_bucket\{.*\}) .*$/gm, "$1 5")
      .replace(/^(nodejs_eventloop_lag_p99_seconds) .*$/m, "$1 0.01")
      .replace(/^(process_resident_memory_bytes) .*$/m, `$1 ${memoryBytes}`);
    await route.fulfill({ body });
  });
}
