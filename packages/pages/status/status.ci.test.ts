import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { Browser } from "playwright-core";
import { launchChromium, withoutChromium } from "../../node/testing/chromium.ts";
import { TestNode } from "../../node/testing/test-node.ts";
import { buildPages, OpenedPage } from "../testing/opened-page.ts";

/** Longer than the five seconds between two measurements. */
const SLOW_MS = 6500;

describe("the status page", { skip: withoutChromium() }, () => {
  let node: TestNode;
  let browser: Browser;

  before(async () => {
    buildPages();
    [node, browser] = await Promise.all([TestNode.start(), launchChromium()]);
  });
  after(async () => {
    await browser?.close();
    await node?.[Symbol.asyncDispose]();
  });

  test("it shows figures, what they mean, and errors by code and by path", async () => {
    assert.equal((await node.get("/token/99")).status, 404);
    await using opened = await OpenedPage.open(browser, node.url, "/status");
    const { page } = opened;
    await page.getByText("Healthy: this node serves reads and writes.").waitFor();
    await page.getByText("Share of the operations that may be pending").waitFor();
    const { verifier } = JSON.parse((await node.get("/")).text) as { readonly verifier: string };
    await page.getByText(new RegExp(`^The ${verifier}( verifier)? verifies signatures`)).waitFor();
    await page.getByRole("row", { name: "404 GET /token/:token 1" }).waitFor();
    await page.getByRole("row", { name: "4001 Token not found 1", exact: true }).waitFor();
    assert.deepEqual(opened.complaints, []);
    assert.deepEqual(opened.elsewhere, []);
  });

  test("what is of the time between two measurements is said to be measured, after the first one", async () => {
    await using opened = await OpenedPage.open(browser, node.url, "/explorer");
    const { page } = opened;
    let measured = 0;
    await page.route("**/metrics", async (route) => {
      measured += 1;
      if (measured === 1) {
        await route.fallback();
      }
    });
    await page.goto(`${node.url}/status`);
    await page.getByText("measuring …", { exact: true }).first().waitFor();
    assert.equal(await page.getByText("no data", { exact: true }).count(), 0);
  });

  test("a slow answer is waited for: the next measurement does not overtake it", async () => {
    await using opened = await OpenedPage.open(browser, node.url, "/explorer");
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

  test("a follower shows how far it is behind, and why it takes no writes", async () => {
    await using follower = await TestNode.start("--log", node.url);
    await using opened = await OpenedPage.open(browser, follower.url, "/status");
    const { page } = opened;
    await page.getByText("Heard from the log").waitFor();
    await page
      .getByText("This node serves reads, and no writes: this node follows another one")
      .waitFor();
    await page.getByText("MonetaLogBehind").waitFor();
    assert.deepEqual(opened.complaints, []);
    await using other = await OpenedPage.open(browser, node.url, "/status");
    await other.page.getByText("Ledger thread").waitFor();
    assert.equal(await other.page.getByText("Heard from the log").count(), 0);
  });

  test("where /metrics is closed, it says so and shows nothing", async () => {
    await using opened = await OpenedPage.open(browser, node.url, "/explorer");
    const { page } = opened;
    await page.route("**/metrics", (route) => route.fulfill({ status: 404, body: "closed" }));
    await page.goto(`${node.url}/status`);
    await page.getByText("This address does not have the figures of the node").waitFor();
    assert.equal(await page.locator(".figure").count(), 0);
  });
});
